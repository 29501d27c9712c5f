"""The elements of two bodies' sections that one body alone holds, told by their bytes.

Nothing is split here: what two bodies share costs no more than comparing memory.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from rapidfuzz.distance import Indel

from inspector.jsontext import Node
from inspector.segments import Cut, Segment
from inspector.segments.cut import Section
from inspector.segments.narrowed import Narrowed


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element that the other body does not hold at its place."""

    section: Section
    number: int
    raw: bytes
    gap: int
    """Which stretch between equal elements it stands in."""

    @property
    def path(self) -> str:
        """Where it stands."""
        return self.section.path(self.number)

    @property
    def segments(self) -> list[tuple[Segment, Node]]:
        """It, split."""
        return self.section.segments(self.number, self.raw)


type Both = tuple[list[bytes], list[bytes]]
"""The elements of a section in two bodies."""


@dataclass(slots=True)
class Unshared:
    """What is left of two bodies."""

    removed: list[Element] = field(default_factory=list[Element])
    added: list[Element] = field(default_factory=list[Element])
    moved: list[tuple[Element, Element]] = field(default_factory=list[tuple[Element, Element]])
    held: dict[str, Both] = field(default_factory=dict[str, Both])
    """By name of a section all elements of both."""


def unshared(
    a: Cut, b: Cut, start: Callable[[str, Both], tuple[int, int]] = lambda _name, _both: (0, 0)
) -> Unshared:
    """The elements without an equal one at their place; those with one elsewhere have moved.

    `start` says how many elements of a section need not be looked at, on either side.
    """
    found = Unshared()
    gaps = count()
    for old, new in _pairs(a.sections, b.sections):
        if old is None or new is None or old.raw != new.raw:
            both = old.elements if old else [], new.elements if new else []
            name = old.name if old else new.name if new else ""
            found.held[name] = both
            _compared(found, (old, new), both, start(name, both), gaps)
    _move(found)
    return found


def unshared_within(narrow: Narrowed) -> Unshared:
    """The same of two bodies whose only elements that may differ are known."""
    found = Unshared()
    section = narrow.section
    _compared(found, (section, section), (narrow.old, narrow.new), (0, 0), count(), narrow.first)
    _move(found)
    return found


def stretches[Item: (bytes, str)](
    a: Sequence[Item], b: Sequence[Item]
) -> Iterator[tuple[bool, slice, slice]]:
    """How one row becomes another: stretches that are equal, and what stands between them."""
    i = j = 0
    alone = len(a) == len(b) == 1 and a[0] != b[0]
    for code in Indel.opcodes(a, b) if a and b and not alone else ():
        if code.tag == "equal":
            if (i, j) != (code.src_start, code.dest_start):
                yield False, slice(i, code.src_start), slice(j, code.dest_start)
            i, j = code.src_end, code.dest_end
            yield True, slice(code.src_start, i), slice(code.dest_start, j)
    if i < len(a) or j < len(b):
        yield False, slice(i, len(a)), slice(j, len(b))


def _pairs(
    a: Sequence[Section], b: Sequence[Section]
) -> Iterator[tuple[Section | None, Section | None]]:
    """Sections of one name, in the order of the new body."""
    left = list(a)
    for new in b:
        old = next((one for one in left if one.name == new.name), None)
        if old is not None:
            left.remove(old)
        yield old, new
    yield from ((one, None) for one in left)


def _compared(
    found: Unshared,
    sections: tuple[Section | None, Section | None],
    both: Both,
    start: tuple[int, int],
    gaps: Iterator[int],
    first: int = 0,
) -> None:
    """Take what is in one list of elements alone; `first` is the number of the first of both."""
    i, j = start
    head = shared(both[0], both[1]) if (i, j) == (0, 0) else 0
    i, j = i + head, j + head
    tail = shared(both[0][i:][::-1], both[1][j:][::-1])
    a, b = both[0][i : len(both[0]) - tail], both[1][j : len(both[1]) - tail]
    for equal, left, right in stretches(a, b):
        if not equal:
            gap = next(gaps)
            found.removed += _elements(sections[0], a[left], first + i + left.start, gap)
            found.added += _elements(sections[1], b[right], first + j + right.start, gap)


def _elements(
    section: Section | None, raws: Sequence[bytes], first: int, gap: int
) -> Iterator[Element]:
    for number, raw in enumerate(raws, first):
        assert section is not None
        yield Element(section, number, raw, gap)


def shared(a: Sequence[bytes], b: Sequence[bytes]) -> int:
    """How many of the first items are equal."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((n for n, (one, other) in pairs if one != other), min(len(a), len(b)))


def _move(found: Unshared) -> None:
    waiting: dict[tuple[str, bytes], list[Element]] = {}
    for old in found.removed:
        waiting.setdefault((old.section.name, old.raw), []).append(old)
    stay: list[Element] = []
    for new in found.added:
        same = waiting.get((new.section.name, new.raw))
        if same:
            found.moved.append((same.pop(0), new))
        else:
            stay.append(new)
    gone = {id(old) for old, _ in found.moved}
    found.added = stay
    found.removed = [old for old in found.removed if id(old) not in gone]
