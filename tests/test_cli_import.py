"""`inspector import`: sessions, redaction, what is said, and the commands after it."""

import gzip
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import main
from inspector.store import Store
from tests.formats.loopback import captured, flow_file
from tests.formats.requests import AGENT, CONVERSATION, EVENTS, KEY, messages, responses, spelled

type Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        capfdbinary.readouterr()
        code = main(["--store", str(tmp_path / "store.db"), *map(str, words)])
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return call


def document(out: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)
    assert found["schema"] == 1
    return found


def entry(
    body: bytes,
    url: str = "https://api.anthropic.com/v1/messages?beta=true",
    headers: tuple[tuple[str, str], ...] = AGENT,
    method: str = "POST",
) -> dict[str, Any]:
    named = [{"name": name, "value": value} for name, value in headers]
    asked: dict[str, Any] = {"method": method, "url": url, "headers": named}
    if body:
        asked["postData"] = {"mimeType": "application/json", "text": body.decode()}
    content = {"mimeType": "text/event-stream", "text": EVENTS.decode()}
    kind = [{"name": "content-type", "value": "text/event-stream"}]
    answered = {"status": 200, "headers": kind, "content": content}
    started = "2026-01-02T03:04:05Z"
    return {"startedDateTime": started, "time": 1, "request": asked, "response": answered}


def har(path: Path, *entries: dict[str, Any]) -> Path:
    path.write_bytes(spelled({"log": {"version": "1.2", "entries": entries}}))
    return path


def codex(thread: str) -> tuple[tuple[str, str], ...]:
    return (("user-agent", "codex_exec/0.171.0 (Linux)"), ("thread-id", thread))


def rows(out: str) -> list[tuple[Any, ...]]:
    names = ("client", "version", "route", "exchanges", "model_calls", "started", "continues")
    return [tuple(row[name] for name in names) for row in document(out)["sessions"]]


def test_conversations_are_told_apart_and_what_names_none_joins_the_one_under_way(
    run: Run, tmp_path: Path
) -> None:
    settings = "https://api.anthropic.com/api/claude_code/settings"
    other = (("User-Agent", AGENT[0][1]), ("X-Claude-Code-Session-Id", "other"))
    path = har(
        tmp_path / "x.har",
        entry(b"", settings, (("User-Agent", "claude-code/2.1.332"),), "GET"),
        entry(messages("a")),
        entry(responses("a"), "https://gateway.example/v1/responses", codex("t1")),
        entry(messages("b", conversation="other"), headers=other),
        entry(messages("a", "b")),
        entry(responses("b"), "https://gateway.example/v1/responses", codex("t2")),
    )
    code, out, err = run("import", path, "--json")
    started = "2026-01-02T03:04:05+00:00"
    assert (code, err) == (0, "")
    assert rows(out) == [
        ("claude-code", "2.1.332", "tls", 3, 2, started, None),
        ("codex", "0.171.0", "base-url", 1, 1, started, None),
        ("claude-code", "2.1.332", "tls", 1, 1, started, None),
        ("codex", "0.171.0", "base-url", 1, 1, started, None),
    ]
    assert document(out)["skipped"] == []
    assert rows(run("ls", "--json")[1]) == rows(out)


