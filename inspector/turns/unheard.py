"""Results that a turns file gives and that the request built does not hold.

Where a client makes a result itself (a file it reads, a skill, a server that is not there), what
the turns say of it is thrown away.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import cast

from inspector.jsontext import loads
from inspector.turns import Answered, Returned, Turn

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_BETWEEN = re.compile(r"[\W_]+")
_ENOUGH = 40
"""Letters of a first line by which a text is told; clients cut and wrap what is longer."""
_NOT_MADE = "⟦"


def unheard(turn: Turn, request: bytes) -> Iterator[tuple[int, Returned]]:
    """Each result of which the request holds another text, with its place among the events."""
    given = [
        (place, event, words)
        for place, event in enumerate(turn.events)
        if isinstance(event, Returned) and (words := _signs(event))
    ]
    if not given:
        return
    sent = list(_objects(loads(request.decode("utf-8", "replace"))))
    # The text of a skill stands beside the result of its call.
    beside = _plain("".join(str(one["text"]) for one in sent if one.get("type") == "text"))
    for place, event, words in given:
        said = "".join(chain.from_iterable(_result(one, event.call) for one in sent))
        held = _plain(said) + beside
        if said and _NOT_MADE not in said and not any(one in held for one in words):
            yield place, event


def _signs(event: Returned) -> list[str]:
    return [sign for string in _texts(event) if (sign := _sign(string))]


def _texts(event: Returned) -> Iterator[str]:
    if event.text is not None:
        yield event.text
    raw = event.outcome.result if isinstance(event.outcome, Answered) else event.raw
    if raw is not None:
        value = loads(raw)
        if not (isinstance(value, dict) and "structuredContent" in value):  # it goes before texts
            yield from _strings(value, keys=("text",))


def _sign(string: str) -> str:
    """The beginning of the first line that has letters, without all between them."""
    lines = (_plain(line) for line in _ESCAPES.sub("", string).splitlines())
    return next((line for line in lines if line), "")[:_ENOUGH]


def _plain(string: str) -> str:
    return _BETWEEN.sub("", string)


def _result(one: dict[str, object], call: str) -> Iterator[str]:
    """The strings of a result of that call, in either dialect."""
    if one.get("tool_use_id") == call:
        yield from _strings(one.get("content"))
    elif one.get("call_id") == call and "output" in one:
        yield from _strings(one["output"])


def _objects(value: object) -> Iterator[dict[str, object]]:
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, dict):
            members = cast("dict[str, object]", item)
            yield members
            left.extend(members.values())
        elif isinstance(item, list):
            left.extend(cast("list[object]", item))


def _strings(value: object, keys: Iterable[str] = ()) -> Iterator[str]:
    """Every string in a value; with `keys`, only those that stand under one of them."""
    if isinstance(value, str) and not keys:
        yield value
    for one in _objects(value):
        for key, item in one.items():
            if isinstance(item, str) and (not keys or key in keys):
                yield item
