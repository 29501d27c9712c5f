"""`inspector cache --workspace`: what other days, servers and folders do to the prefix."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector import profiles
from tests.commands import Run


@pytest.fixture
def place(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "ws").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "ws/CLAUDE.md").write_text("Be brief.\n")
    tools = [
        {"name": name, "inputSchema": {"type": "object"}, "_meta": {"anthropic/alwaysLoad": True}}
        for name in ("b", "a")
    ]
    listing = {"server": "srv", "initialize": "{}", "tools": json.dumps({"tools": tools})}
    facts = {
        "cwd": str(tmp_path / "ws"),
        "home": str(tmp_path / "home"),
        "config_home": str(tmp_path / "home/.claude"),
        "date": "2026-01-31",
        "git": {"root": str(tmp_path / "ws"), "head": "ref: refs/heads/main"},
        "listings": [listing],
    }
    (tmp_path / "facts.json").write_text(json.dumps(facts))
    return (
        *("--workspace", str(tmp_path / "ws"), "--home", str(tmp_path / "home")),
        *("--environment", str(tmp_path / "facts.json"), "--client-version", "2.1.332"),
    )


def outcomes(run: Run, *words: str | Path) -> dict[str, dict[str, Any]]:
    code, out, err = run("cache", *words, "--json")
    assert code == 0, err
    return {item["change"]: item for item in json.loads(out)["changes"]}


def test_each_change_says_what_is_kept_and_what_parts_first(
    run: Run, place: tuple[str, ...]
) -> None:
    found = outcomes(run, *place)
    changes: dict[str, dict[str, Any] | None] = {
        name: item["first_change"] for name, item in found.items()
    }
    causes = {name: change and change["cause"] for name, change in changes.items()}
    assert causes.pop("another folder") is not None
    versions = {name: cause for name, cause in causes.items() if name.startswith("client ")}
    older = [name for name in profiles.names("claude-code") if name != "2.1.332"]
    assert set(versions) == {f"client {max(older, key=profiles.order)}"}
    assert {name: causes[name] for name in causes.keys() - versions.keys()} == {
        "the same again": None,
        "the next day": "DATE",
        "a file edited": "GITSTATUS",
        "server srv gone": "TOOLS-CHANGED",
        "server srv gone and back": "TOOLS-FLAP",
        "the next prompt": None,
        "resumed": None,
        # This client sorts what servers list.
        "lists in another order": None,
    }
    assert found["the same again"]["kept_bytes"] == found["the same again"]["bytes"] > 0
    assert found["server srv gone"]["kept_bytes"] == 0
    # Within its time the entry of the first request is there again.
    back = found["server srv gone and back"]
    assert back["kept_bytes"] == back["bytes"] > 0
    assert found["server srv gone"]["first_change"]["origin"].startswith("listing:srv")
    assert found["the next day"]["first_change"]["origin"] == "fact:date"
    assert 0 < found["the next day"]["kept_bytes"] < found["the next day"]["bytes"]


def test_the_table_names_each_change(run: Run, place: tuple[str, ...]) -> None:
    code, out, _ = run("cache", *place)
    lines = [line for line in out.splitlines() if "the next day" in line]
    assert (code, len(lines), "DATE: a date changed" in lines[0]) == (0, 1, True)


def test_a_thread_of_codex_that_goes_on_keeps_its_prefix(run: Run, tmp_path: Path) -> None:
    for name in ("ws", "home"):
        (tmp_path / name).mkdir()
    facts = {"cwd": "/ws", "home": "/home/u", "config_home": "/home/u/.codex", "date": "2026-01-31"}
    (tmp_path / "facts.json").write_text(json.dumps(facts))
    found = outcomes(
        run,
        *("--client", "codex", "--workspace", tmp_path / "ws", "--home", tmp_path / "home"),
        *("--environment", tmp_path / "facts.json"),
    )
    kept = {name: item["first_change"] for name, item in found.items()}
    assert {name: kept[name] for name in ("the same again", "the next prompt", "resumed")} == {
        "the same again": None,
        "the next prompt": None,
        "resumed": None,
    }
    assert kept["the next day"]["cause"] == "DATE"
