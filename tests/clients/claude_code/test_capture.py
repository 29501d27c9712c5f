"""Turns read from a capture, and the kinds of captured requests."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector import clients, folder
from inspector.clients.claude_code import capture, named
from inspector.clients.claude_code.kinds import kind
from inspector.session import Exchange, ExchangeKind
from inspector.snapshot import SnapshotTree
from inspector.turns import (
    Called,
    Counted,
    Failed,
    Prompted,
    Replayed,
    Replied,
    Returned,
    Said,
    Turn,
)
from inspector.verify import Carried, verify
from tests.clients.claude_code.place import Place
from tests.golden.scenario import ROOT

CAPTURES = ROOT / "captures" / "claude-code" / "2.1.332"
URL = "https://api.anthropic.com/v1/messages?beta=true"


def _exchange(
    body: object, response: object = None, url: str = URL, method: str = "POST"
) -> Exchange:
    data = json.dumps(body).encode()
    made = Exchange(
        id="x",
        session="s",
        number=1,
        method=method,
        url=url,
        request_headers=(),
        request_wire=data,
        request=data,
        request_sha256="",
        wire_sha256="",
        status=200,
        response_headers=(("content-type", "application/json"),),
        response=json.dumps(response).encode(),
        started="2026-01-02T03:04:05+00:00",
    )
    return replace(made, kind=kind(made))


def _main(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "messages": list(messages),
        "system": [{"type": "text", "text": "b"}],
        "tools": [],
        **more,
    }


def _user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


KINDS: list[tuple[Any, str, ExchangeKind]] = [
    (_main(), URL, ExchangeKind.MAIN),
    (_main(), URL.replace("?", "/count_tokens?"), ExchangeKind.COUNT_TOKENS),
    ({"a": 1}, "https://api.anthropic.com/api/hello", ExchangeKind.AUX),
    (
        {
            "messages": [],
            "system": [{"type": "text", "text": "cc_is_subagent=true;"}],
            "tools": [],
        },
        URL,
        ExchangeKind.SUBAGENT,
    ),
    ({"messages": [], "system": [], "output_config": {"format": {}}}, URL, ExchangeKind.TITLE),
    (
        {"messages": [], "system": [], "tools": [], "output_config": {"format": {}}},
        URL,
        ExchangeKind.TITLE,
    ),
    (
        {"messages": [], "system": [], "tools": [{}], "output_config": {"format": {}}},
        URL,
        ExchangeKind.MAIN,
    ),
    (
        _main({"role": "user", "content": "CRITICAL: Respond with TEXT ONLY. Do not"}),
        URL,
        ExchangeKind.COMPACTION,
    ),
    ({"messages": [{"role": "user", "content": "quota"}]}, URL, ExchangeKind.AUX),
    ([1, 2], URL, ExchangeKind.MAIN),
]


@pytest.mark.parametrize(("body", "url", "expected"), KINDS)
def test_a_request_is_known_by_its_shape(body: object, url: str, expected: ExchangeKind) -> None:
    assert _exchange(body, url=url).kind is expected


@pytest.mark.parametrize("body", [b"", b"\xff", b'{"model":', b"[" * 100_000])
def test_a_body_that_cannot_be_read_was_still_sent_to_the_model(body: bytes) -> None:
    assert kind(replace(_exchange({}), request=body)) is ExchangeKind.MAIN


def test_turns_hold_prompt_reply_and_outcomes(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "hello")).write({})
    reply: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "text", "text": "ok"},
            {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "echo hi"}},
            {"type": "tool_use", "id": "t2", "name": "mcp__s__t", "input": {}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }
    prompt = _user(
        {"type": "text", "text": "<system-reminder>\nx</system-reminder>\n"},
        {"type": "text", "text": "hello"},
    )
    results = _user(
        {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "1"}]},
        {"tool_use_id": "t1", "type": "tool_result", "content": "hi", "is_error": False},
    )
    assistant: dict[str, Any] = {"role": "assistant", "content": reply["content"]}
    aside = _exchange({}, url="https://api.anthropic.com/api/hello")
    exchanges = [
        _exchange(_main(prompt), reply),
        aside,
        _exchange(_main(prompt, assistant, results)),
    ]
    turns = capture.turns(exchanges, place.environment()).turns
    assert [turn.at for turn in turns] == ["2026-01-02T03:04:05+00:00"] * 2
    assert turns[0].events == (Prompted(text="hello"),)
    assert turns[1].events == (
        Replied(
            id="msg_1",
            blocks=(
                Said(text="ok"),
                Called(id="t1", name="Bash", input='{"command": "echo hi"}'),
                Called(id="t2", name="mcp__s__t", input="{}"),
            ),
            stop="tool_use",
            input_tokens=1,
            output_tokens=2,
        ),
        Returned(call="t2", raw='[{"type":"text","text":"1"}]'),
        Returned(call="t1", text="hi"),
    )


def test_a_count_of_tools_before_the_first_request_belongs_to_it(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "hello")).write({})
    url = URL.replace("?", "/count_tokens?")
    exchanges = [
        _exchange({"tools": [{"name": "x"}]}, {"input_tokens": 7}, url),
        _exchange({"messages": []}, {"input_tokens": 9}, url),
        _exchange({"tools": [{"name": "x"}]}, "broken", url),
        _exchange(_main({"role": "user", "content": "hello"})),
    ]
    assert capture.turns(exchanges, place.environment()).turns[0].events == (
        Prompted(text="hello"),
        Counted(tokens=7),
        Counted(tokens=9, what="text"),
        Counted(),
    )


def test_a_count_of_a_text_says_how_long_it_was_and_no_word_of_it(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "hello")).write({})
    url = URL.replace("?", "/count_tokens?")
    asked = [
        {"type": "text", "text": "ab"},
        {"type": "image"},
        {"type": "text", "text": "\U0001f600"},
    ]
    first = _main({"role": "user", "content": "hello"})
    more = _main(
        *first["messages"], {"role": "assistant", "content": "x"}, {"role": "user", "content": "y"}
    )
    exchanges = [
        _exchange(first),
        _exchange({"messages": [{"role": "user", "content": asked}]}, {"input_tokens": 9}, url),
        _exchange(more),
    ]
    events = capture.turns(exchanges, place.environment()).turns[1].events
    assert events[-1] == Counted(tokens=9, what="text", size=4)


def test_a_resumed_session_begins_with_the_reply_before_it(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "more", "--continue")).write({})
    body = _main(
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
        {"role": "user", "content": "more"},
        diagnostics={"previous_message_id": "msg_9"},
    )
    turns = capture.turns([_exchange(body)], place.environment()).turns
    assert turns[0].events == (
        Replayed(messages='[{"role":"user","content":"hello"}]'),
        Replied(id="msg_9", blocks=(Said(text="done"),)),
        Prompted(text="more"),
    )


def test_piped_input_belongs_to_the_prompt(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "look")).write({})
    body = _main({"role": "user", "content": "look\npiped text"})
    assert capture.turns([_exchange(body)], place.environment()).turns[0].events == (
        Prompted(text="look\npiped text"),
    )


def test_paths_that_calls_and_prompts_name_are_found(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    calls = (
        Called(id="1", name="Read", input='{"file_path":"a.txt"}'),
        Called(id="2", name="Edit", input='{"file_path":"/x/b"}'),
        Called(id="3", name="Bash", input='{"command":"cat sub/c"}'),
        Called(id="4", name="Bash", input='{"command":"ls"}'),
        Called(id="5", name="Read", input="no json"),
    )
    turn = Turn(events=(Replied(blocks=calls), Prompted(text="see @d.md")))
    assert named.paths(turn, place.environment()) == (
        f"{place.cwd}/a.txt",
        "/x/b",
        f"{place.cwd}/sub/c",
        f"{place.cwd}/d.md",
    )


def test_a_request_made_again_is_read_as_the_failure_before_it(tmp_path: Path) -> None:
    body = _main(_user({"type": "text", "text": "hello"}))
    broken = replace(_exchange(body), response=b"", error="upstream went away")
    html = replace(_exchange(body), response=b"<html></html>")
    busy = replace(_exchange(body, {"type": "error"}), status=529)
    environment = Place(tmp_path, argv=("-p", "hello")).environment()
    for before, failed in (
        (broken, Failed(status=200)),
        (html, Failed(status=200, empty=True)),
        (busy, Failed(status=529)),
    ):
        turns = capture.turns([before, _exchange(body)], environment).turns
        assert [turn.events for turn in turns] == [(Prompted(text="hello"),), (failed,)]


def test_after_an_answer_without_a_reply_the_whole_is_asked_for_once(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    conversation = place.begin()
    first = place.body(conversation, Prompted(text="hello"))
    again = place.body(conversation, Failed(status=200, empty=True))
    assert (first["stream"], first["max_tokens"]) == (True, 128000)
    assert again == first | {"stream": False, "max_tokens": 64000}
    reply = Replied(id="msg_1", blocks=(Said(text="fine"),))
    assert place.body(conversation, reply, Prompted(text="more"))["stream"] is True


def test_of_a_broken_reply_the_finished_blocks_are_kept(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    conversation = place.begin()
    first = place.body(conversation, Prompted(text="hello"))
    half = Replied(id="msg_1", blocks=(Said(text="ha"),), stop="truncated", unfinished=True)
    assert place.body(conversation, half) == first
    kept = place.body(conversation, half.model_copy(update={"unfinished": False}))
    said, told = kept["messages"][len(first["messages"]) :]
    assert said == {"role": "assistant", "content": [{"type": "text", "text": "ha"}]}
    assert told["content"][0]["text"].startswith("<system-reminder>\nYour response above was cut")


@pytest.mark.parametrize(
    "golden", ["classic_rounds", "mcp_results_classic", "prompt_path_hooks", "results_search"]
)
def test_a_session_is_exact_from_its_capture_alone(golden: str) -> None:
    """A user's session: what older models are told inside a result's text is no tool's output."""
    earlier: dict[str, Carried | None] = {}
    for place in sorted((CAPTURES / golden).glob("r*")):
        recording = clients.labelled(replace(folder.read(place), turns=None))
        before = earlier.get(recording.session.continues or "")
        report = verify(recording, {}, SnapshotTree, before)
        earlier[recording.session.id] = report.carried
        main = [item for item in report.requests if item.kind is ExchangeKind.MAIN]
        assert [item.exact for item in main] == [True] * len(main)
        # What Grep and Glob found stands apart; nothing comes from the transcript itself.
        apart = golden == "results_search"
        assert [item.comparison.counts.transcript for item in main] == [0] * len(main)
        assert any(item.comparison.counts.file_not_kept for item in main) == apart
