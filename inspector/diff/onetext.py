"""The commonest change of all, told without looking at much: one string has other words.

Gives the same as comparing all there is (a law in the tests): where the only stretch that two
elements do not share lies inside one string of one segment, all else about them is the same.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from inspector.diff.change import BENIGN, Change, meant
from inspector.diff.elements import Element
from inspector.diff.inside import differ, only_made_up
from inspector.diff.seen import Block, Seen, mostly
from inspector.jsontext import Node, check, pointer
from inspector.segments.difference import both_ends
from inspector.segments.narrowed import Narrowed
from inspector.text.origin import size

_STRUCTURAL = frozenset({"type", "role", "name", "id"})
"""Members whose strings decide what a segment is."""


def one_text(narrow: Narrowed, seen: Seen) -> Change | None:
    """The change, if words inside one string of one segment are all that is not equal."""
    if len(narrow.old) != 1 or len(narrow.new) != 1:
        return None
    (old,), (new,) = narrow.old, narrow.new
    head, tail = both_ends(old, new)
    stretch = head, len(new) - tail
    blocks = seen.blocks(Element(narrow.section, narrow.first, new, 0))
    block = next((one for one in blocks if _holds(one.node, stretch)), None)
    if block is None or block.attests:
        return None
    by = len(old) - len(new)
    steps, node = _innermost(block.node, stretch)
    words = old[node.start : node.end + by]
    if node.kind != "string" or _STRUCTURAL & {*steps[-1:]} or not _other(words, node.raw):
        return None
    start, end = block.node.start, block.node.end
    before = old[start : end + by]
    return _told(block, before, (head - start, end - len(new) + tail), pointer(*steps))


def _told(block: Block, before: bytes, ends: tuple[int, int], place: str) -> Change | None:
    new = block.segment
    if only_made_up(before, new.raw, *ends):
        verdict = "volatile"
    elif new.section == "tools" or mostly(before, new.raw, sum(ends)):
        verdict = "changed"
    else:
        return None
    what = partial(_meant, verdict, block, before)
    return Change(verdict, new.section, new.path, new.path, size(new.raw), (place,), what=what)


def _meant(verdict: str, block: Block, before: bytes) -> int:
    old = replace(block.segment, raw=before)
    return meant(verdict, old, block.segment, before if verdict in BENIGN else b"")


def _holds(node: Node, stretch: tuple[int, int]) -> bool:
    """Whether a stretch lies between the first and the last byte of a value."""
    return node.start < stretch[0] and stretch[1] < node.end


def _innermost(node: Node, stretch: tuple[int, int]) -> tuple[list[str | int], Node]:
    """The innermost value that holds a stretch, with the steps to it."""
    steps: list[str | int] = []
    while True:
        below = next((pair for pair in _below(node) if _holds(pair[1], stretch)), None)
        if below is None:
            return steps, node
        steps.append(below[0])
        node = below[1]


def _below(node: Node) -> Iterator[tuple[str | int, Node]]:
    yield from ((member.name, member.value) for member in node.members)
    yield from enumerate(node.items)


def _other(old: bytes, new: bytes) -> bool:
    """Whether what stands in place of a string is another one."""
    try:
        check(old)
    except ValueError:
        return False
    return differ(old, new)
