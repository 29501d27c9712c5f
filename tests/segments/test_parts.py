"""What the parts of a body are, in both dialects."""

from typing import Any

import pytest

from inspector.segments import Param
from inspector.wire import split
from tests.segments.requests import ANTHROPIC, OPENAI, dump, key, messages, outline


def test_segments_stand_in_wire_order_and_params_are_the_rest() -> None:
    body: Any = {
        "model": "m",
        "messages": [
            {"role": "user", "content": "q"},
            {
                "role": "system",
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            },
        ],
        "system": [{"type": "text", "text": "s"}],
        "tools": [],
        "stream": True,
    }
    prompt = split(dump(body))
    assert outline(prompt) == [
        ("/messages/0/content", "messages", "user", True),
        ("/messages/1/content/0", "messages", "system", True),
        ("/messages/1/content/1", "messages", "system", False),
        ("/system/0", "system", None, False),
    ]
    assert prompt.params == (
        Param("model", "string", b'"m"', 0),
        Param("stream", "true", b"true", 4),
    )
    assert (prompt.model, prompt.dialect, prompt.unknown) == ("m", ANTHROPIC, ())


def test_an_empty_message_is_one_empty_segment() -> None:
    prompt = messages([], "")
    assert outline(prompt) == [
        ("/messages/0/content", "messages", "user", True),
        ("/messages/1/content", "messages", "user", True),
    ]
    assert [segment.raw for segment in prompt.segments] == [b"[]", b'""']


def test_tools_nested_in_items_and_namespaces_are_segments() -> None:
    functions: Any = [{"type": "function", "name": name, "parameters": {}} for name in "ab"]
    spaces: Any = [
        {"type": "namespace", "name": "n", "description": "d", "tools": functions},
        {"type": "custom", "name": "c"},
        {"type": "namespace", "name": "e", "tools": []},
    ]
    body: Any = {
        "type": "response.create",
        "model": "m",
        "instructions": "i",
        "tools": [spaces[0]],
        "input": [{"type": "additional_tools", "id": "at_1", "role": "developer", "tools": spaces}],
    }
    prompt = split(dump(body))
    assert prompt.dialect is OPENAI
    assert outline(prompt) == [
        ("/instructions", "system", "developer", False),
        ("/tools/0/tools/0", "tools", None, False),
        ("/tools/0/tools/1", "tools", None, False),
        ("/input/0/tools/0/tools/0", "tools", "developer", True),
        ("/input/0/tools/0/tools/1", "tools", "developer", False),
        ("/input/0/tools/1", "tools", "developer", False),
        ("/input/0/tools/2", "tools", "developer", False),
    ]
    renamed = split(dump(body).replace(b'"description":"d"', b'"description":"D"'))
    same = [
        one.key == other.key for one, other in zip(prompt.segments, renamed.segments, strict=True)
    ]
    assert same == [True, False, False, False, False, True, True]


def test_the_items_of_a_conversation_are_segments() -> None:
    items: Any = [
        {
            "type": "message",
            "id": "m1",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "q"},
                {"type": "input_image", "image_url": "data:"},
            ],
        },
        {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "e"},
        {"type": "function_call", "id": "f", "call_id": "c", "name": "n", "arguments": "{}"},
        {
            "type": "function_call_output",
            "id": "o",
            "call_id": "c",
            "output": [{"type": "input_text", "text": "r"}],
        },
        {"role": "assistant", "content": "a"},
    ]
    prompt = split(dump({"model": "m", "input": items}))
    assert outline(prompt) == [
        ("/input/0/content/0", "messages", "user", True),
        ("/input/0/content/1", "messages", "user", False),
        ("/input/1", "messages", "assistant", True),
        ("/input/2", "messages", "assistant", True),
        ("/input/3", "messages", "tool", True),
        ("/input/4/content", "messages", "assistant", True),
    ]
    assert prompt.unknown == ()
    bare = split(dump({"model": "m", "input": "q"}))
    assert key(bare) == key(
        split(
            dump(
                {
                    "model": "m",
                    "input": [
                        {
                            "type": "message",
                            "role": "user",
                            "content": [{"type": "input_text", "text": "q"}],
                        }
                    ],
                }
            )
        )
    )
    assert (
        prompt.segments[5].key
        == split(
            dump(
                {
                    "model": "m",
                    "input": [
                        {"role": "assistant", "content": [{"type": "output_text", "text": "a"}]}
                    ],
                }
            )
        )
        .segments[0]
        .key
    )


def test_unknown_fields_are_kept_and_reported() -> None:
    content = [
        {"type": "text", "text": "t", "new": 1},
        {"type": "hologram"},
        {
            "type": "tool_result",
            "tool_use_id": "t",
            "content": [{"type": "text", "text": "r", "x/y": 1}],
        },
    ]
    tools: Any = [{"name": "n", "input_schema": {}, "shiny": True}]
    body: Any = {
        "max_tokens": 1,
        "messages": [{"role": "user", "content": content, "mood": "good"}, {"role": "user"}],
        "tools": tools,
        "turbo": 1,
    }
    assert split(dump(body)).unknown == (
        "/turbo",
        "/messages/0/mood",
        "/messages/0/content/0/new",
        "/messages/0/content/1/type",
        "/messages/0/content/2/content/0/x~1y",
        "/messages/1",
        "/tools/0/shiny",
    )
    items: Any = [
        {"type": "message", "role": "user", "content": [{"type": "smell"}], "x": 1},
        {"type": "teleport"},
        5,
    ]
    assert split(dump({"model": "m", "input": items, "warp": 9})).unknown == (
        "/warp",
        "/input/0/x",
        "/input/0/content/0/type",
        "/input/1/type",
        "/input/2",
    )
    assert split(b'{"messages":[],"messages":[]}').unknown == ("/messages",)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "not JSON (ends too early, at byte 0)"),
        (b"[1]", "no model request: a JSON array"),
        (b"{}", "no model request: a JSON object of nothing"),
        (b'{"events":[]}', "no model request: a JSON object of events"),
        (b'{"messages":[],"max_tokens":1}x', "not JSON (unexpected text at byte 30)"),
        (b'{"messages":["\xff"]}', "not JSON (no UTF-8 at byte 14)"),
        (
            b'{"model":"m","messages":[],"max_completion_tokens":1}',
            "no model request: a JSON object of model, messages, max_completion_tokens",
        ),
        (
            b'{"model":"m","input":"x","encoding_format":"float"}',
            "no model request: a JSON object of model, input, encoding_format",
        ),
    ],
)
def test_a_body_that_is_no_model_request_is_kept_with_the_reason(body: bytes, problem: str) -> None:
    prompt = split(body)
    assert (prompt.body, prompt.segments, prompt.problem, prompt.params) == (body, (), problem, ())


def test_a_pointer_into_a_segment_finds_it() -> None:
    prompt = messages([{"type": "text", "text": "a"}], "b")
    assert [
        one and one.path
        for one in map(
            prompt.at,
            ("/messages/0/content/0/text", "/messages/1/content", "/messages/2", "/model"),
        )
    ] == ["/messages/0/content/0", "/messages/1/content", None, None]
