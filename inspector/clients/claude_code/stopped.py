"""A model that somebody stopped: what the next request says of it (`interrupts`).

The sentence stands before the next prompt. Where the model had said nothing yet, or a call was
stopped, all of it joins the user message before: two of them never stand in a row.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from inspector.clients.claude_code.message import Block, Message, joined, text_block
from inspector.clients.claude_code.phrase import phrase
from inspector.clients.claude_code.plain import is_list, items, mapping
from inspector.clients.claude_code.state import State
from inspector.turns import Interrupted, Turn

_SAID = re.compile(r"\[Request interrupted by user( for tool use)?\]\n?")


def of_texts(texts: Sequence[str]) -> Iterator[Interrupted]:
    """The interrupts in the texts before a request."""
    for said in texts:
        if (found := _SAID.fullmatch(said)) is not None:
            yield Interrupted(tool=found[1] is not None)


def of_record(lines: Sequence[Mapping[str, Any]]) -> Iterator[Interrupted]:
    """The interrupts of a stretch of a transcript."""
    for line in lines:
        content = mapping(line.get("message")).get("content")
        if line.get("type") == "user" and is_list(content):
            yield from of_texts([str(mapping(block).get("text")) for block in items(content)])


def groups(state: State, turn: Turn) -> list[list[Block]]:
    """What is said before the next prompt."""
    found = [event for event in turn.events if isinstance(event, Interrupted)]
    names = ("interrupted.tool" if event.tool else "interrupted" for event in found)
    return [[text_block(phrase(state.profile, name))] for name in names]


def merged(state: State, turn: Turn) -> State:
    """The conversation with the last prompt in the user message it follows on."""
    if not any(isinstance(event, Interrupted) for event in turn.events):
        return state
    places = [place for place, one in enumerate(state.messages) if one.role == "user"]
    if len(places) < 2:
        return state
    first, last = places[-2:]
    between = state.messages[first + 1 : last]
    if any(message.role == "assistant" for message in between):
        return state
    before, after = state.messages[first], state.messages[last]
    whole = Message("user", joined([before.blocks, after.blocks]))
    rest = (*between, *state.messages[last + 1 :])
    return replace(state, messages=(*state.messages[:first], whole, *rest))
