"""What encoding gives: bytes, and where every run of them came from."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from inspector.text.origin import Origin
from inspector.text.pieces import Text


@dataclass(frozen=True, slots=True)
class Run:
    """Bytes `start` to `end` of a built body (inside the quotes of a string) and their origin."""

    start: int
    end: int
    origin: Origin
    at: int
    """Code points into the source where the run starts."""
    sealed: bool = False
    """True: a placeholder stands here, because the words are not at hand."""


type Groups = tuple[Run | tuple[int, Groups], ...]
"""Runs, and groups of runs that start so many bytes further on."""


@dataclass(frozen=True, slots=True)
class Written:
    """Bytes of a value and the runs in them."""

    body: bytes
    groups: Groups


@dataclass(frozen=True)
class Built:
    """A request body made offline, with its origins."""

    body: bytes
    groups: Groups
    unordered: tuple[str, ...] = ()
    """JSON pointers of objects whose key order is random on the wire."""
    headers: tuple[tuple[str, Text], ...] = ()
    """Headers the builder claims, in wire order, names in wire case."""

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Where every run of bytes came from, in order."""
        return tuple(_flat(self.groups, 0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Built) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self.body)

    def _parts(self) -> tuple[object, ...]:
        return self.body, self.runs, self.unordered, self.headers


def _flat(groups: Groups, offset: int) -> Iterator[Run]:
    for group in groups:
        if not isinstance(group, Run):
            yield from _flat(group[1], offset + group[0])
        elif offset:
            start, end = group.start + offset, group.end + offset
            yield Run(start, end, group.origin, group.at, group.sealed)
        else:
            yield group
