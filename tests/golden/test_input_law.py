"""The law of input can fail: a wrong kind, a tool that does not act on the world, words nobody said."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.named import Found
from inspector.session import ExchangeKind
from inspector.text import Kind, Origin, Text, encode, text
from inspector.turns import (
    Answered,
    Called,
    Event,
    Hooked,
    Patched,
    Printed,
    Prompted,
    Ran,
    Replied,
    Returned,
    Said,
    Searched,
    Told,
    Turn,
    Turns,
    Unread,
)
from inspector.verify import HeaderReport, RequestReport, compare
from tests import made
from tests.golden import input_law

EVENTS: tuple[Event, ...] = (
    Prompted(text="do it"),
    Replied(
        id="msg_1",
        blocks=(
            Said(text="Doing it."),
            Called(id="c1", name="Bash", input='{"command":"ls \\u00e9"}'),
            Called(id="c2", name="Write", input="{}"),
            Called(id="c3", name="mcp__srv__tool", input="{}"),
            Called(id="c4", name="tool", namespace="mcp__srv", input="{}"),
            Called(id="c5", name="Grep", input="{}"),
        ),
    ),
    Returned(call="c1", text="a.txt"),
    Returned(call="c2", text="File created"),
    Returned(call="c3", raw='{"content":[{"type":"text","text":"from afar"}]}'),
    Returned(call="c1", outcome=Ran(chunk="1", seconds="0.25", printed=Printed(text="ran\n"))),
    Returned(call="c2", outcome=Patched(seconds="0.75")),
    Returned(call="c1", outcome=Told(name="a sentence of the client's")),
    Returned(call="c1", outcome=Unread(raw="unread words")),
    Returned(call="c4", outcome=Answered(result='{"url":"AAAA","n":1e3,"say":"so"}')),
    Returned(call="c5", outcome=Searched(found="src/a.py")),
    Hooked(event="Stop", output="hooked words"),
)


def complaints(tmp_path: Path, words: str, origin: Origin) -> list[str]:
    return judged(tmp_path, text(words, origin))


def judged(tmp_path: Path, value: Text) -> list[str]:
    turns = Turns(client="claude-code", version="1", turns=(Turn(events=EVENTS),))
    recording = made.recording(tmp_path).with_turns(turns)
    recording = replace(recording, session=replace(recording.session, client="claude-code"))
    built = encode({"a": value})
    comparison = compare(built, built.body)
    request = RequestReport(
        "x", 1, ExchangeKind.MAIN, True, False, "", comparison, HeaderReport(), built.body, built
    )
    return list(input_law.complaints(Found(recording), [request]))


@pytest.mark.parametrize(
    ("words", "origin"),
    [
        ("do it", Origin(Kind.PROMPT, "prompt")),
        ("Doing", Origin(Kind.REPLY, "reply")),
        ("ls é", Origin(Kind.REPLY, "c1")),
        ("c2", Origin(Kind.REPLY, "id")),
        ("a.txt", Origin(Kind.OUTCOME, "c1")),
        ("from afar", Origin(Kind.OUTCOME, "c3")),
        ("from afar", Origin(Kind.OUTCOME, "c4")),
        ("from afar", Origin(Kind.OUTCOME, "mcp__srv__tool")),
        ("a.txt", Origin(Kind.OUTCOME, "!0")),
        ("ran\\n", Origin(Kind.OUTCOME, "c1")),
        ("0.75", Origin(Kind.OUTCOME, "c2")),
        ("data:image/png;base64,AAAA", Origin(Kind.OUTCOME, "c4")),
        ('{"say":"so","n":1000}', Origin(Kind.OUTCOME, "c4")),
        ("src/a.py", Origin(Kind.FILE_NOT_KEPT, "c5")),
        ("hooked", Origin(Kind.HOOK, "Stop")),
        ("anything", Origin(Kind.FILE, "/ws/f")),
        ("anything", Origin(Kind.ADOPTED, "unknown")),
    ],
)
def test_what_the_world_said_is_input(tmp_path: Path, words: str, origin: Origin) -> None:
    assert complaints(tmp_path, words, origin) == []


@pytest.mark.parametrize(
    ("words", "origin", "fault"),
    [
        ("File created", Origin(Kind.OUTCOME, "c2"), "the result of Write is no input"),
        ("File created", Origin(Kind.OUTCOME, "skill"), "the result of skill is no input"),
        ("a.txt", Origin(Kind.TRANSCRIPT, "c1"), "input of kind transcript"),
        ("a.txt", Origin(Kind.FILE_NOT_KEPT, "c1"), "input of kind file-not-kept"),
        ("src/a.py", Origin(Kind.OUTCOME, "c5"), "the result of Grep is no input"),
        ("src/b.py", Origin(Kind.FILE_NOT_KEPT, "c5"), "nothing found 'src/b.py' (c5)"),
        ("a body", Origin(Kind.OUTCOME, "c1"), "nobody said 'a body' (outcome:c1)"),
        ("0.5", Origin(Kind.OUTCOME, "c2"), "nobody said '0.5' (outcome:c2)"),
        ("sentence", Origin(Kind.OUTCOME, "c1"), "nobody said 'sentence' (outcome:c1)"),
        ("unread", Origin(Kind.OUTCOME, "c1"), "nobody said 'unread' (outcome:c1)"),
        ("data:x,BBBB", Origin(Kind.OUTCOME, "c4"), "nobody said 'data:x,BBBB' (outcome:c4)"),
        ('["no"]', Origin(Kind.OUTCOME, "c4"), """nobody said '["no"]' (outcome:c4)"""),
        ("a body", Origin(Kind.PROMPT, "prompt"), "nobody said 'a body' (prompt:prompt)"),
        ("do it", Origin(Kind.REPLY, "reply"), "nobody said 'do it' (reply:reply)"),
        ("do it", Origin(Kind.HOOK, "Stop"), "nobody said 'do it' (hook:Stop)"),
    ],
)
def test_what_the_client_makes_is_none(
    tmp_path: Path, words: str, origin: Origin, fault: str
) -> None:
    assert complaints(tmp_path, words, origin) == [f"#1 /a: {fault}"]


def test_words_of_the_clients_own_inside_a_result_are_cut_out(tmp_path: Path) -> None:
    origin = Origin(Kind.OUTCOME, "c4")
    own = text("a stand-in", Origin(Kind.LITERAL, "stand-in"))
    said = text('{"say":"so","more":"', origin) + own + text('"}', origin)
    assert judged(tmp_path, said) == []
    wrong = text('{"say":"no","more":"', origin) + own + text('"}', origin)
    assert len(judged(tmp_path, wrong)) == 1
