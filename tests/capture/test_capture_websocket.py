"""Requests on a WebSocket: through a real proxy to the mock, and hook by hook where order matters."""

import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from mitmproxy.http import HTTPFlow
from mitmproxy.test import tflow
from mitmproxy.websocket import WebSocketMessage
from wsproto.frame_protocol import Opcode

from inspector import mock, redact
from inspector.capture.addon import Capture, Plan
from inspector.capture.intake import UNFINISHED, Intake, Origin
from inspector.capture.sessions import Sessions, Ways
from inspector.formats import frames
from inspector.session import WEBSOCKET, Exchange
from inspector.store import Store
from inspector.turns import Replied
from inspector.wire import openai_reply
from tests.capture.gate import LIMIT, gate
from tests.capture.talk import Talk

KEY = "sk-proj-" + "k" * 48
USER = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "é 😀"}]}


def accepting(*replies: dict[str, Any]) -> mock.Script:
    return mock.script({"replies": list(replies), "websocket": "accept"})


@pytest.mark.parametrize("deflate", [True, False])
def test_a_conversation_passes_as_it_is_and_each_request_is_an_exchange_with_its_answer(
    tmp_path: Path, deflate: bool
) -> None:
    log = tmp_path / "mock.jsonl"
    script = accepting({"text": "one"}, {"reasoning": True, "text": "two"})
    with mock.serve(script, log=log) as server, gate(tmp_path, Plan(upstream=server.url)) as proxy:
        talk = Talk(proxy.connect("api.openai.com"), deflate=deflate)
        compressed, sent, answers = talk.compressed, list[bytes](), list[list[bytes]]()
        asking: list[dict[str, Any]] = [{"generate": False, "input": []}, {"input": [USER]}, {}]
        for members in asking:
            before = answers[-1][-1] if answers else b""
            if before:
                members["previous_response_id"] = json.loads(before)["response"]["id"]
            sent.append(talk.ask(**members))
            answers.append(talk.answer())
        talk.close()
        handshake, *asked = proxy.stored()
    assert compressed == deflate
    assert (handshake.method, handshake.status, handshake.error) == ("GET", 101, "")
    assert ("Sec-WebSocket-Version", "13") in handshake.request_headers
    assert [item.method for item in asked] == [WEBSOCKET] * 3
    assert {item.url for item in asked} == {"https://api.openai.com/v1/responses"}
    assert {item.request_headers for item in asked} == {handshake.request_headers}
    assert [(item.request, item.request_wire, item.error) for item in asked] == [
        (body, body, "") for body in sent
    ]
    assert [frames.messages(item.response) for item in asked] == answers
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    received = [line["sha256"] for line in lines if line["kind"] != "socket"]
    digests = [hashlib.sha256(body).hexdigest() for body in sent]
    assert received == digests == [item.request_sha256 for item in asked]
    said = [openai_reply.reply(item.response, "text/event-stream", 101) for item in asked[1:]]
    assert said == [answer for _, answer in mock.read_log(log)]


def test_a_long_message_in_fragments_is_one_request(tmp_path: Path) -> None:
    whole = json.dumps({"type": "response.create", "input": ["😀" * 300_000]}, ensure_ascii=False)
    with (
        mock.serve(accepting({"text": "ok"})) as server,
        gate(tmp_path, Plan(upstream=server.url)) as proxy,
    ):
        talk = Talk(proxy.connect("api.openai.com"))
        talk.send(*(whole[at : at + 70_000] for at in range(0, len(whole), 70_000)))
        talk.answer()
        talk.close()
        (_, asked) = proxy.stored()
    assert asked.request == whole.encode()
    assert asked.request_sha256 == hashlib.sha256(whole.encode()).hexdigest()


def test_an_answer_that_the_server_breaks_off_is_kept_as_far_as_it_came(tmp_path: Path) -> None:
    with (
        mock.serve(accepting({"text": "lost", "cut": 2})) as server,
        gate(tmp_path, Plan(upstream=server.url)) as proxy,
    ):
        talk = Talk(proxy.connect("api.openai.com"))
        talk.ask(input=[USER])
        came = list(talk.messages())
        (_, asked) = proxy.stored()
    assert len(came) == 2
    assert frames.messages(asked.response) == came
    assert asked.error == "the server closed the socket (code 1006) before the end of the answer"
    said = openai_reply.reply(asked.response)
    assert isinstance(said, Replied)
    assert said.stop == "truncated"