def test_a_body_alone_tells_its_client_version_and_conversation(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(messages("a") + b"\n" + responses("b") + b"\n" + messages("a", "b") + b"\n")
    _, out, _ = run("import", path, "--json")
    assert [row[:5] for row in rows(out)] == [
        ("claude-code", "2.1.332", "unknown", 2, 2),
        ("codex", "", "unknown", 1, 1),
    ]
    with Store.open(tmp_path / "store.db") as store:
        assert [item.conversation for item in store.sessions()] == [CONVERSATION, "thread-1"]
        assert {item.source for item in store.sessions()} == {"import"}


def test_a_folder_of_bodies_is_one_session_in_the_order_of_names(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "bodies"
    folder.mkdir()
    bodies = [messages(f"{number}", conversation=f"c{number}") for number in range(3)]
    for number in (2, 0, 1):
        (folder / f"{number:03}.json").write_bytes(bodies[number])
    assert [row[3] for row in rows(run("import", folder, "--json")[1])] == [3]
    shown = document(run("show", "last", "--json")[1])["exchanges"]
    for exchange, body in zip(shown, bodies, strict=True):
        assert run("raw", exchange["id"])[1].encode() == body
        assert exchange["kind"] == "main"


def test_another_program_of_a_dialect_is_client_other(run: Run, tmp_path: Path) -> None:
    body = spelled({"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "a"}]})
    url = "http://127.0.0.1:8000/v1/messages"
    agent = (("user-agent", "Anthropic/Python 2.14.0"),)
    path = har(tmp_path / "x", entry(body, url, agent), entry(body, url + "/count_tokens", agent))
    assert [row[:5] for row in rows(run("import", path, "--json")[1])] == [
        ("other", "", "base-url", 2, 1)
    ]
    kinds = [row["kind"] for row in document(run("show", "last", "--json")[1])["exchanges"]]
    assert kinds == ["main", "count_tokens"]


def test_what_a_flow_file_holds_comes_back_to_the_byte(run: Run, tmp_path: Path) -> None:
    body = messages("größer \U0001f389")
    wire = gzip.compress(body)
    path = flow_file(tmp_path / "x", captured(tmp_path, wire, content_encoding="gzip"))
    assert [row[:5] for row in rows(run("import", path, "--json")[1])] == [
        ("claude-code", "2.1.332", "base-url", 1, 1)
    ]
    with Store.open(tmp_path / "store.db") as store:
        (exchange,) = store.exchanges(store.find("last").id)
    assert (exchange.request_wire, exchange.request, exchange.response) == (wire, body, EVENTS)


def test_a_har_that_holds_only_the_decoded_body_claims_no_digest_of_the_wire(
    run: Run, tmp_path: Path
) -> None:
    coded = (*AGENT, ("content-encoding", "zstd"))
    run("import", har(tmp_path / "x", entry(messages("a"), headers=coded), entry(messages("b"))))
    first, second = document(run("show", "last", "--json")[1])["exchanges"]
    assert (first["wire_sha256"], first["request_sha256"] != "") == ("", True)
    assert second["wire_sha256"] == second["request_sha256"]


def test_no_secret_reaches_the_store(run: Run, tmp_path: Path) -> None:
    bearer = "plain-but-secret-0123456789"
    headers = (*AGENT, ("Authorization", f"Bearer {bearer}"), ("x-api-key", KEY))
    path = har(
        tmp_path / "x.har",
        entry(messages(f"my key is {KEY}", bearer), headers=headers),
        entry(messages(f"again {bearer}"), f"https://api.anthropic.com/v1/messages?key={bearer}"),
    )
    code, _, err = run("import", path)
    assert (code, err) == (0, "inspector: 6 secrets replaced\n")
    for file in tmp_path.glob("store.db*"):
        data = file.read_bytes()
        assert KEY.encode() not in data
        assert bearer.encode() not in data
    shown = document(run("show", "last", "--json")[1])["exchanges"]
    assert [row["replaced"] for row in shown] == [4, 2]


def test_damage_is_listed_and_the_rest_is_kept(run: Run, tmp_path: Path) -> None:
    path = har(tmp_path / "x.har", entry(messages("a")), entry(messages("b")))
    data = path.read_bytes()
    path.write_bytes(data[:-20])
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    code, out, err = run("import", path, tmp_path / "notes.txt", "--json")
    at = data.index(b'{"startedDateTime"', 60)
    (cut, notes) = document(out)["skipped"]
    assert (code, [row[3] for row in rows(out)]) == (0, [1])
    assert cut["path"] == str(path)
    assert cut["reason"].endswith(f"the file ends inside the value at byte {at}")
    assert notes == {
        "path": str(tmp_path / "notes.txt"),
        "reason": "no HAR, flow file, request body or JSONL",
    }
    assert err.count("\n") == 2


def test_foreign_traffic_is_left_out_and_counted(run: Run, tmp_path: Path) -> None:
    foreign = entry(b"", "https://example.com/logo.png", (("user-agent", "Firefox"),), "GET")
    path = har(tmp_path / "x.har", foreign, entry(messages("a")), foreign)
    code, out, _ = run("import", path, "--json")
    assert (code, [row[3] for row in rows(out)]) == (0, [1])
    reason = "no model traffic in 2 of its exchanges, which were left out"
    assert document(out)["skipped"] == [{"path": str(path), "reason": reason}]
    alone = run("import", har(tmp_path / "y.har", foreign))
    assert alone[0] == 3
    assert alone[2].startswith(f"inspector: {tmp_path / 'y.har'}: no model traffic in 1 ")


@pytest.mark.parametrize("data", [b"", b"text", b'{"a": ', b'{"log": {"entries": [{"re', b"[1]"])
def test_nothing_readable_is_bad_input(run: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    code, out, err = run("import", tmp_path / "x", "--json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"inspector: {tmp_path / 'x'}: ")


def test_a_path_that_is_not_there_is_refused_before_anything_is_read(
    run: Run, tmp_path: Path
) -> None:
    path = har(tmp_path / "x.har", entry(messages("a")))
    code, out, err = run("import", path, tmp_path / "none")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "store.db").exists()


def test_an_older_session_of_the_same_conversation_is_gone_on_with(
    run: Run, tmp_path: Path
) -> None:
    later = entry(messages("a", "b"))
    later["startedDateTime"] = "2026-01-03T03:04:05Z"
    first = document(run("import", har(tmp_path / "x", entry(messages("a"))), "--json")[1])
    second = document(run("import", har(tmp_path / "y", later), "--json")[1])
    again = document(run("import", tmp_path / "x", "--json")[1])
    continues = [found["sessions"][0]["continues"] for found in (first, second, again)]
    assert continues == [None, first["sessions"][0]["id"], None]


def test_sessions_that_are_earlier_only_by_their_offset_are_not_gone_on_with(
    run: Run, tmp_path: Path
) -> None:
    later, earlier = entry(messages("a", "b")), entry(messages("a"))
    later["startedDateTime"] = "2026-01-02T04:04:05+05:00"
    run("import", har(tmp_path / "x", earlier))
    found = document(run("import", har(tmp_path / "y", later), "--json")[1])
    assert found["sessions"][0]["continues"] is None


def test_a_terminal_sees_progress_and_pipes_see_none(run: Run, tmp_path: Path) -> None:
    path = har(tmp_path / "x.har", entry(messages("a")))
    command = [
        sys.executable,
        "-m",
        "inspector",
        "--store",
        str(tmp_path / "s"),
        "import",
        "--json",
    ]
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm"}
    ended = subprocess.run(
        [*command, str(path)], stdout=subprocess.PIPE, stderr=theirs, env=env, check=True
    )
    os.close(theirs)
    assert b"x.har" in os.read(ours, 65536)
    os.close(ours)
    assert len(document(ended.stdout.decode())["sessions"]) == 1
    assert run("import", path)[2] == ""


def test_an_imported_session_is_shown_and_diffed_and_verify_says_what_it_lacks(
    run: Run, tmp_path: Path
) -> None:
    made = document(
        run(
            "import", har(tmp_path / "x", entry(messages("a")), entry(messages("a", "b"))), "--json"
        )[1]
    )
    name = made["sessions"][0]["id"]
    shown = document(run("show", "last", "--json")[1])["exchanges"]
    assert [row["usage"] for row in shown] == [
        {"input": 7, "cache_read": None, "cache_write": None, "output": 1}
    ] * 2
    assert run("raw", f"{name}:1", "response")[1].encode() == EVENTS
    code, out, _ = run("diff", f"{name}:1", f"{name}:2", "--json")
    assert (code, document(out)["counts"]) == (1, {"added": 1})
    code, out, err = run("verify", name, "--json")
    assert (code, document(out)["totals"]["exact"]) == (1, 0)
    assert err == (
        f"inspector: {name}: an import has no snapshot of the workspace: its requests can be shown"
        " and diffed, not rebuilt; capture with `inspector run`\n"
    )
    code, out, err = run("verify", name)
    assert (code, err, " ".join(out.split()).count("an import has no snapshot")) == (1, "", 1)
