"""The changes in the sections of two bodies, from the elements that one body alone holds.

They are split into segments. What has an equal key is the same in another shape or at another
place; what is alike in one gap has changed; the rest came or went.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from inspector.diff.change import BENIGN, Change
from inspector.diff.elements import Element, stretches, unshared
from inspector.diff.inside import only_made_up, parted, reordered
from inspector.diff.seen import Block, Seen
from inspector.segments import Cut, Segment

_ATTESTATION = "x-anthropic-billing-header:"
"""Witness: system block 0 of Claude Code 2.1.332 on its default host."""


@dataclass(slots=True, eq=False)
class _Alone:
    """A segment of an element that the other body does not hold."""

    block: Block
    element: Element
    gap: tuple[int, int] = (0, 0)
    """Which stretch between two aligned segments it stands in."""

    @property
    def segment(self) -> Segment:
        """It, as it was split."""
        return self.block.segment


type _Pairs = list[tuple[_Alone, _Alone]]


def changes(a: Cut, b: Cut, seen: Seen) -> Iterator[Change]:
    """The changes in the sections: benign ones, moves, then what changed, went and came."""
    left = unshared(a, b)
    removed, added = _split(left.removed, seen), _split(left.added, seen)
    for old, new in _aligned(removed, added):
        yield from _same_key(old, new)
    for one, other in left.moved:
        section = one.section.held_by(one.raw)
        what = hash(("moved", one.raw))
        yield Change("moved", section, one.path, other.path, len(other.raw), what=what)
    for old, new in _moves(removed, added):
        yield _change("moved", old, new)
    for old, new in _likes(removed, added, seen):
        yield from _inside(old, new, seen)
    yield from _whole("removed", removed)
    yield from _whole("added", added)


def _split(elements: Iterable[Element], seen: Seen) -> list[_Alone]:
    return [_Alone(block, item) for item in elements for block in seen.blocks(item)]


def _aligned(removed: list[_Alone], added: list[_Alone]) -> _Pairs:
    """Take out what stands in one gap in one order, by key; count the gaps between."""
    found: _Pairs = []
    gaps: dict[int, tuple[list[_Alone], list[_Alone]]] = {}
    for side, items in enumerate((removed, added)):
        for item in items:
            gaps.setdefault(item.element.gap, ([], []))[side].append(item)
    for gap, (old, new) in gaps.items():
        keys = [one.segment.key for one in old], [one.segment.key for one in new]
        for number, (equal, left, right) in enumerate(stretches(*keys)):
            if equal:
                found += zip(old[left], new[right], strict=True)
            for item in (*old[left], *new[right]):
                item.gap = gap, number
    _take(found, removed, added)
    return found


def _take(pairs: _Pairs, removed: list[_Alone], added: list[_Alone]) -> None:
    gone = {id(item) for pair in pairs for item in pair}
    removed[:] = [item for item in removed if id(item) not in gone]
    added[:] = [item for item in added if id(item) not in gone]


def _change(verdict: str, old: _Alone, new: _Alone, places: tuple[str, ...] = ()) -> Change:
    a, b = old.segment, new.segment
    what = hash((verdict, a.key, b.key, a.raw if verdict in BENIGN else b""))
    return Change(verdict, b.section, a.path, b.path, len(b.raw), places, what=what)


def _same_key(left: _Alone, right: _Alone) -> Iterator[Change]:
    old, new = left.segment, right.segment
    if old.label != new.label:
        a, b = (f"{item.element.path}/id" for item in (left, right))
        what = hash(("label", old.label, new.label))
        yield Change("volatile", new.section, a, b, len(new.label), what=what)
    if old.unlabelled == new.unlabelled:
        return
    if old.breakpoint != new.breakpoint:
        yield _change("moved-mark", left, right)
    elif left.block.node.kind == right.block.node.kind and (places := _reordered(left, right)):
        yield _change("reordered-keys", left, right, places)
    else:
        yield _change("reshaped", left, right)


def _moves(removed: list[_Alone], added: list[_Alone]) -> _Pairs:
    """Take out what went at one place and came at another, by key."""
    waiting: dict[str, list[_Alone]] = {}
    for item in removed:
        waiting.setdefault(item.segment.key, []).append(item)
    pairs = [(same.pop(0), new) for new in added if (same := waiting.get(new.segment.key))]
    _take(pairs, removed, added)
    return pairs


def _likes(removed: list[_Alone], added: list[_Alone], seen: Seen) -> _Pairs:
    """Take out what stands in one gap, is of one sort and alike."""
    waiting: dict[object, list[_Alone]] = {}
    for item in added:
        waiting.setdefault(_sort(item), []).append(item)
    pairs: _Pairs = []
    for old in removed:
        same = waiting.get(_sort(old), [])
        new = seen.likest(old.block, [one.block for one in same])
        if new is not None:
            pairs.append((old, same.pop(new)))
    _take(pairs, removed, added)
    return pairs


def _whole(verdict: str, alone: Sequence[_Alone]) -> Iterator[Change]:
    """What went or came: an element as one where nothing of it is left, else segment by segment."""
    for element, group in groupby(alone, key=lambda item: item.element):
        items = list(group)
        told = [(item.segment.path, len(item.segment.raw)) for item in items]
        if len(items) > 1 and len(items) == items[0].block.of:
            told = [(element.path, len(element.raw))]
        for (path, size), item in zip(told, items, strict=False):
            a, b = (path, None) if verdict == "removed" else (None, path)
            what = hash((verdict, item.segment.key))
            yield Change(verdict, item.segment.section, a, b, size, what=what)


def _sort(item: _Alone) -> tuple[tuple[int, int], str, str | None, str]:
    segment = item.segment
    return item.gap, segment.section, segment.role, item.block.name


def _inside(old: _Alone, new: _Alone, seen: Seen) -> Iterator[Change]:
    for verdict, places in seen.inside(old.block, new.block, _parted):
        yield _change(verdict, old, new, places)


def _parted(old: Block, new: Block) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The verdicts on two segments that stand for one another, with places."""
    places = tuple(parted(old.node, new.node))
    volatile = _attestation(old) and _attestation(new)
    if volatile or only_made_up(old.segment.raw, new.segment.raw):
        yield "volatile", places
        return
    if places:
        yield "changed", places
    # The order of keys is told apart, so that it hides behind no other change of a schema.
    if places := tuple(reordered(old.node, new.node)):
        yield "reordered-keys", places


def _reordered(old: _Alone, new: _Alone) -> tuple[str, ...]:
    return tuple(reordered(old.block.node, new.block.node))


def _attestation(item: Block) -> bool:
    """Whether a block is the billing line, new in each request by design of the client."""
    text = item.node.string_of("text") if item.segment.section == "system" else None
    return text is not None and text.startswith(_ATTESTATION)
