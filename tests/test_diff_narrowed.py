"""Law: what is told of two bodies without looking at much is what looking at all of them tells."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from inspector import wire
from inspector.diff import diff
from inspector.diff.compared import full_diff
from inspector.diff.seen import Seen

WORDS = st.sampled_from(
    ["", "one", "one two", 'a"b', "\\", "é⏎", "\ud800", "2026-11-30", "2026-12-01", "x" * 500]
    + [f"toolu_{number}aaaaaaa " + "y" * 90 for number in range(2)]
)
MARKS = st.sampled_from([{}, {"cache_control": {"type": "ephemeral"}}])
SCHEMAS = st.dictionaries(st.sampled_from(["type", "x", "y"]), WORDS, max_size=2)
TEXTS = st.builds(lambda text, mark: {"type": "text", "text": text, **mark}, WORDS, MARKS)
RESULTS = st.builds(
    lambda content, mark: {"type": "tool_result", "tool_use_id": "t", "content": content, **mark},
    WORDS | st.lists(TEXTS, max_size=2),
    MARKS,
)
CALLS = st.builds(
    lambda given: {"type": "tool_use", "id": "t", "name": "n", "input": given}, SCHEMAS
)
BLOCKS = TEXTS | RESULTS | CALLS
MESSAGES = st.builds(
    lambda role, content: {"role": role, "content": content},
    st.sampled_from(["user", "assistant"]),
    WORDS | st.lists(BLOCKS, max_size=3),
)
TOOLS = st.builds(
    lambda name, schema: {"name": name, "input_schema": schema}, st.sampled_from("abc"), SCHEMAS
)
BODIES = st.fixed_dictionaries(
    {
        "model": st.just("m"),
        "messages": st.lists(MESSAGES, max_size=4),
        "system": st.lists(TEXTS, max_size=2),
        "tools": st.lists(TOOLS, max_size=3),
    }
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """A body, and what becomes of it when a list in it gains, loses, turns or changes an item."""
    one = draw(BODIES)
    other = json.loads(json.dumps(one))
    for _ in range(draw(st.integers(1, 2))):
        name, item = draw(
            st.sampled_from([("messages", MESSAGES), ("system", TEXTS), ("tools", TOOLS)])
        )
        held = other[name]
        place = draw(st.integers(0, len(held)))
        what = draw(st.sampled_from(["insert", "drop", "change", "turn"]))
        if what == "insert":
            held.insert(place, draw(item))
        elif what == "turn":
            held.reverse()
        elif place < len(held):
            held[place : place + 1] = [draw(item)] if what == "change" else []
    return one, other


def spelled(body: Any) -> bytes:
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    return text.replace("\ud800", "\\ud800").encode()


def told(a: bytes, b: bytes, *, quick: bool) -> list[Any]:
    prompts = wire.split(a), wire.split(b)
    found = diff(*prompts) if quick else full_diff(*prompts, Seen())
    return [(one, one.what()) for one in found]


@given(pairs())
def test_two_bodies_have_the_same_changes_however_they_are_found(pair: tuple[Any, Any]) -> None:
    a, b = map(spelled, pair)
    if a != b:
        assert told(a, b, quick=True) == told(a, b, quick=False)


@given(pairs(), st.data())
def test_a_byte_that_changes_anywhere_is_told_as_looking_at_all_tells_it(
    pair: tuple[Any, Any], data: st.DataObject
) -> None:
    a = spelled(pair[0])
    at = data.draw(st.integers(0, len(a) - 1))
    b = a[:at] + data.draw(st.sampled_from([b"", b"z", b'"', b",", b"\\", b"]"])) + a[at + 1 :]
    if a != b:
        assert told(a, b, quick=True) == told(a, b, quick=False)


def test_the_places_are_those_of_the_whole_bodies() -> None:
    one: Any = {"model": "m", "messages": [{"role": "user", "content": f"m{n}"} for n in range(5)]}
    other = json.loads(json.dumps(one))
    other["messages"][3]["content"] = "x" * 10
    (change,) = diff(wire.split(spelled(one)), wire.split(spelled(other)))
    assert (change.verdict, change.path_b) == ("changed", "/messages/3/content")
