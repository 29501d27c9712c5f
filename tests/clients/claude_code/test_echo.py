"""The model's own words as they are sent back: inputs recast, answers that are asked again."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.turns import (
    Called,
    Ended,
    Moved,
    Prompted,
    Replied,
    Returned,
    Said,
    Shelled,
    Thought,
)
from tests.clients.claude_code.place import Place, called, texts

QUIET = ("-p", "hello", "--settings", '{"disableBundledSkills":true}')


def _echoed(place: Place, name: str, source: str) -> tuple[str, list[dict[str, Any]]]:
    """The input of a call as it is sent back, as text, and the messages."""
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    reply = Replied(id="msg_1", blocks=(Called(id="toolu_1", name=name, input=source),))
    messages = place.body(session, reply, Returned(call="toolu_1", text="x"))["messages"]
    (block,) = next(message for message in messages if message["role"] == "assistant")["content"]
    return json.dumps(block["input"], ensure_ascii=False, separators=(",", ":")), messages


@pytest.mark.parametrize(
    ("name", "source", "echoed"),
    [
        (
            "Bash",
            '{"timeout":"5","description":"d","command":"cd {cwd} && ls"}',
            '{"command":"ls","description":"d","timeout":5}',
        ),
        (
            "Bash",
            '{"command":"find . -exec ls {} \\\\\\\\;"}',
            '{"command":"find . -exec ls {} \\\\;"}',
        ),
        (
            "Bash",
            '{"run_in_background":"true","command":"a"}',
            '{"command":"a","run_in_background":true}',
        ),
        ("Bash", '{"description":"d","colour":1}', '{"description":"d","colour":1}'),
        ("Bash", "", "{}"),
        ("Bash", "[1]", "[1]"),
        ("Bash", '{"command":', '{"__unparsedToolInput":{"raw":"{\\"command\\":","len":11}}'),
        (
            "Read",
            '{"offset":"1","limit":"2","file_path":"/a"}',
            '{"offset":1,"limit":"2","file_path":"/a"}',
        ),
        (
            "Write",
            '{"content":"a \\t\\r\\nb ","file_path":"/a.txt"}',
            '{"file_path":"/a.txt","content":"a\\r\\nb"}',
        ),
        ("Write", '{"content":"a ","file_path":"/a.MD"}', '{"file_path":"/a.MD","content":"a "}'),
        (
            "Edit",
            '{"new_str":"b ","old_str":"a","file_path":"{cwd}/f.txt"}',
            '{"replace_all":false,"file_path":"{cwd}/f.txt","old_string":"a","new_string":"b"}',
        ),
        (
            "Edit",
            '{"old_string":"<n>x","new_string":"<n>y","file_path":"{cwd}/n.txt"}',
            '{"replace_all":false,"file_path":"{cwd}/n.txt","old_string":"<name>x","new_string":"<name>y"}',
        ),
        (
            "Edit",
            '{"old_string":"a","new_string":"b ","file_path":"{cwd}/gone.txt"}',
            '{"replace_all":false,"file_path":"{cwd}/gone.txt","old_string":"a","new_string":"b "}',
        ),
    ],
)
def test_an_input_is_echoed_as_its_tool_reads_it(
    tmp_path: Path, name: str, source: str, echoed: str
) -> None:
    place = Place(tmp_path, argv=QUIET).write({"ws/f.txt": "a\n", "ws/n.txt": "<name>x\n"})
    found, _ = _echoed(place, name, source.replace("{cwd}", place.cwd))
    assert found == echoed.replace("{cwd}", place.cwd)


def test_an_input_that_is_no_json_is_refused_with_its_beginning(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=QUIET).write({})
    _, messages = _echoed(place, "Bash", '{"a":"<`\u200b`>' + "x" * 300)
    said = messages[-1]["content"][0]["content"]
    assert '(first 193 of 311 bytes): {"a":"\u2039\'\\u{200B}\'\u203ax' in said


@pytest.mark.parametrize(
    ("stop", "words", "begins", "kept"),
    [
        ("max_tokens", "cut", "Output token limit hit.", True),
        ("model_context_window_exceeded", "cut", "Output token limit hit.", True),
        ("refusal", "no", "Your response above was stopped by a safety classifier", True),
        ("tool_use", "wait", "The previous response failed to produce a valid tool call.", False),
        ("end_turn", " ", "[Your previous response had no visible output.", False),
    ],
)
def test_an_answer_that_did_not_end_the_turn_is_asked_again(
    tmp_path: Path, stop: str, words: str, begins: str, kept: bool
) -> None:
    place = Place(tmp_path, argv=QUIET).write({})
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    reply = Replied(id="msg_1", blocks=(Said(text=words),), stop=stop)
    messages = place.body(session, reply)["messages"]
    users = [message for message in messages if message["role"] == "user"]
    assert texts(users[-1])[-1].startswith(f"<system-reminder>\n{begins}")
    assert any(message["role"] == "assistant" for message in messages) is kept
    assert len(users) == (2 if kept else 1)


def test_prompts_that_waited_together_stand_in_one_message(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=QUIET).write({})
    session = place.begin()
    place.body(session, Prompted(text="one"))
    reply = Replied(id="msg_1", blocks=(Said(text="ok"),), stop="end_turn")
    messages = place.body(session, reply, Prompted(text="two"), Prompted(text="three"))["messages"]
    assert texts(messages[-1]) == ["two\n", "three"]


def test_a_shell_in_another_folder_and_a_command_that_ended_are_told_of(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=QUIET).write({})
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    reply = called(1, "Bash", command="sleep 9", run_in_background=True)
    away = f"{place.cwd}/sub"
    detached = Returned(call="toolu_1", outcome=Shelled(detached=True))
    first = place.body(session, reply, detached, Moved(cwd=away))["messages"]
    assert "Command running in background with ID: " in first[-2]["content"][0]["content"]
    assert texts(first[-1]) == [
        f"# Environment update\n - Primary working directory: {away} (was {place.cwd})"
    ]
    ended = Ended(call="toolu_1", status="completed", code="0")
    second = place.body(
        session, called(2, "Bash", command="pwd"), Returned(call="toolu_2", text=away), ended
    )["messages"]
    assert (
        '<summary>Background command "sleep 9" completed (exit code 0)</summary>'
        in texts(second[-1])[0]
    )


def test_the_model_is_reminded_of_the_user_no_more_than_three_times_in_a_row(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path, argv=QUIET).write({})
    session = place.begin()
    body = place.body(session, Prompted(text="hello"))
    for number in range(25):
        reply = called(number, "Bash", command="true")
        body = place.body(session, reply, Returned(call=f"toolu_{number}", outcome=Shelled()))
    told = [texts(message) for message in body["messages"] if message["role"] == "system"]
    assert sum("heard from you in a while" in "".join(said) for said in told) == 3


def test_thinking_without_words_counts_as_no_visible_output(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=QUIET).write({})
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    reply = Replied(id="msg_1", blocks=(Thought(text="t", signature="s"),), stop="end_turn")
    messages = place.body(session, reply)["messages"]
    assert [message["role"] for message in messages] == ["user", "system"]
