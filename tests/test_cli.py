import hashlib
import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector import cli, folder
from inspector.cli import main
from inspector.jsontext import parse
from inspector.session import Recording
from inspector.store import Store
from tests import made
from tests.commands import Run


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    return made.recording(tmp_path)


@pytest.fixture
def kept(recording: Recording, tmp_path: Path) -> Path:
    folder.write(recording, tmp_path / "kept")
    return tmp_path / "kept"


@pytest.fixture
def store(recording: Recording, tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    put(path, recording)
    return path


def put(path: Path, recording: Recording) -> None:
    with Store.open(path) as store:
        store.put_session(recording.session)
        for exchange in recording.exchanges:
            store.put(exchange)
        if recording.snapshot is not None:
            store.put_snapshot(recording.session.id, recording.snapshot)


def document(out: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)
    assert found["schema"] == 1
    return found


# --- the frame -----------------------------------------------------------------------------------


def test_help_names_every_command_and_imports_no_library() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "inspector", "--help"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    for name in cli.COMMANDS:
        assert f"\n  {name} " in ended.stdout
    loaded = {line.rsplit("|", 1)[-1].strip() for line in ended.stderr.splitlines()}
    heavy = {"click", "mitmproxy", "rich", "pydantic", "yaml", "deepdiff", "anthropic", "mcp"}
    assert heavy & loaded == set()


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_says_what_it_does(run: Run, name: str) -> None:
    code, out, err = run(name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: inspector {name} ")


@pytest.mark.parametrize("name", ["verify", "diff", "score"])
def test_help_of_a_command_imports_nothing_heavy(name: str) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "inspector", name, "--help"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {line.rsplit("|", 1)[-1].strip() for line in ended.stderr.splitlines()}
    assert {"mitmproxy", "rich", "pydantic", "yaml", "deepdiff"} & loaded == set()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["nope"], "inspector: No such command 'nope'; see `inspector --help`"),
        (["mcp"], "inspector: Missing command; see `inspector mcp --help`"),
        (
            ["build"],
            "inspector: Missing option '--client'. Choose from: claude-code, codex; see `inspector build --help`",
        ),
        (["verify"], "inspector: Missing argument 'SESSION...'; see `inspector verify --help`"),
        (["raw", "x", "nope"], "inspector: Invalid value for '"),
    ],
)
def test_a_command_line_that_cannot_be_run_is_refused_in_one_line(
    run: Run, words: list[str], line: str
) -> None:
    code, out, err = run(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(line)


@pytest.mark.parametrize("command", ["show", "verify", "turns", "raw"])
def test_a_store_that_is_not_there_is_one_line(run: Run, command: str, tmp_path: Path) -> None:
    code, out, err = run("--store", tmp_path / "none.db", command, "last")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(tmp_path / "none.db") in err


def test_a_reader_that_goes_away_ends_the_command_quietly(kept: Path) -> None:
    command = [sys.executable, "-m", "inspector", "show", "--json", str(kept)]
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, "")


