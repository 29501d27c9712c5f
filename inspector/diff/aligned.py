"""The changes in the sections of two bodies, from the elements that one body alone holds.

They are split into segments. What has an equal key is the same in another shape or at another
place; what is alike in one gap has changed; the rest came or went.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from inspector.diff.change import BENIGN, Change, meant
from inspector.diff.elements import Element, Unshared, stretches
from inspector.diff.inside import reordered
from inspector.diff.seen import Block, Seen
from inspector.segments import Segment
from inspector.text.origin import size


@dataclass(slots=True, eq=False)
class _Alone:
    """A segment of an element that the other body does not hold."""

    block: Block
    element: Element
    gap: tuple[int, ...]
    """Which stretch between aligned segments it stands in."""

    @property
    def segment(self) -> Segment:
        """It, as it was split."""
        return self.block.segment


type _Pairs = list[tuple[_Alone, _Alone]]


def changes(left: Unshared, seen: Seen) -> Iterator[Change]:
    """The changes in the sections: benign ones, moves, then what changed, went and came."""
    removed, added = _split(left.removed, seen), _split(left.added, seen)
    _drop_equal(removed, added)
    for old, new in _aligned(removed, added, seen):
        yield from _same_key(old, new)
    for one, other in left.moved:
        section = one.section.held_by(one.raw)
        what = partial(meant, "moved", one.raw)
        yield Change("moved", section, one.path, other.path, size(other.raw), what=what)
    for old, new in _moves(removed, added):
        yield _change("moved", old, new)
    for old, new in (*_other_ids(removed, added, seen), *_likes(removed, added, seen)):
        yield from _inside(old, new, seen)
    yield from _whole("removed", removed)
    yield from _whole("added", added)


def _split(elements: Iterable[Element], seen: Seen) -> list[_Alone]:
    return [_Alone(block, item, (item.gap,)) for item in elements for block in seen.blocks(item)]


def _drop_equal(removed: list[_Alone], added: list[_Alone]) -> None:
    """Leave out equal segments at both ends of the only two elements: that needs no digest."""
    if len({id(item.element) for item in (*removed, *added)}) != 2 or not (removed and added):
        return
    for step in (0, -1):
        while removed and added and removed[step].segment.same(added[step].segment):
            del removed[step], added[step]


def _aligned(removed: list[_Alone], added: list[_Alone], seen: Seen) -> _Pairs:
    """Take out what stands in one gap in one order, by key; count the gaps between."""
    found: _Pairs = []
    for old, new in _in_gaps(removed, added):
        if len(old) == len(new) == 1 and seen.surely_unlike(old[0].block, new[0].block):
            continue
        keys = [one.segment.key for one in old], [one.segment.key for one in new]
        for number, (equal, left, right) in enumerate(stretches(*keys)):
            if equal:
                found += zip(old[left], new[right], strict=True)
            for item in (*old[left], *new[right]):
                item.gap = item.gap[0], number
    _take(found, removed, added)
    return found


def _other_ids(removed: list[_Alone], added: list[_Alone], seen: Seen) -> _Pairs:
    """Take out what differs in days and ids alone, from both ends of each gap."""
    found: _Pairs = []
    for old, new in _in_gaps(removed, added):
        most = min(len(old), len(new))
        head = [*_alike_from(old, new, range(most), seen)]
        found += head
        found += _alike_from(old, new, range(-1, len(head) - most - 1, -1), seen)
    _take(found, removed, added)
    return found


def _alike_from(
    old: list[_Alone], new: list[_Alone], order: Iterable[int], seen: Seen
) -> Iterator[tuple[_Alone, _Alone]]:
    for number in order:
        pair = old[number], new[number]
        if not seen.ids_alone(pair[0].block, pair[1].block):
            return
        yield pair


def _in_gaps(
    removed: Iterable[_Alone], added: Iterable[_Alone]
) -> Iterator[tuple[list[_Alone], list[_Alone]]]:
    """What stands in one gap, of gaps in which either side has something."""
    gaps: dict[tuple[int, ...], tuple[list[_Alone], list[_Alone]]] = {}
    for side, items in enumerate((removed, added)):
        for item in items:
            gaps.setdefault(item.gap, ([], []))[side].append(item)
    yield from (both for both in gaps.values() if all(both))


def _take(pairs: _Pairs, removed: list[_Alone], added: list[_Alone]) -> None:
    if not pairs:
        return
    gone = {id(item) for pair in pairs for item in pair}
    removed[:] = [item for item in removed if id(item) not in gone]
    added[:] = [item for item in added if id(item) not in gone]


def _change(verdict: str, old: _Alone, new: _Alone, places: tuple[str, ...] = ()) -> Change:
    a, b = old.segment, new.segment
    what = partial(meant, verdict, a, b, a.raw if verdict in BENIGN else b"")
    return Change(verdict, b.section, a.path, b.path, size(b.raw), places, what=what)


def _same_key(left: _Alone, right: _Alone) -> Iterator[Change]:
    old, new = left.segment, right.segment
    if old.label != new.label:
        a, b = (f"{item.element.path}/id" for item in (left, right))
        what = partial(meant, "label", old.label, new.label)
        yield Change("volatile", new.section, a, b, len(new.label), what=what)
    if old.unlabelled == new.unlabelled:
        return
    if old.breakpoint != new.breakpoint:
        yield _change("moved-mark", left, right)
    elif left.block.node.kind == right.block.node.kind and (places := _reordered(left, right)):
        yield _change("reordered-keys", left, right, places)
    else:
        yield _change("reshaped", left, right)


def _beside(removed: list[_Alone], added: list[_Alone]) -> bool:
    return removed[0].gap == added[0].gap


def _moves(removed: list[_Alone], added: list[_Alone]) -> _Pairs:
    """Take out what went at one place and came at another, by key."""
    if not removed or not added or (len(removed) == len(added) == 1 and _beside(removed, added)):
        return []
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
        told = [(item.segment.path, size(item.segment.raw)) for item in items]
        if len(items) > 1 and len(items) == items[0].block.of:
            told = [(element.path, size(element.raw))]
        for (path, count), item in zip(told, items, strict=False):
            a, b = (path, None) if verdict == "removed" else (None, path)
            what = partial(meant, verdict, item.segment)
            yield Change(verdict, item.segment.section, a, b, count, what=what)


def _sort(item: _Alone) -> tuple[tuple[int, ...], str, str | None, str]:
    segment = item.segment
    return item.gap, segment.section, segment.role, item.block.name


def _inside(old: _Alone, new: _Alone, seen: Seen) -> Iterator[Change]:
    compare = _only_ids if seen.ids_alone(old.block, new.block) else _parted
    for verdict, places in seen.inside(old.block, new.block, compare):
        yield _change(verdict, old, new, places)


def _only_ids(old: Block, new: Block) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "volatile", old.parted(new)


def _parted(old: Block, new: Block) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The verdicts on two segments that stand for one another, with places."""
    places = old.parted(new)
    if old.attests and new.attests:
        yield "volatile", places
        return
    if places:
        yield "changed", places
    # The order of keys is told apart, so that it hides behind no other change of a schema.
    if places := tuple(reordered(old.node, new.node)):
        yield "reordered-keys", places


def _reordered(old: _Alone, new: _Alone) -> tuple[str, ...]:
    return tuple(reordered(old.block.node, new.block.node))
