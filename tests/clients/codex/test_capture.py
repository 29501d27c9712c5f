"""What captured requests were for, and turns read from captures and from the client's record."""

import hashlib
import json
from typing import Any

import pytest

from inspector.clients.codex import CLIENT
from inspector.clients.codex.loose import compact
from inspector.clients.codex.replies import TRANSCRIPT
from inspector.session import Exchange, ExchangeKind
from inspector.turns import (
    Called,
    Failed,
    OtherBlock,
    Printed,
    Prompted,
    Ran,
    Replied,
    Returned,
    Said,
    Scripted,
)
from tests.clients.codex.stage import WS, world

_ENVIRONMENT = world().environment
_RESUMED = world(argv=("exec", "resume", "--last", "two")).environment


def _exchange(
    body: object, *, number: int = 1, response: bytes = b"", status: int = 200, **more: Any
) -> Exchange:
    data = json.dumps(body).encode()
    digest = hashlib.sha256(data).hexdigest()
    values: dict[str, Any] = {
        "id": str(number), "session": "s", "number": number, "method": "POST", "url": "http://h/v1/responses",
        "request_headers": (), "request_wire": data, "request": data, "request_sha256": digest,
        "wire_sha256": digest, "status": status, "response": response, "started": f"2026-11-29T10:00:0{number}+00:00",
        "kind": ExchangeKind.MAIN,
    }  # fmt: skip
    return Exchange(**{**values, **more})


def _user(*words: str) -> dict[str, Any]:
    return {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": w} for w in words],
    }


def _assistant(words: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "output_text", "text": words, "annotations": []}]
    return {"type": "message", "id": "msg_1", "role": "assistant", "content": content}


def _metadata(**values: str) -> dict[str, Any]:
    return {"client_metadata": {"x-codex-turn-metadata": json.dumps(values)}}


@pytest.mark.parametrize(
    ("exchange", "kind"),
    [
        (_exchange(_metadata(request_kind="turn")), "main"),
        (_exchange(_metadata(request_kind="compaction")), "compaction"),
        (_exchange(_metadata(thread_source="subagent")), "subagent"),
        (_exchange(_metadata(thread_source="thread_title")), "title"),
        (_exchange({"generate": False}), "warmup"),
        (_exchange({}, method="GET"), "aux"),
        (_exchange({"a": 1}, url="http://h/v1/models"), "aux"),
        (_exchange({"a": 1}, url="http://h/v1/responses/compact"), "compaction"),
    ],
)
def test_a_request_says_what_it_is_for(exchange: Exchange, kind: str) -> None:
    assert CLIENT.kind(exchange) == kind


_RAN = "Chunk ID: 0d0c80\nWall time: 0.0100 seconds\nProcess exited with code 3\nOriginal token count: 1\nOutput:\ndone"


def _stream(*found: dict[str, Any]) -> bytes:
    events = [{"type": "response.output_item.done", "item": item} for item in found]
    return "".join(f"event: x\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def test_turns_take_prompts_replies_and_results_from_a_capture() -> None:
    call = {
        "type": "function_call",
        "id": "fc_1",
        "name": "exec_command",
        "arguments": "{}",
        "call_id": "c1",
    }
    start = [
        _user(f"# AGENTS.md instructions for {WS}", "<environment_context>"),
        _user("one"),
        _user("<skill>\n<name>a"),
    ]
    output = {"type": "function_call_output", "id": "fco_1", "call_id": "c1", "output": _RAN}
    found = CLIENT.turns(
        [
            _exchange({"input": start}, response=_stream(call)),
            _exchange({"input": [*start, call, output]}, number=2, status=500),
            _exchange({"input": [*start, call, output]}, number=3),
        ],
        _ENVIRONMENT,
    )
    assert [turn.events for turn in found.turns] == [
        (Prompted(text="one"),),
        (
            Replied(blocks=(Called(id="c1", name="exec_command", input="{}", item_id="fc_1", raw=json.dumps(call, separators=(",", ":"))),)),
            Returned(call="c1", outcome=Ran(chunk="0d0c80", seconds="0.0100", code="3", printed=Printed(text="done"))),
        ),
        (Failed(status=500),),
    ]  # fmt: skip


def test_a_resumed_capture_begins_with_the_threads_history() -> None:
    history = [_user("one"), _assistant("A"), _user("# AGENTS.md instructions")]
    events = (
        CLIENT.turns([_exchange({"input": [*history, _user("two")]})], _RESUMED).turns[0].events
    )
    assert events == (
        Replied(id=TRANSCRIPT, blocks=tuple(OtherBlock(raw=compact(item)) for item in history)),
        Prompted(text="two"),
    )


def _line(stamp: int, kind: str, payload: dict[str, Any], **more: Any) -> str:
    return json.dumps(
        {
            "timestamp": f"2026-11-29T10:00:{stamp:02d}.000Z",
            "type": kind,
            "payload": payload,
            **more,
        }
    )


def _record() -> str:
    output = {
        "type": "custom_tool_call_output",
        "id": "ctco_1",
        "call_id": "c1",
        "output": "Script completed\nWall time 0.1 seconds\nOutput:\n",
    }
    typed = {
        "type": "UserMessage",
        "content": [{"type": "text", "text": "two\n\n<stdin>\nin\n</stdin>"}],
    }
    return "\n".join(
        [
            _line(1, "event_msg", {"type": "task_started"}),
            _line(2, "response_item", _user("one")),
            _line(3, "response_item", output, metadata={"fallback_token_limit_override": 4}),
            _line(4, "response_item", _assistant("A")),
            _line(10, "event_msg", {"type": "task_started"}),
            _line(11, "response_item", _user("two")),
            _line(11, "event_msg", {"type": "item_completed", "item": typed}),
        ]
    )


def test_a_goldens_turns_come_from_command_line_mock_and_record() -> None:
    reply = Replied(blocks=(Called(id="c1", name="exec", input="x", custom=True),))
    replies = [
        ("2026-11-29T10:00:02.500+00:00", reply),
        ("2026-11-29T10:00:03.500+00:00", Replied()),
    ]
    found = CLIENT.logged_turns(_ENVIRONMENT, replies, _record(), ())
    assert [turn.events for turn in found.turns] == [
        (Prompted(text="hello"),),
        (reply, Returned(call="c1", outcome=Scripted(state="completed", seconds="0.1"))),
    ]


def test_a_resumed_golden_begins_with_the_earlier_runs_last_reply_and_piped_text() -> None:
    found = CLIENT.logged_turns(_RESUMED, [("2026-11-29T10:00:12+00:00", Replied())], _record(), ())
    raw = json.dumps(_assistant("A"), separators=(",", ":"))
    assert found.turns[0].events == (
        Replied(blocks=(Said(text="A", id="msg_1", raw=raw),)),
        Prompted(text="two", stdin="in\n"),
    )


def test_paths_in_calls_are_named() -> None:
    from inspector.turns import Turn

    call = Called(
        id="c", name="exec", input='tools.exec_command({"cmd": "cat ../a/b.md ~/x/y /etc/z"})'
    )
    assert CLIENT.named_paths(Turn(events=(Replied(blocks=(call,)),)), _ENVIRONMENT) == (
        "/home/ann/a/b.md", "/home/ann/x/y", "/etc/z",
    )  # fmt: skip