def test_a_folder_that_cannot_be_written_is_one_line(run: Run, kept: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, _, err = run("verify", kept, "--out", tmp_path / "file" / "out")
    assert (code, err.count("\n")) == (2, 1)
    assert str(tmp_path / "file" / "out") in err


def test_an_interrupt_ends_with_130(run: Run, monkeypatch: pytest.MonkeyPatch, kept: Path) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("inspector.named.find", interrupted)
    assert run("show", kept) == (130, "", "")


# --- sessions ------------------------------------------------------------------------------------


def test_ls_lists_the_sessions_of_a_store(run: Run, store: Path) -> None:
    code, out, _ = run("ls", "--store", store, "--json")
    assert code == 0
    assert document(out)["sessions"] == [
        {
            "id": "s1",
            "client": "codex",
            "version": "0.171.0",
            "route": "base-url",
            "exchanges": 2,
            "model_calls": 2,
            "started": "2026-01-02T03:04:05+00:00",
            "continues": None,
        }
    ]
    assert "s1" in run("--store", store, "ls")[1]


def test_ls_of_our_own_store_that_is_not_made_yet_is_empty(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECTOR_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("INSPECTOR_STORE", raising=False)
    code, out, _ = run("ls", "--json")
    assert (code, document(out)["sessions"]) == (0, [])
    assert not (tmp_path / "data").exists()


def test_ls_of_a_named_store_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    code, out, err = run("ls", "--store", tmp_path / "none.db")
    assert (code, out) == (2, "")
    assert err.startswith(f"inspector: {tmp_path / 'none.db'}: no store there; ")
    assert not (tmp_path / "none.db").exists()


def test_a_store_on_a_read_only_mount_is_read(store: Path, tmp_path: Path) -> None:
    there = tmp_path / "mounted"
    there.mkdir()
    (there / "s.db").write_bytes(store.read_bytes())
    ours = shlex.join([sys.executable, "-m", "inspector", "ls", "--store", str(there / "s.db")])
    mount = (
        f"mount --bind {there} {there} && mount -o remount,bind,ro {there} && exec {ours} --json"
    )
    ended = subprocess.run(
        ["unshare", "-rm", "/bin/sh", "-c", mount], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [item["id"] for item in document(ended.stdout)["sessions"]] == ["s1"]


def test_reading_an_empty_file_as_a_store_leaves_it_empty(run: Run, tmp_path: Path) -> None:
    (tmp_path / "zero.db").touch()
    code, out, err = run("ls", "--store", tmp_path / "zero.db")
    assert (code, out) == (2, "")
    assert err == (
        f"inspector: {tmp_path / 'zero.db'}: an empty file, not a store; give another --store\n"
    )
    assert (tmp_path / "zero.db").read_bytes() == b""


@pytest.mark.parametrize("command", ["verify", "raw", "show", "turns"])
def test_a_name_that_is_no_text_is_a_session_we_do_not_have(
    run: Run, store: Path, command: str
) -> None:
    code, out, err = run(command, "--store", store, "\udcff\udcfe")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no such " in err


@pytest.mark.parametrize(
    "words", [["ls", "--json"], ["ls"], ["ls", "--help"], ["--help"], ["--version"]]
)
@pytest.mark.parametrize(
    ("place", "reason"),
    [(">&-", "bad file descriptor"), (">/dev/full", "no space left on device")],
)
def test_an_output_that_cannot_be_written_is_one_line_and_exit_2(
    store: Path, words: list[str], place: str, reason: str
) -> None:
    command = shlex.join([sys.executable, "-m", "inspector", "--store", str(store), *words])
    if words[0].startswith("-"):
        command = shlex.join([sys.executable, "-m", "inspector", *words])
    ended = subprocess.run(
        ["/bin/sh", "-c", f"unset PYTHONUNBUFFERED; {command} {place}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (
        2,
        f"inspector: standard output: {reason}; not all of it was written\n",
    )


def test_a_session_is_named_by_id_prefix_folder_or_last(run: Run, store: Path, kept: Path) -> None:
    documents = [run("show", "--store", store, name, "--json")[1] for name in ("s1", "s", "last")]
    assert documents == [documents[0]] * 3
    assert run("show", kept, "--json")[1] == documents[0]


def test_show_lists_bytes_digests_model_and_usage(
    run: Run, store: Path, recording: Recording
) -> None:
    shown = document(run("show", "last", "--store", store, "--json")[1])
    assert (shown["session"], shown["client"]) == ("s1", "codex")
    first, body = shown["exchanges"][0], recording.exchanges[0].request
    expected = {
        "id": "s1x1",
        "kind": "main",
        "method": "POST",
        "status": 200,
        "request_bytes": len(body),
        "request_sha256": hashlib.sha256(body).hexdigest(),
        "wire_bytes": len(body),
        "model": json.loads(body)["model"],
        "version": "0.171.0",
    }
    assert {name: first[name] for name in expected} == expected
    assert first["usage"]["cache_read"] == 7


@pytest.mark.parametrize("name", ["s1x2", "s1:2"])
def test_raw_writes_the_very_bytes(
    store: Path, recording: Recording, name: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for part, expected in (("request", recording.exchanges[1].request), ("response", made.EVENTS)):
        capfdbinary.readouterr()
        assert main(["raw", name, part, "--store", str(store)]) == 0
        assert capfdbinary.readouterr().out == expected


def test_turns_are_written_as_build_reads_them(run: Run, kept: Path, tmp_path: Path) -> None:
    code, out, _ = run("turns", kept)
    assert code == 0
    (tmp_path / "again.yaml").write_text(out, encoding="utf-8")
    assert folder.read_turns(tmp_path / "again.yaml") == made.turns()


# --- the proof -----------------------------------------------------------------------------------


def test_verify_prints_the_proof_and_exits_with_what_it_found(
    run: Run, kept: Path, recording: Recording, tmp_path: Path
) -> None:
    code, out, _ = run("verify", kept, "--json")
    found = document(out)
    assert code == 0
    (session,) = found["sessions"]
    assert [request["exact"] for request in session["requests"]] == [True, True]
    assert session["totals"] == found["totals"]
    total = sum(len(exchange.request) for exchange in recording.exchanges)
    assert session["totals"]["bytes"]["total"] == total
    folder.write(made.changed(recording, 2, b"CANARY", b"CAN4RY"), tmp_path / "other")
    code, out, _ = run("verify", tmp_path / "other", "--json")
    assert code == 1
    (difference,) = document(out)["sessions"][0]["requests"][1]["differences"]
    assert difference["verdict"] == "changed"
    assert difference["origin"] == f"file:{tmp_path}/ws/AGENTS.md"
    assert "AGENTS.md" in run("verify", tmp_path / "other")[1]


def test_verify_names_headers_that_are_not_as_the_client_sends_them(
    run: Run, recording: Recording, tmp_path: Path
) -> None:
    headers = (("content-type", "application/json"), ("accept", "text/event-stream"))
    sent = tuple(replace(item, request_headers=headers) for item in recording.exchanges)
    folder.write(replace(recording, exchanges=sent), tmp_path / "other")
    _, out, _ = run("verify", tmp_path / "other")
    lines = [line for line in out.splitlines() if "headers" in line]
    assert [line.partition(", x-")[0] for line in lines] == [
        "#1, #2: headers different: version",
        "#1, #2: headers in another order: accept",
    ]


def test_verify_of_a_session_without_a_model_request_says_so(
    run: Run, recording: Recording, tmp_path: Path
) -> None:
    folder.write(replace(recording, exchanges=()), tmp_path / "none")
    code, out, err = run("verify", tmp_path / "none", "--json")
    assert (code, document(out)["totals"]["requests"]) == (3, 0)
    assert "no model request" in err


def test_verify_writes_bodies_and_origins(
    run: Run, kept: Path, recording: Recording, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert run("verify", kept, "--out", out)[0] == 0
    names = ["001.built", "001.origins.json", "002.built", "002.origins.json"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert (out / "001.built").read_bytes() == recording.exchanges[0].request
    origins = document((out / "001.origins.json").read_text(encoding="utf-8"))
    rule = next(run for run in origins["runs"] if run["origin"]["name"].endswith("ws/AGENTS.md"))
    value = parse(recording.exchanges[0].request).find(rule["path"])
    assert value is not None
    spelled = "# Rules\n\nSay CANARY in every answer.\n"[rule["at"] :]
    assert spelled.startswith(value.string[rule["start"] : rule["end"]])


def test_verify_against_a_folder_takes_its_bodies_from_there(
    run: Run, kept: Path, recording: Recording, tmp_path: Path
) -> None:
    against = tmp_path / "against"
    against.mkdir()
    body = recording.exchanges[0].request
    (against / "001.json").write_bytes(body)
    assert run("verify", kept, "--against", against)[0] == 0
    (against / "001.json").write_bytes(body.replace(b"CANARY", b"CAN4RY"))
    assert run("verify", kept, "--against", against)[0] == 1
    (against / "001.json").unlink()
    code, _, err = run("verify", kept, "--against", against)
    assert (code, err.count("\n")) == (2, 1)


def test_an_unknown_version_is_said_loudly(run: Run, recording: Recording, tmp_path: Path) -> None:
    session = replace(recording.session, version="0.999.0")
    folder.write(replace(recording, session=session), tmp_path / "newer")
    _, out, err = run("verify", tmp_path / "newer", "--json")
    assert "0.999.0" in err
    assert "0.171.0" in err
    session_found = document(out)["sessions"][0]
    assert (session_found["profile"], session_found["profile_exact"]) == ("0.171.0", False)


def test_build_writes_the_same_bytes_but_for_masks(run: Run, kept: Path, tmp_path: Path) -> None:
    facts = tmp_path / "environment.yaml"
    facts.write_text(made.environment(tmp_path).model_dump_json(), "utf-8")
    words = ["build", "--client", "codex", "--workspace", tmp_path / "ws"]
    words += ["--home", tmp_path / "home", "--turns", kept / "turns.yaml"]
    words += ["--environment", facts, "--out", tmp_path / "built"]
    code, out, err = run(*words, "--json")
    assert (code, err) == (0, "")
    rows = document(out)["requests"]
    assert [Path(row["path"]).name for row in rows] == ["001.json", "002.json"]
    built = (tmp_path / "built" / "001.json").read_bytes()
    assert rows[0]["sha256"] == hashlib.sha256(built).hexdigest()
    assert b"CANARY" in built
    assert rows[0]["masks"] != []
    assert len(built.split("⟦mask".encode())) > 1


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [("--turns", "client: [", "no YAML"), ("--environment", "- 1", "no environment file")],
)
def test_a_file_that_is_not_what_it_was_given_for_is_one_line(
    run: Run, kept: Path, tmp_path: Path, name: str, content: str, complaint: str
) -> None:
    (tmp_path / "bad").write_text(content, encoding="utf-8")
    words: list[object] = ["build", "--client", "codex", "--workspace", tmp_path / "ws"]
    words += ["--turns", kept / "turns.yaml", "--out", tmp_path / "built", name, tmp_path / "bad"]
    code, out, err = run(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


def test_a_missing_workspace_is_one_line(run: Run, kept: Path, tmp_path: Path) -> None:
    words: list[object] = ["build", "--client", "codex", "--workspace", tmp_path / "nowhere"]
    code, _, err = run(*words, "--turns", kept / "turns.yaml", "--out", tmp_path / "built")
    assert (code, err.count("\n")) == (2, 1)
    assert "nowhere" in err


def test_diff_exits_with_whether_the_meaning_differs(
    run: Run, kept: Path, recording: Recording, tmp_path: Path
) -> None:
    code, out, _ = run("diff", kept, kept, "--json")
    tokens = {"bytes_per_token": 4, "calibrated_by_requests": 0}
    same: dict[str, Any] = {"schema": 1, "changes": [], "counts": {}, "tokens": tokens}
    assert (code, document(out)) == (0, same)
    folder.write(made.changed(recording, 2, b"CANARY", b"CAN4RY"), tmp_path / "other")
    code, out, _ = run("diff", kept, tmp_path / "other", "--json")
    found = document(out)
    assert (code, found["counts"]) == (1, {"changed": 1})
    (change,) = found["changes"]
    assert change["path_a"] == change["path_b"]
    assert (change["section"], change["cache_effect"]["cause"]) == ("messages", "HISTORY-EDITED")
    assert change["origin_a"] == change["origin_b"] == f"file:{tmp_path}/ws/AGENTS.md"
    body = tmp_path / "body.json"
    body.write_bytes(recording.exchanges[0].request)
    assert run("diff", body, f"{kept}:1")[0] == 0


def test_score_counts_bodies_and_shares(run: Run, kept: Path) -> None:
    code, out, _ = run("score", kept, "--json")
    (row,) = document(out)["rows"]
    assert code == 0
    assert (row["client"], row["version"], row["route"]) == ("codex", "0.171.0", "base-url")
    assert (row["bodies"], row["exact"], row["segments_exact_percent"]) == (2, 2, 100.0)
    assert row["bytes"]["different"] == row["bytes"]["adopted"] == 0
