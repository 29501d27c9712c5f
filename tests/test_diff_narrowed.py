"""Law: what is told of two bodies without looking at much is what looking at all of them tells."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from inspector import wire
from inspector.diff import Change, Side, compare, diff
from inspector.diff.compared import full_diff
from inspector.diff.onward import Onward
from inspector.diff.seen import Seen

type Some = st.SearchStrategy[Any]

WORDS: st.SearchStrategy[str] = st.sampled_from(
    ["", "one", "one two", 'a"b', "\\", "é⏎", "\ud800", "2026-11-30", "2026-12-01", "x" * 500]
    + [f"toolu_{number}aaaaaaa " + "y" * 90 for number in range(2)]
)
MARK: dict[str, Some] = {"cache_control": st.just({"type": "ephemeral"})}
SCHEMAS: Some = st.dictionaries(st.sampled_from(["type", "x", "y"]), WORDS, max_size=2)
TEXTS: Some = st.fixed_dictionaries({"type": st.just("text"), "text": WORDS}, optional=MARK)
RESULTS: Some = st.fixed_dictionaries(
    {
        "type": st.just("tool_result"),
        "tool_use_id": st.just("t"),
        "content": st.one_of(WORDS, st.lists(TEXTS, max_size=2)),
    },
    optional=MARK,
)
CALLS: Some = st.fixed_dictionaries({"type": st.just("tool_use"), "id": WORDS, "input": SCHEMAS})
BLOCKS: Some = st.one_of(TEXTS, RESULTS, CALLS)
MESSAGES: Some = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant"]),
        "content": st.one_of(WORDS, st.lists(BLOCKS, max_size=3)),
    }
)
TOOLS: Some = st.fixed_dictionaries({"name": st.sampled_from("abc"), "input_schema": SCHEMAS})
BODIES: Some = st.fixed_dictionaries(
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
    one: Any = draw(BODIES)
    other = json.loads(json.dumps(one))
    for _ in range(draw(st.integers(1, 2))):
        sections: list[tuple[str, Some]] = [
            ("messages", MESSAGES),
            ("system", TEXTS),
            ("tools", TOOLS),
        ]
        name, item = draw(st.sampled_from(sections))
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
    try:
        found = diff(*prompts) if quick else full_diff(*prompts, Seen(), Onward())
    except ValueError:
        found = (Change("changed", "params", "", "", len(b)),)
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


@given(st.lists(MESSAGES, min_size=1, max_size=6), st.data())
def test_requests_that_go_on_tell_what_each_pair_looked_at_whole_tells(
    talk: list[Any], data: st.DataObject
) -> None:
    """Of messages that are not the same: of two that are, either may be the one that came."""
    for number, message in enumerate(talk):
        told = message["content"]
        blocks = [{"type": "text", "text": told}] if isinstance(told, str) else told
        message["content"] = [{"type": "text", "text": f"message {number}"}, *blocks]
    other = json.loads(json.dumps(talk).replace("toolu_", "toolu_z"))
    other[data.draw(st.integers(0, len(other) - 1))]["content"] = f"new {'z' * 400}"
    counts = data.draw(st.lists(st.integers(1, len(talk)), min_size=1, max_size=5).map(sorted))
    sides = [
        [Side("", wire.split(spelled({"model": "m", "messages": whole[:n]}))) for n in counts]
        for whole in (talk, other)
    ]
    every = [full_diff(a.prompt, b.prompt, Seen(), Onward()) for a, b in zip(*sides, strict=True)]
    found = Counter(one.what() for changes in every for one in changes)
    fresh: list[Any] = []
    for changes in every:
        seen = {one.what() for told in fresh for one in told}
        fresh.append([one for one in changes if one.what() not in seen])
    mine = compare(*sides)
    assert [sorted(map(repr, pair.changes)) for pair in mine] == [
        sorted(repr(replace(one, requests=found[one.what()])) for one in changes)
        for changes in fresh
    ]