def test_a_client_that_goes_away_leaves_what_it_had_received(tmp_path: Path) -> None:
    with (
        mock.serve(accepting({"text": "slow", "pause": 30})) as server,
        gate(tmp_path, Plan(upstream=server.url)) as proxy,
    ):
        talk = Talk(proxy.connect("api.openai.com"))
        talk.ask(input=[USER])
        first = next(talk.messages())
        talk.close()
        (_, asked) = proxy.stored()
    assert frames.messages(asked.response) == [first]
    assert asked.error == "the client closed the socket (code 1000) before the end of the answer"


def test_an_answer_that_takes_long_is_kept_while_it_grows(tmp_path: Path) -> None:
    kept: list[Exchange] = []
    grown = threading.Event()

    def put(exchange: Exchange, complete: bool) -> None:
        if exchange.method == WEBSOCKET and exchange.response and not complete:
            kept.append(exchange)
            grown.set()

    with (
        mock.serve(accepting({"text": "slow", "pause": 60})) as server,
        gate(tmp_path, Plan(upstream=server.url), put) as proxy,
    ):
        talk = Talk(proxy.connect("api.openai.com"))
        sent = talk.ask(input=[USER])
        first = next(talk.messages())
        assert grown.wait(LIMIT)
        talk.close()
    assert (kept[0].request, frames.messages(kept[0].response)) == (sent, [first])
    assert kept[0].error == UNFINISHED


def test_no_secret_of_a_message_is_kept(tmp_path: Path) -> None:
    with (
        mock.serve(accepting({"text": f"it is {KEY}"})) as server,
        gate(tmp_path, Plan(upstream=server.url)) as proxy,
    ):
        headers = ((b"authorization", b"Bearer opaque-token-of-this-test"),)
        talk = Talk(proxy.connect("api.openai.com"), headers=headers)
        sent = talk.ask(input=[USER, KEY, "opaque-token-of-this-test"])
        answer = b"".join(talk.answer())
        talk.close()
        stored, puts = proxy.stored(), list(proxy.puts)
    assert KEY.encode() in sent
    assert KEY.encode() in answer
    for secret in (KEY, "opaque-token-of-this-test"):
        assert secret not in repr(puts)
    assert stored[1].body_replaced == 2
    assert stored[1].request_sha256 == hashlib.sha256(sent).hexdigest()


class Kept:
    """An addon, an open WebSocket, and what is stored of it."""

    def __init__(
        self, *, alone: bool = True, put: Callable[[Exchange, bool], None] | None = None
    ) -> None:
        self.puts: list[Exchange] = []
        self.intake = Intake(
            "s", put or self.put, new_id=Store.new_id, given=redact.NOTHING_GIVEN, say=print
        )
        self.hooks = Capture(self.intake, Plan(hosts=frozenset({"example.com"})))
        self.hooks.alone = alone
        make: Any = cast("Any", tflow).twebsocketflow
        self.flow: HTTPFlow = make()
        assert self.flow.websocket is not None
        self.flow.websocket.messages.clear()
        self.flow.request.path = "/v1/responses"
        self.hooks.request(self.flow)
        self.hooks.responseheaders(self.flow)
        self.hooks.response(self.flow)

    def put(self, exchange: Exchange, complete: bool) -> None:
        if complete:
            self.puts.append(exchange)

    def say(self, kind: str, *, client: bool = False) -> bytes:
        """Pass a message of this type; its bytes."""
        data = json.dumps({"type": kind}).encode()
        assert self.flow.websocket is not None
        self.flow.websocket.messages.append(WebSocketMessage(Opcode.TEXT, client, data))
        self.hooks.websocket_message(self.flow)
        return data

    def end(self) -> dict[int, Exchange]:
        """Close the socket; the exchanges by number, as they were stored last."""
        self.hooks.websocket_end(self.flow)
        self.intake.close()
        return {item.number: item for item in self.puts}


