"""Replies of both dialects, whole and streamed, also cut off."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.turns import Called, Failed, OtherBlock, Replied, Said, Thought
from inspector.wire import named, reply

ANTHROPIC, OPENAI = named("anthropic"), named("openai")
SSE, JSON = "text/event-stream; charset=utf-8", "application/json"


def sse(*documents: Any) -> bytes:
    return b"".join(
        f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in documents
    )


def start(index: int, block: Any) -> Any:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, kind: str, **member: str) -> Any:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **member}}


USAGE = {
    "input_tokens": 10,
    "cache_creation_input_tokens": 100,
    "cache_read_input_tokens": 7,
    "output_tokens": 1,
}
BEGIN: Any = {
    "type": "message_start",
    "message": {"id": "msg_1", "type": "message", "content": [], "usage": USAGE},
}
END = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 5}}
MESSAGE: list[Any] = [
    BEGIN,
    {"type": "ping"},
    start(0, {"type": "thinking", "thinking": "", "signature": ""}),
    delta(0, "thinking_delta", thinking="hm"),
    delta(0, "thinking_delta", thinking="m"),
    delta(0, "signature_delta", signature="SIG"),
    {"type": "content_block_stop", "index": 0},
    start(1, {"type": "redacted_thinking", "data": "DATA"}),
    start(2, {"type": "text", "text": ""}),
    delta(2, "text_delta", text="smile \ud83d"),
    delta(2, "text_delta", text="\ude00"),
    start(3, {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}),
    delta(3, "input_json_delta", partial_json=""),
    delta(3, "input_json_delta", partial_json='{"n": 1.50, '),
    delta(3, "input_json_delta", partial_json='"a":1e3}'),
    start(4, {"type": "tool_use", "id": "toolu_2", "name": "Now", "input": {}}),
    start(5, {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}),
    delta(5, "input_json_delta", partial_json='{"query": "q"}'),
    END,
    {"type": "message_stop"},
]
BLOCKS = (
    Thought(text="hmm", signature="SIG"),
    Thought(redacted="DATA"),
    Said(text="smile 😀"),
    Called(id="toolu_1", name="Bash", input='{"n": 1.50, "a":1e3}'),
    Called(id="toolu_2", name="Now", input="{}"),
    OtherBlock(
        raw='{"type":"server_tool_use","id":"s","name":"web_search","input":{"query": "q"}}'
    ),
)
REPLIED = Replied(
    id="msg_1",
    blocks=BLOCKS,
    stop="tool_use",
    input_tokens=10,
    cache_read_tokens=7,
    cache_write_tokens=100,
    output_tokens=5,
)


def test_a_streamed_message_is_put_together() -> None:
    assert reply(ANTHROPIC, sse(*MESSAGE), SSE) == REPLIED
    assert reply(ANTHROPIC, sse(*MESSAGE)) == REPLIED


def test_a_whole_message_keeps_its_inputs_as_they_are_written() -> None:
    body = b'{"id":"msg_2","type":"message","role":"assistant","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"x","name":"n","input":{"b": 1.50,"2":1e2}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}}'
    blocks = (Said(text="t"), Called(id="x", name="n", input='{"b": 1.50,"2":1e2}'))
    assert reply(ANTHROPIC, body, JSON) == Replied(
        id="msg_2", blocks=blocks, stop="tool_use", input_tokens=3, output_tokens=4
    )


def test_a_stream_cut_off_gives_what_was_there() -> None:
    cut = sse(*MESSAGE[:14])[:-20]
    blocks = (*BLOCKS[:3], Called(id="toolu_1", name="Bash", input="{}"))
    assert reply(ANTHROPIC, cut, SSE) == Replied(
        id="msg_1",
        blocks=blocks,
        stop="truncated",
        unfinished=True,
        input_tokens=10,
        cache_read_tokens=7,
        cache_write_tokens=100,
        output_tokens=1,
    )
    part = reply(ANTHROPIC, sse(*MESSAGE[:14]), SSE)
    assert isinstance(part, Replied)
    assert part.blocks[-1] == Called(id="toolu_1", name="Bash", input='{"n": 1.50, ')


@given(st.integers(0, len(sse(*MESSAGE)) - 1))
def test_a_message_cut_anywhere_is_truncated_or_nothing(size: int) -> None:
    part = reply(ANTHROPIC, sse(*MESSAGE)[:size], SSE)
    assert part is None or (
        isinstance(part, Replied)
        and part.stop in {"truncated", "tool_use"}
        and len(part.blocks) <= len(BLOCKS)
    )
    if part is not None and part.stop == "tool_use":
        # A reply that says why it stopped is whole, whether or not its stream was closed.
        assert part == REPLIED


def test_a_block_that_was_not_closed_is_unfinished() -> None:
    blocks = [
        reply(ANTHROPIC, sse(*MESSAGE[:number]), SSE) for number in range(1, len(MESSAGE) + 1)
    ]
    states = [
        (part.stop, part.unfinished, len(part.blocks))
        for part in blocks
        if isinstance(part, Replied)
    ]
    assert states[0] == ("truncated", False, 0)
    assert ("truncated", True, 1) in states
    assert states[-1] == ("tool_use", False, len(BLOCKS))


def test_cited_words_are_kept_with_their_citations() -> None:
    cited = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "citations_delta", "citation": {"n": 1}},
    }
    begun = start(0, {"type": "text", "text": "", "citations": []})
    found = reply(ANTHROPIC, sse(BEGIN, begun, cited, delta(0, "text_delta", text="a"), cited), SSE)
    assert isinstance(found, Replied)
    assert found.blocks == (
        Said(text="a", raw='{"type":"text","text":"a","citations":[{"n": 1},{"n": 1}]}'),
    )
    plain = reply(ANTHROPIC, sse(BEGIN, begun, delta(0, "text_delta", text="a")), SSE)
    assert isinstance(plain, Replied)
    assert plain.blocks == (Said(text="a"),)


def test_words_with_a_lone_surrogate_are_kept_as_raw_json() -> None:
    lone = sse(
        BEGIN,
        start(0, {"type": "text", "text": ""}),
        delta(0, "text_delta", text="a\ud83d"),
        {"type": "message_stop"},
    )
    found = reply(ANTHROPIC, lone, SSE)
    assert isinstance(found, Replied)
    assert found.blocks == (OtherBlock(raw='{"type":"text","text":"a\\ud83d"}'),)


@pytest.mark.parametrize(
    ("body", "kind", "status", "expected"),
    [
        (
            b'{"type":"error","error":{"type":"overloaded_error","message":"m"}}',
            JSON,
            529,
            Failed(status=529),
        ),
        (b'{"type":"error","error":{"type":"rate_limit_error"}}', JSON, 200, Failed(status=429)),
        (b'{"type":"error","error":{"type":"new_error"}}', JSON, 200, Failed(status=500)),
        (
            sse(BEGIN, {"type": "error", "error": {"type": "overloaded_error"}}),
            SSE,
            200,
            Failed(status=529),
        ),
        (b"<html>", "text/html", 502, Failed(status=502)),
        (b"", "", 500, Failed(status=500)),
        (b"", SSE, 503, Failed(status=503)),
        (b"", "", 200, None),
        (b"", SSE, 200, None),
        (b"[]", JSON, 200, None),
        (b'{"input_tokens":12}', JSON, 200, None),
        (b"\xff\xfe", JSON, 200, None),
    ],
)
def test_failures_of_the_messages_api(
    body: bytes, kind: str, status: int, expected: Failed | None
) -> None:
    assert reply(ANTHROPIC, body, kind, status) == expected


ITEMS: list[Any] = [
    {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "why"}],
        "encrypted_content": "ENC",
    },
    {
        "type": "message",
        "role": "assistant",
        "id": "msg_1",
        "content": [
            {"type": "output_text", "text": "hel", "annotations": []},
            {"type": "output_text", "text": "lo"},
        ],
    },
    {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": "exec",
        "namespace": "functions",
        "arguments": '{"n": 1.50}',
    },
    {
        "type": "custom_tool_call",
        "id": "ctc_1",
        "call_id": "call_2",
        "name": "apply",
        "input": "*** Begin",
    },
    {"type": "web_search_call", "id": "ws_1", "status": "completed"},
]
RAWS = [json.dumps(item) for item in ITEMS]
OPENAI_BLOCKS = (
    Thought(text="why", signature="ENC", id="rs_1", raw=RAWS[0]),
    Said(text="hello", id="msg_1", raw=RAWS[1]),
    Called(
        id="call_1",
        name="exec",
        input='{"n": 1.50}',
        item_id="fc_1",
        namespace="functions",
        raw=RAWS[2],
    ),
    Called(id="call_2", name="apply", input="*** Begin", item_id="ctc_1", custom=True, raw=RAWS[3]),
    OtherBlock(raw=RAWS[4]),
)
RESPONSE = {
    "id": "resp_1",
    "status": "completed",
    "usage": {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 2},
        "output_tokens": 5,
    },
}
RESPONSES = [
    {"type": "response.created", "response": {"id": "resp_1"}},
    *[
        {"type": kind, "output_index": n, "item": item}
        for n, item in enumerate(ITEMS)
        for kind in ("response.output_item.added", "response.output_item.done")
    ],
    {"type": "response.completed", "response": RESPONSE},
]
OPENAI_REPLIED = Replied(
    id="resp_1",
    blocks=OPENAI_BLOCKS,
    stop="completed",
    input_tokens=10,
    cache_read_tokens=4,
    cache_write_tokens=2,
    output_tokens=5,
)


def test_a_streamed_response_is_put_together_from_its_finished_items() -> None:
    assert reply(OPENAI, sse(*RESPONSES), SSE) == OPENAI_REPLIED


def test_a_whole_response_gives_the_same() -> None:
    body = json.dumps({**RESPONSE, "error": None, "output": ITEMS}).encode()
    assert reply(OPENAI, body, JSON) == OPENAI_REPLIED


def test_a_response_whose_items_come_only_at_its_end_is_read_from_there() -> None:
    stream = sse(
        RESPONSES[0], {"type": "response.completed", "response": {**RESPONSE, "output": ITEMS}}
    )
    assert reply(OPENAI, stream, SSE) == OPENAI_REPLIED


@given(st.integers(0, len(sse(*RESPONSES)) - 1))
def test_a_response_cut_anywhere_keeps_its_finished_items(size: int) -> None:
    part = reply(OPENAI, sse(*RESPONSES)[:size], SSE)
    assert part is None or (
        isinstance(part, Replied)
        and part.stop == "truncated"
        and part.blocks == OPENAI_BLOCKS[: len(part.blocks)]
    )


def test_an_incomplete_response_says_why() -> None:
    response = {
        "id": "r",
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
    }
    assert reply(
        OPENAI, sse({"type": "response.incomplete", "response": response}), SSE
    ) == Replied(id="r", stop="max_output_tokens")


@pytest.mark.parametrize(
    ("body", "kind", "status", "expected"),
    [
        (
            sse(
                {"type": "response.failed", "response": {"error": {"code": "rate_limit_exceeded"}}}
            ),
            SSE,
            200,
            Failed(status=429),
        ),
        (sse({"type": "error", "code": "server_is_overloaded"}), SSE, 200, Failed(status=503)),
        (b'{"error":{"message":"m","code":null}}', JSON, 401, Failed(status=401)),
        (b'{"error":{"message":"m"}}', JSON, 200, Failed(status=500)),
        (b"boom", "", 500, Failed(status=500)),
        (b"", SSE, 200, None),
        (b'{"models":[]}', JSON, 200, None),
    ],
)
def test_failures_of_the_responses_api(
    body: bytes, kind: str, status: int, expected: Failed | None
) -> None:
    assert reply(OPENAI, body, kind, status) == expected


@pytest.mark.parametrize(
    ("results", "judged"),
    [
        ({}, False),
        ({"safeguard_results": None}, False),
        ({"safeguard_results": [{"type": "t", "status": {"type": "unsupported"}}]}, False),
        ({"safeguard_results": [{"type": "t", "status": {"type": "available"}}]}, True),
    ],
)
def test_a_reply_is_judged_where_verdicts_came_with_it(results: Any, judged: bool) -> None:
    end: Any = {"type": "message_delta", "delta": {"stop_reason": "end_turn", **results}}
    streamed = reply(ANTHROPIC, sse(BEGIN, end, {"type": "message_stop"}), SSE)
    whole = {**BEGIN["message"], "stop_reason": "end_turn", **results}
    for found in (streamed, reply(ANTHROPIC, json.dumps(whole).encode(), JSON)):
        assert isinstance(found, Replied)
        assert found.judged is judged
