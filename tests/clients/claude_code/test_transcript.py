"""Turns of a golden, from the client's transcript and the logs."""

import json
from pathlib import Path

from inspector.clients import McpCall
from inspector.clients.claude_code import transcript
from inspector.turns import Called, Prompted, Replied, Returned, Said
from tests.clients.claude_code.place import Place, called, said


def _lines(*lines: object) -> str:
    return "\n".join(json.dumps(line) for line in lines) + "\nnot json\n"


def _result(call: str, content: object, **more: object) -> dict[str, object]:
    block = {"type": "tool_result", "tool_use_id": call, "content": content, **more}
    return {"type": "user", "message": {"role": "user", "content": [block]}}


def test_outcomes_come_in_the_order_of_the_record(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "hello")).write({})
    calls = Replied(
        id="m",
        blocks=(
            Called(id="a", name="Bash", input="{}"),
            Called(id="b", name="mcp__s__t", input="{}"),
            Called(id="c", name="Skill", input="{}"),
        ),
    )
    record = _lines(
        _result("b", "as the client wrote it"),
        _result("a", "failed", is_error=True),
        _result("c", "Launching skill: x"),
        {
            "type": "user",
            "isMeta": True,
            "sourceToolUseID": "c",
            "message": {"content": [{"type": "text", "text": "the body"}]},
        },
        {"type": "user", "isSidechain": True, **_result("a", "of a sub-agent")},
    )
    log = [McpCall("s", "other", "{}", "no"), McpCall("s", "t", "{}", '{"content":[]}')]
    replies = [("t0", calls), ("t1", said(2, "done"))]
    turns = transcript.turns(place.environment(), replies, record, log).turns
    assert [turn.at for turn in turns] == ["t0", "t1"]
    assert turns[0].events == (Prompted(text="hello"),)
    assert turns[1].events == (
        calls,
        Returned(call="b", raw='{"content":[]}'),
        Returned(call="a", text="failed", error=True),
        Returned(call="c", text="the body"),
    )


def test_a_resumed_run_begins_with_the_last_reply_that_is_not_its_own(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "more", "--continue")).write({})
    usage = {"input_tokens": 10, "cache_creation_input_tokens": 100, "output_tokens": 5}

    def line(ident: str, text: str) -> dict[str, object]:
        content = [{"type": "text", "text": text}]
        return {"type": "assistant", "message": {"id": ident, "content": content, "usage": usage}}

    record = _lines(line("old1", "a"), line("old2", "b"), line("old2", "c"), line("msg_1", "own"))
    turns = transcript.turns(place.environment(), [("t", called(1, "Bash"))], record, []).turns
    assert turns[0].events == (
        Replied(
            id="old2",
            blocks=(Said(text="b"), Said(text="c")),
            input_tokens=10,
            cache_write_tokens=100,
            output_tokens=5,
        ),
        Prompted(text="more"),
    )
