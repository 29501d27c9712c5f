"""A recording served without a client: what is answered, what is refused, what is bad input."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx2
import pytest

from inspector import folder
from inspector.errors import BadInput
from inspector.match import Terms
from inspector.mock.server import listen
from inspector.replay import Order, Report, serve
from inspector.replay.desk import Rules
from inspector.replay.terms import here
from inspector.session import Exchange, ExchangeKind, Recording, Session
from tests.made import environment

URL = "https://api.anthropic.com/v1/messages?beta=true"
CALL = {"name": "Read", "input_schema": {"type": "object"}}


def asking(*texts: str, **params: Any) -> bytes:
    messages = [{"role": "user", "content": text} for text in texts]
    whole = {"model": "m", "system": "s", "tools": [CALL], "messages": messages}
    return json.dumps({**whole, **params}).encode()


def exchange(number: int, request: bytes, **other: Any) -> Exchange:
    digest = sha256(request).hexdigest()
    made = Exchange(
        id=f"e{number}",
        session="s1",
        number=number,
        method="POST",
        url=URL,
        request_headers=(("user-agent", "claude-cli/2.1.332 (external, sdk-cli)"),),
        request_wire=request,
        request=request,
        request_sha256=digest,
        wire_sha256=digest,
        status=200,
        response_headers=(("content-type", "application/json"), ("x-kept", "yes")),
        response=f'{{"answer":{number}}}'.encode(),
        kind=ExchangeKind.MAIN,
    )
    return replace(made, **other)


@pytest.fixture
def kept(tmp_path: Path) -> Callable[..., Order]:
    def write(*exchanges: Exchange, **order: Any) -> Order:
        session = Session("s1", "claude-code", "2.1.332", "base-url", "2026-01-02T03:04:05+00:00")
        folder.write(Recording(session, exchanges), tmp_path / "recording")
        return Order(str(tmp_path / "recording"), tmp_path / "none.db", **order)

    return write


def served(order: Order, *bodies: bytes) -> tuple[list[httpx2.Response], Report]:
    with serve(order, dict(os.environ)) as (url, report):
        answers = [httpx2.post(f"{url}/v1/messages?beta=true", content=body) for body in bodies]
    return answers, report


def test_requests_are_answered_in_whatever_order_they_come(kept: Callable[..., Order]) -> None:
    bodies = [asking(text) for text in ("one", "two", "three")]
    order = kept(*(exchange(number, body) for number, body in enumerate(bodies, 1)))
    answers, report = served(order, bodies[2], bodies[0])
    assert [(one.status_code, one.json()) for one in answers] == [
        (200, {"answer": 3}),
        (200, {"answer": 1}),
    ]
    assert answers[0].headers["x-kept"] == "yes"
    assert report.fine
    assert [number for _, number, _ in report.reused] == [3, 1]
    assert [one.number for one in report.unused] == [2]


def test_after_a_divergence_nothing_is_answered(kept: Callable[..., Order]) -> None:
    order = kept(exchange(1, asking("one two three")), exchange(2, asking("other", stream=True)))
    answers, report = served(order, asking("one 2 three"), asking("one two three"))
    assert [one.status_code for one in answers] == [400, 400]
    message = answers[0].json()["error"]["message"]
    assert message.startswith(
        "inspector replay: request 1 (main): /messages/0/content differs from recorded request 1"
        " (2 of 3 segments equal)"
    )
    assert not report.fine
    assert list(report.lines) == [
        "request 1 (main): /messages/0/content differs from recorded request 1"
        " (2 of 3 segments equal)",
        "  recorded: one two three",
        "  sent:     one 2 three",
        "  nearest: request 2, 2 of 3 equal, first /messages/0/content (changed)",
        "replay of s1 (strict): 0 reused, 1 diverged, 2 unused",
    ]


def test_a_request_is_answered_once(kept: Callable[..., Order]) -> None:
    body = asking("again")
    answers, report = served(kept(exchange(1, body)), body, body)
    assert [one.status_code for one in answers] == [200, 400]
    assert next(iter(report.lines)) == "request 2 (main): the recording has no such request left"


def test_what_is_missing_comes_from_the_script(kept: Callable[..., Order], tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- text: made up\n")
    rules = Rules("record-missing")
    order = kept(exchange(1, asking("one")), rules=rules, script=script)
    answers, report = served(order, asking("new"), asking("one"))
    assert answers[0].json()["content"] == [{"type": "text", "text": "made up"}]
    assert answers[1].json() == {"answer": 1}
    assert report.fine
    assert (report.answered, len(report.reused), report.diverged[0].by) == (1, 1, "script")


def test_what_a_client_asks_at_start_gets_the_least_answer(kept: Callable[..., Order]) -> None:
    order = kept(exchange(1, asking("one")))
    with serve(order, dict(os.environ)) as (url, report):
        assert httpx2.get(f"{url}/v1/models").json() == {"object": "list", "data": [], "models": []}
        assert httpx2.post(f"{url}/api/event_logging/batch", content=b"{}").json() == {}
    assert (report.fine, report.asides) == (True, 2)


def test_a_recorded_answer_that_never_came_ends_the_replay(kept: Callable[..., Order]) -> None:
    body = asking("one")
    order = kept(exchange(1, body, status=None, response=b"", response_headers=()))
    answers, report = served(order, body)
    assert answers[0].status_code == 400
    assert report.late == "recorded request 1 has no answer; record it again"
    assert not report.fine


@pytest.mark.parametrize(
    ("made", "order", "said"),
    [
        (
            exchange(1, asking("one"), request_sha256="0" * 64),
            {},
            "request 1 is not the one recorded (its digest differs); record it again",
        ),
        (exchange(1, asking("one"), kind=ExchangeKind.AUX, url="https://x.org/y"), {},
         "no model request in it, so there is nothing to replay"),
        (exchange(1, asking("one")), {"rules": Rules(fork=2), "upstream": "http://127.0.0.1:1"},
         "--fork 2: the recording has 1 main requests only"),
        (exchange(1, asking("one")), {"rules": Rules(fork=1)},
         "--fork: nothing answers what is not recorded; add --script or --upstream"),
        (exchange(1, asking("one")), {"upstream": "http://127.0.0.1:1"},
         "--script and --upstream answer only with --fork or --mode record-missing"),
        (exchange(1, asking("one")), {"rules": Rules(allow=("tools",))},
         "--allow: only with --mode lenient"),
    ],
)  # fmt: skip
def test_what_cannot_be_replayed_is_one_line(
    kept: Callable[..., Order], made: Exchange, order: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadInput) as caught, serve(kept(made, **order), dict(os.environ)):
        pass
    assert str(caught.value).endswith(said)


def test_a_port_in_use_is_one_line(kept: Callable[..., Order]) -> None:
    taken = listen("127.0.0.1", 0)
    try:
        port = taken.getsockname()[1]
        order = kept(exchange(1, asking("one")), port=port)
        with pytest.raises(BadInput) as caught, serve(order, dict(os.environ)):
            pass
    finally:
        taken.close()
    assert str(caught.value) == (
        f"port {port}: cannot listen on 127.0.0.1 (Address already in use); choose another port"
    )


STREAM = (("content-type", "text/event-stream"),)
CUT = b'event: a\ndata: {"n":1}\n\nevent: b\ndata: {"n'


def test_a_stream_that_broke_off_breaks_off_again_at_the_same_byte(
    kept: Callable[..., Order],
) -> None:
    body = asking("one")
    broken = {"response": CUT, "response_headers": STREAM, "error": "upstream broke off"}
    got: list[bytes] = []
    with (
        serve(kept(exchange(1, body, **broken)), dict(os.environ)) as (url, _),
        httpx2.stream("POST", f"{url}/v1/messages", content=body) as answer,
        pytest.raises(httpx2.RemoteProtocolError),
    ):
        got.extend(answer.iter_raw())
    assert b"".join(got) == CUT


def test_the_recorded_pace_is_kept_where_it_is_asked_for(kept: Callable[..., Order]) -> None:
    body = asking("one")
    times = {
        "started": "2026-01-02T03:04:05+00:00",
        "first_byte": "2026-01-02T03:04:05.300+00:00",
        "ended": "2026-01-02T03:04:05.400+00:00",
    }
    order = kept(exchange(1, body, **times), timing="recorded")
    begun = time.monotonic()
    served(order, body)
    assert time.monotonic() - begun >= 0.3


def test_answers_name_the_folders_of_this_machine_even_across_events() -> None:
    known = Terms.of([("/old/ws", "/a/new place"), ("2026-01-02", "2026-03-04")])
    facts = environment(Path("/old"))
    deltas = [
        b"event: content_block_delta\n"
        b'data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta",'
        b'"partial_json":"%s"}}\n\n' % part
        for part in (rb"{\"path\":\"/old", rb"/ws/f\",\"on\":\"2026-01-02\"}")
    ]
    end = b'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}\n\n'
    moved = here(b"".join((*deltas, end)), known, facts)
    first, last, rest = moved.split(b"\n\n")
    assert (last + b"\n\n", rest) == (end, b"")
    assert json.loads(first.partition(b"data: ")[2])["delta"]["partial_json"] == (
        '{"path":"/a/new place/f","on":"2026-01-02"}'
    )
