"""Bodies that are no JSON, bodies nested too deeply, and what every command says of them."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import folder
from tests import made
from tests.commands import Run

DEEP = b"[" * 100_000
BODIES = {
    DEEP: "not JSON (ends too early, at byte 100000)",
    b"not json \xff": "not JSON (no UTF-8 at byte 9)",
    b'{"model":"x","messages":[': "not JSON (ends too early, at byte 25)",
    b"": "not JSON (ends too early, at byte 0)",
    b"[1,2]": "no model request: a JSON array",
}


def _kept(root: Path, client: str, body: bytes) -> Path:
    """A recording of one client with that body between its two requests."""
    recording = made.recording(root)
    first, second = recording.exchanges
    url = "http://127.0.0.1:8181/v1/" + {"codex": "responses", "claude-code": "messages"}[client]
    odd = replace(first, id="odd", number=2, url=url, request=body, request_wire=body)
    odd = replace(odd, request_sha256=hashlib.sha256(body).hexdigest())
    exchanges = (first, odd, replace(second, number=3))
    session = replace(recording.session, client=client)
    folder.write(replace(recording, session=session, exchanges=exchanges), root / "kept")
    return root / "kept"


@pytest.mark.parametrize("client", ["codex", "claude-code"])
@pytest.mark.parametrize(("body", "problem"), BODIES.items(), ids=["deep", *"abcd"])
def test_a_body_that_cannot_be_read_is_a_model_call_with_a_note(
    run: Run, tmp_path: Path, client: str, body: bytes, problem: str
) -> None:
    kept = _kept(tmp_path, client, body)
    code, out, _ = run("show", kept, "--json")
    row = json.loads(out)["exchanges"][1]
    assert (code, row["kind"], row["request_problem"]) == (0, "main", problem)
    assert "request: " in run("show", kept)[1]
    code, out, _ = run("verify", kept, "--json")
    request = json.loads(out)["sessions"][0]["requests"]
    numbered = {item["number"]: item for item in request}
    assert (code, numbered[2]["reason"]) == (1, f"{problem}, so nothing was built")
    for command in ("score", "turns"):
        assert run(command, kept)[0] == 0


def test_what_surrounds_an_unreadable_body_is_rebuilt_all_the_same(
    run: Run, tmp_path: Path
) -> None:
    _, out, _ = run("verify", _kept(tmp_path, "codex", DEEP), "--json")
    found = json.loads(out)["sessions"][0]["requests"]
    assert [item["exact"] for item in found] == [True, False, True]


def test_an_answer_that_calls_itself_json_and_is_none_is_marked(run: Run, tmp_path: Path) -> None:
    recording = made.recording(tmp_path)
    first, second = recording.exchanges
    json_type = (("Content-Type", "application/json"),)
    odd = replace(first, response=b"<html>\xff", response_headers=json_type)
    folder.write(replace(recording, exchanges=(odd, second)), tmp_path / "kept")
    rows = json.loads(run("show", tmp_path / "kept", "--json")[1])["exchanges"]
    assert rows[0]["response_problem"].startswith("not JSON (")
    assert rows[1]["response_problem"] == ""


@pytest.mark.parametrize("name", ["s.json", "s.yaml"])
@pytest.mark.parametrize("depth", [1000, 100_000])
def test_a_script_nested_too_deeply_is_one_line(
    run: Run, tmp_path: Path, name: str, depth: int
) -> None:
    (tmp_path / name).write_text("[" * depth + "]" * depth, encoding="utf-8")
    code, out, err = run("mock", tmp_path / name)
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("data", [b"not json \xff", b"- text: hi\n", b"", b"[1]", b'{"a":1}'])
def test_diff_refuses_a_file_that_is_no_request(run: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    code, out, err = run("diff", tmp_path / "file", tmp_path / "file")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(tmp_path / "file") in err


def test_diff_refuses_an_exchange_that_is_no_model_request(run: Run, tmp_path: Path) -> None:
    kept = _kept(tmp_path, "codex", b"")
    recording = folder.read(kept)
    assert run("diff", f"{kept}:2", f"{kept}:2")[0] == 2
    get = replace(recording.exchanges[1], method="GET")
    first, _, last = recording.exchanges
    folder.write(replace(recording, exchanges=(first, get, last)), kept)
    code, out, err = run("diff", f"{kept}:1", f"{kept}:2")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_session_named_twice_counts_once(run: Run, tmp_path: Path) -> None:
    folder.write(made.recording(tmp_path), tmp_path / "kept")
    code, out, err = run("verify", tmp_path / "kept", tmp_path / "kept", "--json")
    assert (code, json.loads(out)["totals"]["requests"]) == (0, 2)
    assert "named twice; it counts once" in err


def test_a_missing_request_fails_the_proof(run: Run, tmp_path: Path) -> None:
    recording = made.recording(tmp_path)
    folder.write(replace(recording, exchanges=recording.exchanges[:1]), tmp_path / "kept")
    code, _, err = run("verify", tmp_path / "kept")
    assert (code, "1 turn without a captured request" in err) == (1, True)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.1.0", "the nearest newer one, 0.116.0, stands in"),
        ("0.999.0", "the nearest older one, 0.171.0, stands in"),
        ("banana", "banana is no version number, so 0.171.0 stands in"),
    ],
)
def test_the_profile_that_stands_in_is_told_truly(
    run: Run, tmp_path: Path, version: str, words: str
) -> None:
    recording = made.recording(tmp_path)
    session = replace(recording.session, version=version)
    folder.write(replace(recording, session=session), tmp_path / "kept")
    assert words in run("verify", tmp_path / "kept")[2]


def test_piped_tables_are_as_wide_as_columns_says(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write(made.recording(tmp_path), tmp_path / "kept")
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, run("show", tmp_path / "kept")[1].splitlines())) <= 60
    monkeypatch.delenv("COLUMNS")
    assert max(map(len, run("show", tmp_path / "kept")[1].splitlines())) > 60


NESTED = "[" * 3000 + "]" * 3000


@pytest.mark.parametrize("client", ["codex", "claude-code"])
def test_workspace_files_nested_too_deeply_end_no_command(
    run: Run, tmp_path: Path, client: str
) -> None:
    skill = f"---\nname: x\ndescription: y\nmetadata: {NESTED}\n---\nhi\n"
    files = {
        ".codex/config.toml": f"a = {NESTED}\n",
        ".claude/settings.json": NESTED,
        "home/.codex/config.toml": f"a = {NESTED}\n",
        ".agents/skills/x/SKILL.md": skill,
        ".agents/skills/x/agents/openai.yaml": NESTED,
        ".claude/skills/x/SKILL.md": skill,
    }
    folder.write(made.recording(tmp_path), tmp_path / "kept")
    for name, text in files.items():
        path = tmp_path / ("" if name.startswith("home/") else "ws") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    turns = (tmp_path / "kept/turns.yaml").read_text(encoding="utf-8")
    turns = turns.replace("client: codex", f"client: {client}")
    (tmp_path / "turns.yaml").write_text(turns, encoding="utf-8")
    words = ["build", "--client", client, "--workspace", tmp_path / "ws"]
    words += ["--home", tmp_path / "home", "--turns", tmp_path / "turns.yaml"]
    code, out, _ = run(*words, "--out", tmp_path / "built")
    assert (code, out.count("\n")) == (0, 2)
