"""Where two values part that stand for one another."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, cast

from inspector.jsontext import JSON, Node, Number, escape, loads, pointer, unquote
from inspector.segments.difference import both_ends

_MADE_UP = re.compile(
    rb"""\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z?)?
    |[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}
    |\b(?:toolu|msg|req|call|rs|fc|ctc|resp)_[0-9A-Za-z]{8,}""",
    re.VERBOSE,
)
"""Days, moments and ids, which are others in every session."""
_OTHERWISE = (b"\\u", b"\\/")
"""Escapes of characters that may stand without one."""
_LONGEST = 100
"""Bytes of the longest of them, and more."""


def parted(old: Node, new: Node, path: str = "") -> Iterator[str]:
    """Pointers at which two values part, down to the innermost."""
    if old.raw == new.raw:
        return
    if old.kind == new.kind == "object":
        yield from _members(old, new, path)
    elif old.kind == new.kind == "array":
        yield from _items(old, new, path)
    elif old.kind != new.kind or old.kind != "string" or differ(old.raw, new.raw):
        yield path


def differ(old: bytes, new: bytes) -> bool:
    """Whether two strings that are written otherwise are not the same one."""
    head, tail = both_ends(old, new)
    window = slice(max(head - 6, 0), -tail + 6 if tail > 6 else None)
    if any(sign in raw[window] for raw in (old, new) for sign in _OTHERWISE):
        return unquote(old.decode()) != unquote(new.decode())
    return True


def reordered(old: Node, new: Node, path: str = "") -> Iterator[str]:
    """Pointers of objects that hold the same members in another order."""
    names = [member.name for member in old.members], [member.name for member in new.members]
    if names[0] != names[1] and Counter(names[0]) == Counter(names[1]):
        yield path
    for member in old.members:
        other = new.get(member.name)
        if other is not None and other.raw != member.value.raw:
            yield from reordered(member.value, other, f"{path}/{escape(member.name)}")
    for number, (left, right) in enumerate(zip(old.items, new.items, strict=False)):
        if left.raw != right.raw:
            yield from reordered(left, right, f"{path}/{number}")


def only_made_up(old: bytes, new: bytes, head: int, tail: int) -> bool:
    """Whether two values that share bytes at both ends differ in days, moments and ids alone."""
    head, tail = max(head - _LONGEST, 0), max(tail - _LONGEST, 0)
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    return without_made_up(left) == without_made_up(right)


def without_made_up(raw: bytes) -> bytes:
    """A value with a star for each day, moment and id."""
    return _MADE_UP.sub(b"*", raw)


def _members(old: Node, new: Node, path: str) -> Iterator[str]:
    for name in dict.fromkeys(member.name for member in (*old.members, *new.members)):
        here = f"{path}/{escape(name)}"
        left, right = old.get(name), new.get(name)
        if left is None or right is None:
            yield here
        else:
            yield from parted(left, right, here)


def _items(old: Node, new: Node, path: str) -> Iterator[str]:
    if len(old.items) == len(new.items):
        for number, (left, right) in enumerate(zip(old.items, new.items, strict=True)):
            yield from parted(left, right, f"{path}/{number}")
        return
    from deepdiff import DeepDiff

    values = _spelled(loads(old.text)), _spelled(loads(new.text))
    found: Any = DeepDiff(*values, view="tree", verbose_level=2)
    for group in cast("Iterable[Iterable[Any]]", found.values()):
        for item in group:
            steps: list[object] = item.path(output_format="list")
            yield path + pointer(*(str(step) for step in steps))


def _spelled(value: JSON) -> JSON:
    """The value with numbers as the text they are written in."""
    match value:
        case Number():
            return f"#{value.text}"
        case dict():
            return {name: _spelled(item) for name, item in value.items()}
        case list():
            return [_spelled(item) for item in value]
        case _:
            return value
