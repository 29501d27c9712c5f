"""Segments of successive bodies, each body holding only those that are new in it."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from inspector.segments.segment import Segment


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The first `shared` segments of a parent, then segments of its own."""

    own: tuple[Segment, ...]
    parent: "Chain | None" = None
    shared: int = 0
    starts: list[int] = field(default_factory=list[int])
    """Where the own segments start in their body."""

    @classmethod
    def after(cls, parent: "Chain | None", shared: int, own: Iterable[Segment]) -> "Chain":
        """New segments after the first ones of a parent."""
        # Skip links that would add nothing, so that they can be freed.
        while parent is not None and shared <= parent.shared:
            parent = parent.parent if shared else None
        chain = cls(tuple(own), parent, shared)
        end = parent.span(shared - 1)[1] if parent is not None else 0
        for segment in chain.own:
            chain.starts.append(end + len(segment.lead))
            end = chain.starts[-1] + len(segment.raw)
        return chain

    def __len__(self) -> int:
        return self.shared + len(self.own)

    def joined(self) -> tuple[Segment, ...]:
        """All segments."""
        links: list[Chain] = [self]
        while links[-1].parent is not None:
            links.append(links[-1].parent)
        counts = [len(self), *(link.shared for link in links)]
        pairs = zip(reversed(links), reversed(counts[:-1]), strict=True)
        return tuple(one for link, count in pairs for one in islice(link.own, count - link.shared))

    def common(self, other: "Chain") -> int:
        """How many of the first segments are another's, as far as the links tell."""
        if self is other:
            return len(self)
        link: Chain | None = other
        most = len(other)
        while link is not None:
            if link is self.parent:
                return min(self.shared, most)
            most = min(most, link.shared)
            link = link.parent
        return 0

    def since(self, number: int) -> tuple[Segment, ...]:
        """The segments from one on; the link's own are at hand."""
        if number < self.shared:
            return self.joined()[number:]
        return self.own[number - self.shared :]

    def locate(self, number: int) -> tuple["Chain", int]:
        """The link that holds a segment, and the segment's place in it."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        link = self
        while number < link.shared:
            assert link.parent is not None
            link = link.parent
        return link, number - link.shared

    def span(self, number: int) -> tuple[int, int]:
        """Start and end of a segment in the body."""
        link, index = self.locate(number)
        return link.starts[index], link.starts[index] + len(link.own[index].raw)

    def last_before(self, offset: int) -> int:
        """The last segment that starts before an offset; -1 when there is none."""
        link, count = self, len(self)
        while True:
            index = bisect_right(link.starts, offset - 1, 0, count - link.shared) - 1
            if index >= 0:
                return link.shared + index
            if link.parent is None:
                return -1
            link, count = link.parent, link.shared
