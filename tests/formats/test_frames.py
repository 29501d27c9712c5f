"""WebSocket messages as server-sent events."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats import frames
from inspector.wire.sse import events

TEXTS = st.text(alphabet=st.characters(codec="utf-8"))
OBJECTS = st.dictionaries(st.sampled_from(["type", "x"]), TEXTS).map(json.dumps)
MESSAGES = st.one_of(st.binary(), TEXTS.map(str.encode), OBJECTS.map(str.encode))


@given(st.lists(MESSAGES))
def test_messages_come_back_byte_for_byte(sent: list[bytes]) -> None:
    assert frames.messages(b"".join(map(frames.event, sent))) == sent


@given(st.lists(OBJECTS))
def test_a_reader_of_events_gets_each_json_message(sent: list[str]) -> None:
    found, cut = events(b"".join(frames.event(text.encode()) for text in sent))
    assert ([event.data for event in found], cut) == (sent, False)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (b'{"type":"error","error":{"type":"x"}}', "error"),
        (b' { "type" : "response.done" }', "response.done"),
        (b'{"item":{"type":"error"},"type":"response.created"}', "response.created"),
        (b'{"item":{"type":"error"}}', ""),
        (b'{"type":"a\\nb"}', ""),
        (b'{"type":1}', ""),
        (b'"type"', ""),
        (b"\xff", ""),
        (b"[" * 100_000, ""),
    ],
)
def test_a_message_is_known_by_its_own_type_alone(message: bytes, kind: str) -> None:
    assert frames.kind(message) == kind


@pytest.mark.parametrize(
    ("name", "asks", "ends"),
    [
        ("response.create", True, False),
        ("response.cancel", False, False),
        ("response.created", False, False),
        ("response.output_item.done", False, False),
        ("response.completed", False, True),
        ("response.incomplete", False, True),
        ("response.failed", False, True),
        ("error", False, True),
    ],
)
def test_only_a_create_asks_and_only_an_end_ends(name: str, asks: bool, ends: bool) -> None:
    message = json.dumps({"type": name, "response": {"type": "response.completed"}}).encode()
    assert (frames.asks(message), frames.ends(message)) == (asks, ends)
