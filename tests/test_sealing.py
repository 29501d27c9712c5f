"""Sealed for strangers, a recording tells nothing; sealed for friends, it works as before."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector import folder, sealing
from inspector.session import PRIVATE, FileVersion, Recording, Snapshot
from inspector.workspace import Environment, Listing
from tests.commands import Run
from tests.golden.scenario import ROOT

GOLDEN = ROOT / "captures/claude-code/2.1.332"
CODEX = ROOT / "captures/codex/0.171.0"
COUNT = 200


def document(out: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)
    return found


def test_of_200_planted_texts_a_private_seal_tells_none(tmp_path: Path) -> None:
    made = sealing.private_copy(planted(canaries()))
    folder.write(made, tmp_path / "sealed")
    files = [file for file in (tmp_path / "sealed").rglob("*") if file.is_file()]
    written = (
        b"\n".join([file.read_bytes() for file in files]) + "\n".join(map(str, files)).encode()
    )
    assert [one for one in canaries() if one.encode() in written] == []
    assert [
        one for one in canaries() if re.search(one, written.decode(errors="replace"), re.IGNORECASE)
    ] == []
    assert len(json.loads(made.exchanges[0].request)["messages"]) == 3


def canaries() -> list[str]:
    chance = random.Random(10)
    return ["".join(chance.choices("bcdfghjklmnpqrstvwxz", k=14)) for _ in range(COUNT)]


def planted(words: list[str]) -> Recording:
    """A recording with each of the texts in some place; the last places take all that are left."""
    left = iter(words)

    def one() -> str:
        return next(left)

    start = folder.read(GOLDEN / "cache_6turn/r0")
    exchange = start.exchanges[0]
    tool = {
        "name": f"mcp__{one()}__{one()}", "description": f"does {one()}",
        "input_schema": {"type": "object", "properties": {one(): {"type": "string", "default": one(), "enum": [one()]}}, "required": [one()]},
    }  # fmt: skip
    used = {
        "type": "tool_use",
        "id": one(),
        "name": one(),
        "input": {one(): one(), "deep": [{one(): [one(), 12]}]},
    }
    said = [
        {"role": "user", "content": [{"type": "text", "text": f"prompt {one()}\n/home/{one()}/{one()}.py", "cache_control": {"type": "ephemeral", "ttl": "1h"}}]},
        {"role": "assistant", "content": [used, {"type": "thinking", "thinking": one(), "signature": one()}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": one(), "content": f'{one()}\\n\t"{one()}" é{one()}'}]},
    ]  # fmt: skip
    body = {
        "model": "claude-opus-4-5", "messages": said, "system": [{"type": "text", "text": f"# {one()}\nrule {one()}"}],
        "tools": [tool], "metadata": {"user_id": json.dumps({"device_id": one(), one(): one()})}, one(): one(),
    }  # fmt: skip
    events = "".join(
        f"event: content_block_delta\ndata: {json.dumps({'type': 'content_block_delta', 'index': 0, 'delta': {'type': 'text_delta', 'text': one()}})}\n\n"
        for _ in range(10)
    )
    first = replace(
        exchange, request=json.dumps(body).encode(), request_wire=one().encode(),
        response=f': {one()}\nevent: {one()}\ndata: {one()}\n\n{events}data: {{"broken {one()}\n'.encode(),
        request_headers=((f"x-{one()}", one()), ("User-Agent", f"claude-cli/2.1.332 (external, {one()})"), ("anthropic-beta", f"a-2025-01-01,{one()}"), ("authorization", one())),
        response_headers=((one(), one()), ("content-type", f"text/{one()}")),
        url=f"https://{one()}.example/{one()}/v1/messages?{one()}={one()}", error=f"no way to {one()}",
    )  # fmt: skip
    second = replace(exchange, id="second", number=2, request=b"no JSON " + one().encode(), response=json.dumps({one(): one()}).encode())  # fmt: skip
    environment = Environment(
        client="claude-code", version=one(), cwd=f"/{one()}", home=f"/{one()}", config_home=f"/{one()}", date="2026-11-29",
    )  # fmt: skip
    rest = list(left)
    snapshot = Snapshot(
        environment,
        {f"/{path}": (FileVersion("", text.encode()),) for path, text in zip(rest[::2], rest[1::2], strict=True)},
        listings=(Listing(server=rest[0], tools=json.dumps([rest[1]])),), notes=(rest[2],),
    )  # fmt: skip
    session = replace(start.session, conversation=rest[3], version=f"2.1 {rest[4]}")
    return Recording(session, (first, second), snapshot)


@pytest.mark.parametrize(
    "golden", [GOLDEN / "cache_6turn/r0", GOLDEN / "stream_tls/r0", CODEX / "mcp_results/r0"]
)
def test_a_private_seal_diffs_and_simulates_the_cache_as_the_recording_does(
    run: Run, tmp_path: Path, golden: Path
) -> None:
    sealed = tmp_path / "sealed"
    assert run("seal", golden, "--private", "--out", sealed)[0] == 0
    found = [document(run("cache", name, "--json")[1]) for name in (golden, sealed)]
    for told in found:
        for turn in told["turns"]:
            turn.pop("first_change", None)
        assert len(told["turns"]) > 1
    keys = ("exchange", "verdict", "prefix_segments", "prefix_bytes", "predicted", "usage")
    turns = [[{key: turn[key] for key in keys} for turn in told["turns"]] for told in found]
    assert turns[0] == turns[1]
    rules = [[item["rule"] for item in told["findings"]] for told in found]
    assert rules[0] == rules[1]
    diffs = [
        document(run("diff", f"{name}:m1", f"{name}:m2", "--json")[1]) for name in (golden, sealed)
    ]
    members = ("verdict", "section", "bytes", "tokens_estimate")
    changes = [
        [{key: change[key] for key in members} for change in one["changes"]] for one in diffs
    ]
    assert changes[0] == changes[1] != []


def test_a_private_seal_is_refused_by_verify_and_replay_in_one_line(
    run: Run, tmp_path: Path
) -> None:
    sealed = tmp_path / "sealed"
    run("seal", GOLDEN / "cache_6turn/r0", "--private", "--out", sealed)
    assert folder.read(sealed).session.source == PRIVATE
    for words in (
        ("verify", sealed),
        ("replay", sealed),
        ("seal", sealed, "--out", tmp_path / "b"),
    ):
        code, out, err = run(*words)
        assert (code, "--private" in out + err) == (2, True)
        assert err.count("\n") <= 1


@pytest.mark.parametrize("golden", [GOLDEN / "cache_6turn/r0", GOLDEN / "login_oauth/r0"])
def test_a_seal_verifies_as_the_recording_does_and_holds_no_account_id(
    run: Run, tmp_path: Path, golden: Path
) -> None:
    sealed = tmp_path / "sealed"
    assert run("seal", golden, "--out", sealed)[0] == 0
    before, after = (document(run("verify", name, "--json")[1]) for name in (golden, sealed))
    keys = ("exchange", "kind", "exact", "bytes", "differences")
    rows = [
        [{key: row[key] for key in keys} for row in told["sessions"][-1]["requests"]]
        for told in (before, after)
    ]
    assert rows[0] == rows[1] != []
    body = next(iter(folder.read(golden).exchanges)).request.decode()
    ids = re.findall(r'(?:device_id|session_id|account_uuid)\\": ?\\"([0-9a-f-]{32,64})', body)
    assert ids
    written = "".join(
        file.read_text(encoding="utf-8") for file in sealed.rglob("*") if file.is_file()
    )
    assert [one for one in ids if one in written] == []


def test_what_a_seal_would_leave_is_told(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("seal", GOLDEN / "cache_6turn/r0", "--check", "--json")
    told = document(out)["left"]
    assert (code, [item["what"] for item in told["seal --private"]]) == (
        0, ["times, sizes, model names, the client and its version, usage"],
    )  # fmt: skip
    assert "files of the workspace and the home folder" in {item["what"] for item in told["seal"]}
    (tmp_path / "notes.txt").write_text(f"key sk-ant-api03-{'Zq9_' * 12}\n")
    code, out, _ = run("seal", tmp_path / "notes.txt", "--check")
    assert (code, out) == (1, "as it is:\n  1 x secrets\n")
