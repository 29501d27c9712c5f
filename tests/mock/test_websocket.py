"""The mock's WebSocket, talked to directly."""

import http.client
import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from inspector import mock
from tests.capture.talk import Talk

SHELL = {"type": "function", "name": "shell_command"}


@contextmanager
def talking(*replies: dict[str, Any]) -> Generator[Talk]:
    script = mock.script({"replies": list(replies), "websocket": "accept"})
    with mock.serve(script) as server:
        parts = urlsplit(server.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        yield Talk(connection)
        connection.close()


def ask(talk: Talk, **members: Any) -> list[dict[str, Any]]:
    talk.ask(**members)
    return [json.loads(message) for message in talk.answer()]


def test_a_request_that_wants_no_answer_takes_none_from_the_script() -> None:
    with talking({"text": "first"}) as talk:
        warm = ask(talk, generate=False, input=[])
        said = ask(talk, input=[], previous_response_id=warm[-1]["response"]["id"])
    assert [event["type"] for event in warm] == ["response.created", "response.completed"]
    assert said[-2]["item"]["content"][0]["text"] == "first"


def test_tools_offered_earlier_on_the_socket_are_known_later() -> None:
    with talking({"text": "first"}, {"shell": "echo one"}) as talk:
        first = ask(talk, input=[{"type": "additional_tools", "tools": [SHELL]}])
        called = ask(talk, input=[], previous_response_id=first[-1]["response"]["id"])
    assert called[-2]["item"]["name"] == "shell_command"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ({"error": 429}, {"type": "api_error", "message": "scripted error"}),
        (
            {"error": {"status": 429, "type": "slow_down", "message": "wait"}},
            {"type": "slow_down", "message": "wait"},
        ),
    ],
)
def test_an_error_names_its_status(reply: dict[str, Any], error: dict[str, str]) -> None:
    with talking(reply) as talk:
        said = ask(talk, input=[])
    assert said == [{"type": "error", "status": 429, "error": error}]


@pytest.mark.parametrize("message", ['{"type":"response.cancel"}', "[1]", "no json"])
def test_what_is_no_request_is_refused_and_the_socket_stays(message: str) -> None:
    with talking({"text": "still here"}) as talk:
        talk.send(message)
        refused = [json.loads(item) for item in talk.answer()]
        said = ask(talk, input=[])
    assert [(event["type"], event["status"]) for event in refused] == [("error", 400)]
    assert said[-2]["item"]["content"][0]["text"] == "still here"


def test_an_unknown_response_cannot_be_gone_on_from() -> None:
    with talking({"text": "one"}) as talk:
        (refused,) = ask(talk, input=[], previous_response_id="resp_of_another_socket")
    assert (refused["status"], refused["error"]["code"]) == (400, "previous_response_not_found")
