"""What a request is made of, its budgets, and the client's own texts in it."""

import json
from pathlib import Path
from typing import Any

from inspector import named
from inspector.clients import Called
from inspector.explain import Total, client_texts, totals
from inspector.jsontext import parse
from inspector.text import Kind, Known, Origin, encode, text
from tests.commands import Run

GOLDEN = "captures/claude-code/2.1.332/every_row/r0"


def called(path: str) -> Called:
    return Called("rule" if path.endswith("CLAUDE.md") else "file", path)


def test_each_stretch_is_counted_with_its_source_and_the_largest_come_first() -> None:
    parts = [
        text("be brief", Origin(Kind.FILE, "/w/CLAUDE.md")),
        text("abc", Origin(Kind.FILE, "/w/x.py")),
        text("hello", Origin(Kind.PROMPT, "prompt")),
        text("does it all", Origin(Kind.LISTING, "srv/tool")),
        text("<note>", Origin(Kind.LITERAL, "note")),
        text("<note>", Origin(Kind.LITERAL, "note")),
    ]
    built = encode({"system": [{"text": part} for part in parts]})
    assert totals(built, called) == [
        Total("client", 2, 12),
        Total("MCP tools", 1, 11),
        Total("rules", 1, 8),
        Total("prompts", 1, 5),
        Total("files read", 1, 3),
    ]
    assert client_texts(built) == [Total("note", 2, 12)]


def test_a_text_that_is_not_at_hand_counts_as_long_as_it_is() -> None:
    sealed = Known(Kind.KNOWN, "tool.Bash", "0" * 64, 5_000)
    built = encode({"system": text(sealed.placeholder, sealed)})
    assert [total.chars for total in client_texts(built)] == [5_000]


def document(run: Run, *words: str) -> dict[str, Any]:
    code, out, err = run("explain", *words, "--json")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_totals_of_a_golden_are_the_strings_of_its_last_request(run: Run, root: Path) -> None:
    sums = {item["name"]: item["chars"] for item in document(run, str(root / GOLDEN))["totals"]}
    recording = named.find(str(root / GOLDEN), Path("unused")).recording
    nodes = [node for _, node in parse(recording.exchanges[-1].request).walk()]
    strings = sum(len(node.string) for node in nodes if node.kind == "string")
    others = sum(
        len(node.text) for node in nodes if node.kind in {"number", "true", "false", "null"}
    )
    # Sealed texts count as long as they are, and are shorter where they stand.
    assert sums["rules"] > 0
    assert sums["client"] > strings
    assert sum(sums.values()) > strings + others


def test_a_budget_that_is_passed_names_what_makes_room(run: Run, tmp_path: Path) -> None:
    head = "---\nname: {}\ndescription: {}\n---\nbody\n"
    for number in range(60):
        path = tmp_path / f"ws/.claude/skills/s{number:02d}/SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(head.format(f"s{number:02d}", "d" * 600))
    (tmp_path / "home").mkdir()
    place = ("--workspace", str(tmp_path / "ws"), "--home", str(tmp_path / "home"))
    (meter,) = document(run, *place)["meters"]
    assert (meter["name"], meter["wanted"] > meter["limit"]) == ("skill listing", True)
    key, _, value = meter["setting"].partition("=")
    again = document(run, *place, "--set", f"env.{key}={value}")
    reasons = {item["before"]["reason"]: item["after"]["reason"] for item in again["changes"]}
    assert reasons == {"the listing is over its budget: only its name is told": ""}


def test_codex_has_a_budget_of_rules_and_one_of_skills(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ws/.git").mkdir(parents=True)
    (tmp_path / "ws/AGENTS.md").write_text("r" * 40_000)
    (tmp_path / "home").mkdir()
    place = ("--workspace", str(tmp_path / "ws"), "--home", str(tmp_path / "home"))
    rules, skills = document(run, *place, "--client", "codex")["meters"]
    assert (rules["wanted"], rules["limit"], rules["unit"]) == (40_000, 32_768, "bytes")
    assert rules["setting"] == "project_doc_max_bytes=40000"
    assert skills["name"] == "skill listing"


def test_the_clients_own_texts_are_counted_by_name(run: Run, root: Path) -> None:
    found = document(run, str(root / GOLDEN), "--client-texts")["client_texts"]
    by_name = {item["name"]: item for item in found}
    assert [item["chars"] for item in found] == sorted(
        (item["chars"] for item in found), reverse=True
    )
    assert by_name["tool.Bash.description"]["runs"] == 1
    # The opening and the end of one wrapper.
    assert by_name["reminder"]["runs"] == 2
