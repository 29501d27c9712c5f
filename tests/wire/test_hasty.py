"""Tool calls read in a hurry are those that the whole reading finds."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector import named
from inspector.turns import Called, Replied
from inspector.wire import calls, reply, split
from inspector.wire import named as dialect
from tests.wire.test_replies import ANTHROPIC, JSON, MESSAGE, SSE, sse

ROOT = Path(__file__).parents[2] / "captures"
OPENAI = dialect("openai")
ITEM: dict[str, Any] = {
    "type": "function_call",
    "call_id": "call_1",
    "name": "shell",
    "arguments": '{"command":"cat a.py"}',
}
PATCH: dict[str, Any] = {
    "type": "custom_tool_call",
    "call_id": "call_2",
    "name": "apply_patch",
    "input": "*** Add File: b.py",
}


def told(call: Called) -> tuple[str, str, object]:
    """What a call says, its input as a value."""
    try:
        return call.id, call.name, json.loads(call.input)
    except ValueError:
        return call.id, call.name, call.input


def whole(found: object) -> list[tuple[str, str, object]]:
    blocks = found.blocks if isinstance(found, Replied) else ()
    return [told(block) for block in blocks if isinstance(block, Called)]


@pytest.mark.parametrize("client", ["claude-code/2.1.332", "codex/0.171.0"])
def test_every_recorded_answer_has_the_calls_that_the_whole_reading_finds(client: str) -> None:
    seen = 0
    for place in named.recordings(ROOT / client):
        for exchange in named.find(str(place), Path("unused")).recording.exchanges:
            spoken = split(exchange.request).dialect
            if spoken is None:
                continue
            form = dict(exchange.response_headers).get("content-type", "")
            given_ = (spoken, exchange.response, form, exchange.status or 0)
            assert [told(call) for call in calls(*given_)] == whole(reply(*given_)), place
            seen += len(calls(*given_))
    assert seen > 20


@given(st.integers(0, len(sse(*MESSAGE))))
def test_a_stream_cut_anywhere_has_the_same_calls_both_ways(size: int) -> None:
    cut = sse(*MESSAGE)[:size]
    assert [call.id for call in calls(ANTHROPIC, cut, SSE)] in (
        [one for one, *_ in whole(reply(ANTHROPIC, cut, SSE))],
        [one for one, *_ in whole(reply(ANTHROPIC, cut + b"\n\n", SSE))],  # its last line is whole
    )


@pytest.mark.parametrize("items", [[ITEM], [PATCH], [ITEM, PATCH], [{"type": "reasoning"}, ITEM]])
def test_items_of_a_response_are_found_in_a_stream_and_in_a_document(items: list[Any]) -> None:
    done = [{"type": "response.output_item.done", "item": item} for item in items]
    end = {"type": "response.completed", "response": {"id": "r", "output": items}}
    document = json.dumps({"id": "r", "status": "completed", "output": items}).encode()
    for given_ in ((sse(*done, end), SSE), (sse(end), SSE), (document, JSON)):
        found = calls(OPENAI, *given_)
        assert [told(call) for call in found] == whole(reply(OPENAI, *given_))
        assert len(found) == sum(item in (ITEM, PATCH) for item in items)


@pytest.mark.parametrize(
    "body",
    [
        b'{"type":"message","content":"tool_use"}',
        b'{"type":"message","content":[7,{"type":"tool_use"}]}',
        b'["tool_use"]',
        b'"tool_use"',
        b"tool_use",
        b'{"type":"message","content":[' + b"[" * 100_000 + b'"tool_use"',
        b'{"type":"message","content":[{"type":"tool_use","id":"\\ud83d","name":"n","input":{}}]}',
    ],
)
def test_an_answer_of_another_shape_is_read_as_a_whole(body: bytes) -> None:
    assert [told(call) for call in calls(ANTHROPIC, body, JSON)] == whole(
        reply(ANTHROPIC, body, JSON)
    )


def test_a_text_about_tools_calls_none() -> None:
    text = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 'a "tool_use" block with partial_json'}},
    ]  # fmt: skip
    assert calls(ANTHROPIC, sse(*MESSAGE[:1], *text), SSE) == ()
