"""What is wrong in a conversation's turns, before anything is built from them."""

from collections.abc import Iterator
from datetime import datetime
from typing import cast, get_args

from pydantic import BaseModel

from inspector.jsontext import loads
from inspector.turns import Called, Event, Hooked, Replied, Returned, Turns
from inspector.turns.base import JsonText

PROMPT = "prompt"
"""The call a typed command's result names."""


def broken(turns: Turns) -> Iterator[str]:
    """What no request can be built from, each with its place in the file."""
    if not turns.turns:
        yield "turns: there is none"
    for number, turn in enumerate(turns.turns):
        if not _is_time(turn.at):
            yield f"turns.{number}.at: {turn.at!r} is no time such as 2026-01-02T10:00:05.000+01:00"
        for place, event in enumerate(turn.events):
            for name, source in _json_texts(event):
                if not is_json(source):
                    yield f"turns.{number}.events.{place}.{name}: no JSON"


def stray(turns: Turns) -> Iterator[str]:
    """Results that answer no call, calls made twice, and replies of a session not in the file."""
    made = {PROMPT}
    if turns.turns and isinstance(next(iter(turns.turns[0].events), None), Replied):
        yield (
            "turns.0.events.0: it goes on from an earlier session, of which only what stands"
            " here is known"
        )
    for number, turn in enumerate(turns.turns):
        if not turn.events:
            yield f"turns.{number}.events: empty, so nothing happens before its request"
        for place, event in enumerate(turn.events):
            told = _astray(event, made, turns.client)
            yield from (f"turns.{number}.events.{place}{line}" for line in told)


def _astray(event: Event, made: set[str], client: str) -> Iterator[str]:
    if isinstance(event, Replied):
        for number, block in enumerate(event.blocks):
            if isinstance(block, Called):
                # A model may write it so, and the client goes on (Claude Code: echo_shapes).
                if client != "codex" and block.input and not is_json(block.input):
                    yield f".blocks.{number}.input: no JSON; built as a model's own mistake"
                if block.id in made:
                    yield f": the call id {block.id!r} is there twice"
                made.add(block.id)
    elif isinstance(event, Returned) and event.call not in made:
        yield f": no reply before it makes the call {event.call!r}, so this result is left out"


def _json_texts(event: Event) -> Iterator[tuple[str, str]]:
    if isinstance(event, Hooked) and event.form in {"input", "output"}:
        yield "output", event.output
    for name, source in _spelled(event):
        if name.rpartition(".")[2] != "input":
            yield name, source


def _spelled(part: BaseModel) -> Iterator[tuple[str, str]]:
    """The fields of an event that hold JSON as text, at any depth, each with its place in it."""
    for name, field in type(part).model_fields.items():
        value: object = getattr(part, name)
        if isinstance(value, str) and JsonText in {field.annotation, *get_args(field.annotation)}:
            yield name, value
        inner = {name: value}
        if isinstance(value, tuple):
            items = cast("tuple[object, ...]", value)
            inner = {f"{name}.{place}": item for place, item in enumerate(items)}
        for where, item in inner.items():
            if isinstance(item, BaseModel):
                yield from ((f"{where}.{below}", source) for below, source in _spelled(item))


def is_json(source: str) -> bool:
    """Whether a text is JSON, read as builders read it."""
    try:
        loads(source)
    except ValueError:
        return False
    return True


def _is_time(at: str) -> bool:
    try:
        return not at or datetime.fromisoformat(at).year > 0
    except ValueError:
        return False
