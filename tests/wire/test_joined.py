"""The joined view of requests on a WebSocket."""

import json
from typing import Any

import pytest

from inspector import diff, wire
from inspector.diff import Side
from inspector.formats import frames
from inspector.session import WEBSOCKET, Exchange
from inspector.wire.joined import joined

SAID = b'{"type":"message","id":"m1","role":"assistant","content":[]}'
PARAMS = {"model": "m", "stream": True}


def item(text: str) -> dict[str, Any]:
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content}


def exchange(name: str, request: object, *answers: bytes, method: str = WEBSOCKET) -> Exchange:
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    response = b"".join(map(frames.event, answers))
    url = "https://api.openai.com/v1/responses"
    return Exchange(name, "s", 1, method, url, (), body, body, "", "", 101, response=response)


def create(*items: object, **members: object) -> dict[str, object]:
    return {"type": "response.create", **PARAMS, **members, "input": list(items)}


def answer(identity: str, *items: bytes) -> list[bytes]:
    created = b'{"type":"response.created","response":{"id":"%s"}}' % identity.encode()
    done = [b'{"type":"response.output_item.done","item":%s}' % raw for raw in items]
    return [created, *done, created.replace(b"created", b"completed")]


SESSION = [
    exchange("warm", create(generate=False), *answer("r1")),
    exchange("first", create(item("hello"), previous_response_id="r1"), *answer("r2", SAID)),
    exchange("second", create(item("more"), previous_response_id="r2"), *answer("r3")),
]


def test_a_request_is_joined_with_all_it_goes_on_from_in_the_words_of_each_side() -> None:
    view = joined(SESSION)["second"]
    items = b"[%s]" % b",".join(
        [json.dumps(item("hello")).encode(), SAID, json.dumps(item("more")).encode()]
    )
    assert view.body == b'{"model":"m","stream":true,"input":%s}' % items
    assert (view.frames, view.missing) == (("warm", "first", "second"), "")


def test_a_request_that_goes_on_from_nothing_is_itself_without_its_type() -> None:
    again = exchange("again", create(item("hello")), *answer("r9"))
    whole = joined([*SESSION, again])["again"]
    assert json.loads(whole.body) == {**PARAMS, "input": [item("hello")]}
    assert whole.frames == ("again",)


def test_a_response_that_is_not_at_hand_is_named_also_for_what_goes_on_from_there() -> None:
    views = joined(SESSION[1:])
    assert [views[name].missing for name in ("first", "second")] == ["r1", "r1"]


def test_numbers_escapes_and_order_stay_as_they_were_sent() -> None:
    body = b'{ "type":"response.create", "x":1e2, "input":[ {"a":"\\u00e9", "b":1.50} ], "y":-0}'
    view = joined([exchange("one", body)])["one"]
    assert view.body == b'{"x":1e2,"input":[{"a":"\\u00e9", "b":1.50}],"y":-0}'


@pytest.mark.parametrize(
    "other",
    [
        exchange("other", {"type": "response.processed"}),
        exchange("other", b"no json"),
        exchange("other", create(item("x")), method="POST"),
    ],
)
def test_what_asks_for_no_response_on_a_websocket_has_no_joined_view(other: Exchange) -> None:
    assert list(joined([*SESSION, other])) == ["warm", "first", "second"]


def test_diff_sees_only_the_new_items_between_two_joined_requests() -> None:
    views = joined(SESSION)
    sides = [Side(name, wire.split(views[name].body)) for name in ("first", "second")]
    compared = diff.compare(sides[:1], sides[1:])
    assert [(change.verdict, change.path_b) for pair in compared for change in pair.changes] == [
        ("added", "/input/1/content"),
        ("added", "/input/2/content/0"),
    ]