def told(exchange: Exchange) -> tuple[str, list[bytes], str]:
    return exchange.method, frames.messages(exchange.response), exchange.error


def test_what_the_server_says_unasked_belongs_to_what_came_before() -> None:
    kept = Kept()
    early = kept.say("codex.rate_limits")
    kept.say("response.create", client=True)
    last = kept.say("response.completed")
    late = kept.say("codex.rate_limits")
    stored = kept.end()
    assert {number: told(item) for number, item in stored.items()} == {
        1: ("GET", [early], ""),
        2: (WEBSOCKET, [last, late], ""),
    }


def test_what_the_server_says_late_keeps_its_place_in_the_session(tmp_path: Path) -> None:
    ways = Ways(
        source="run",
        origin=lambda _: Origin(),
        owner=lambda _: None,
        facts=lambda _process, _agent, _route: None,
    )
    with Store.open(tmp_path / "s.db") as store:
        kept = Kept(put=Sessions(store, redact.NOTHING_GIVEN, ways).put)
        kept.say("response.create", client=True)
        first = kept.say("response.completed")
        assert settled(store, 2)
        late = kept.say("codex.rate_limits")
        kept.say("response.create", client=True)
        last = kept.say("response.completed")
        kept.end()
        (session,) = store.sessions()
        stored = store.exchanges(session.id)
    assert [(item.number, frames.messages(item.response)) for item in stored] == [
        (1, []),
        (2, [first, late]),
        (3, [last]),
    ]


def settled(store: Store, count: int) -> bool:
    """Wait until so many exchanges are complete."""
    for _ in range(10_000):
        sessions = store.sessions()
        if sessions:
            ended = [item for item in store.exchanges(sessions[0].id) if item.ended]
            if len(ended) == count:
                return True
    return False


def test_a_message_that_asks_for_nothing_leaves_the_answer_under_way_alone() -> None:
    kept = Kept()
    kept.say("response.create", client=True)
    first = kept.say("response.created")
    odd = kept.say("response.processed", client=True)
    last = kept.say("response.completed")
    stored = kept.end()
    assert {number: told(item) for number, item in stored.items()} == {
        1: ("GET", [], ""),
        2: (WEBSOCKET, [first, last], ""),
        3: (WEBSOCKET, [], ""),
    }
    assert stored[3].request == odd


def test_a_request_before_the_end_of_an_answer_is_the_next_exchange() -> None:
    kept = Kept()
    kept.say("response.create", client=True)
    first = kept.say("response.created")
    kept.say("response.create", client=True)
    second = kept.say("response.failed")
    stored = kept.end()
    assert told(stored[2]) == (
        WEBSOCKET,
        [first],
        "the next request came before the end of the answer",
    )
    assert told(stored[3]) == (WEBSOCKET, [second], "")


def test_a_socket_is_at_rest_between_an_answer_and_the_next_request() -> None:
    kept = Kept()
    seen = [kept.hooks.idle.is_set()]
    for kind, client in (
        ("response.create", True),
        ("response.created", False),
        ("response.completed", False),
    ):
        kept.say(kind, client=client)
        seen.append(kept.hooks.idle.is_set())
    kept.end()
    assert seen == [True, False, False, True]


def test_an_answer_under_way_when_the_proxy_ends_is_kept() -> None:
    kept = Kept()
    kept.say("response.create", client=True)
    first = kept.say("response.created")
    kept.hooks.done()
    assert told(kept.end()[2]) == (
        WEBSOCKET,
        [first],
        "the proxy ended before the end of the answer",
    )


@pytest.mark.parametrize(("alone", "left"), [(True, 1), (False, 3)])
def test_messages_stay_in_memory_only_for_other_addons(alone: bool, left: int) -> None:
    kept = Kept(alone=alone)
    for kind in ("response.created", "response.completed", "codex.rate_limits"):
        kept.say(kind)
    assert kept.flow.websocket is not None
    assert len(kept.flow.websocket.messages) == left
    kept.end()
