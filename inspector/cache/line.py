"""The prefix of a conversation's newest request, carried on from one request to the next.

What a request shares with the one before is neither looked at nor computed again, so a long session
costs what is new in it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from inspector.cache.positions import ORDER, Position, deferred, position
from inspector.segments import Prompt, Segment

_HOISTED = ("system", "developer")

type Numbered = list[tuple[int, Segment]]
"""Segments with their places in the request."""


@dataclass(slots=True)
class _Run:
    """The positions of one section."""

    section: str
    plain: bool
    segments: list[Segment] = field(default_factory=list[Segment])
    """Deferred tools, which are no positions, too."""
    before: list[int] = field(default_factory=list[int])
    """Positions before each of them."""
    places: list[int] = field(default_factory=list[int])
    """Of the segments in the request."""
    positions: list[Position] = field(default_factory=list[Position])
    digests: list[bytes] = field(default_factory=list[bytes])
    """Of the prefix that ends with each."""
    ends: list[int] = field(default_factory=list[int])
    """Bytes of the section up to the end of each."""
    marks: list[int] = field(default_factory=list[int])
    base: bytes = b""
    """The digest of the sections before."""
    kept: int = 0
    """Positions that are the ones of the request before."""
    dropped: list[Position] = field(default_factory=list[Position])
    """Those of the request before that are not."""

    def take(self, common: int, come: Numbered, base: bytes) -> bytes:
        """Go on to the next request; the digest of its prefix up to the section's end.

        `common`: the first segments of the request, which are those of the one before.
        """
        kept, taken = bisect_left(self.places, common), 0
        while taken < len(come) and kept < len(self.segments):
            if not _same(self.segments[kept], come[taken][1]):
                break
            self.places[kept] = come[taken][0]
            kept, taken = kept + 1, taken + 1
        self._cut(kept)
        if base != self.base:
            self.base = base
            self.digests.clear()
            self._extend(self.positions)
        for place, segment in come[taken:]:
            self._add(place, segment)
        return self.digests[-1] if self.digests else base

    def _cut(self, segments: int) -> None:
        """Keep the first segments."""
        whole = segments == len(self.segments)
        self.kept = len(self.positions) if whole else self.before[segments]
        self.dropped = self.positions[self.kept :]
        if not whole:
            del self.segments[segments:], self.before[segments:], self.places[segments:]
            del self.positions[self.kept :], self.digests[self.kept :], self.ends[self.kept :]
            del self.marks[bisect_left(self.marks, self.kept) :]

    def _add(self, place: int, segment: Segment) -> None:
        self.segments.append(segment)
        self.places.append(place)
        self.before.append(len(self.positions))
        if deferred(segment):
            return
        found = position(segment, self.section, plain=self.plain)
        if found.ttl is not None:
            self.marks.append(len(self.positions))
        self.positions.append(found)
        self.ends.append((self.ends[-1] if self.ends else 0) + found.size)
        self._extend((found,))

    def _extend(self, found: Sequence[Position]) -> None:
        last = self.digests[-1] if self.digests else self.base
        for item in found:
            last = sha256(last + item.key).digest()
            self.digests.append(last)

    def upto(self, length: int) -> int:
        """Bytes of the first positions."""
        return self.ends[min(length, len(self.ends)) - 1] if length > 0 and self.ends else 0


class Line:
    """The positions of the newest request, with what they add up to."""

    __slots__ = ("_hoists", "_prompt", "_runs", "_starts", "marks", "size")

    def __init__(self, *, plain: bool = False, hoists: bool = False) -> None:
        """`plain`, `hoists`: as an `Upstream` has them."""
        self._hoists = hoists
        self._prompt: Prompt | None = None
        self._runs = [_Run(section, plain) for section in ORDER]
        self._starts = [0] * len(ORDER)
        self.size = 0
        self.marks: list[int] = []
        """Positions with a mark."""

    def advance(self, prompt: Prompt) -> None:
        """Go on to the next request."""
        common = prompt.common(self._prompt) if self._prompt is not None else 0
        come: dict[str, Numbered] = {name: [] for name in ORDER}
        for place, segment in enumerate(prompt.since(common), start=common):
            section = segment.section
            if self._hoists and segment.role in _HOISTED:
                section = "system"
            if section in come:
                come[section].append((place, segment))
        base, start = b"", 0
        self.marks = []
        for number, (name, run) in enumerate(zip(ORDER, self._runs, strict=True)):
            base = run.take(common, come[name], base)
            self._starts[number] = start
            self.marks += [start + mark for mark in run.marks]
            start += len(run.positions)
        self.size, self._prompt = start, prompt

    def at(self, number: int) -> Position:
        """The position with this number, from 0."""
        run, index = self._locate(number)
        return run.positions[index]

    def digest(self, number: int) -> bytes:
        """Of the prefix that ends with this position."""
        run, index = self._locate(number)
        return run.digests[index]

    def in_messages(self, number: int) -> bool:
        """Whether a position is one of the messages."""
        return number >= self._starts[-1]

    def upto(self, length: int) -> int:
        """Bytes of the first positions."""
        total = 0
        for run in self._runs:
            total += run.upto(length)
            length -= len(run.positions)
        return total

    def found(self) -> list[Position]:
        """All positions."""
        return [item for run in self._runs for item in run.positions]

    def earlier(self, length: int) -> list[Position]:
        """The first positions of the request before."""
        every = [item for run in self._runs for item in (*run.positions[: run.kept], *run.dropped)]
        return every[:length]

    def _locate(self, number: int) -> tuple[_Run, int]:
        for run, start in zip(reversed(self._runs), reversed(self._starts), strict=True):
            if number >= start:
                return run, number - start
        raise IndexError(number)


def _same(one: Segment, other: Segment) -> bool:
    """Whether two blocks are the same bytes at the same place of a request."""
    return one is other or (
        one.raw == other.raw
        and one.path == other.path
        and one.role == other.role
        and one.owner == other.owner
        and one.opens_message == other.opens_message
    )
