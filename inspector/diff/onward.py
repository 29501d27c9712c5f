"""Pairs of requests of two sessions, each with most of the pair before in it.

What both requests hold of their predecessors was compared there; only the rest is looked at.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from inspector.diff.change import Change
from inspector.diff.elements import Both, Unshared, shared, unshared
from inspector.segments import Cut

type _Numbers = tuple[list[int], list[int]]
_NOWHERE = (0, 0)


@dataclass(frozen=True, slots=True)
class _Told:
    """A change with the elements it is about."""

    section: str
    old: int | None
    new: int | None
    what: int

    def within(self, start: tuple[int, int]) -> bool | None:
        """Whether it is about elements before a place on either side; None: across it."""
        sides = {
            number < end
            for number, end in zip((self.old, self.new), start, strict=True)
            if number is not None
        }
        return sides.pop() if len(sides) == 1 else None


@dataclass(slots=True)
class Onward:
    """What the pair before told."""

    _held: dict[str, Both] = field(default_factory=dict[str, Both])
    _apart: dict[str, _Numbers] = field(default_factory=dict[str, _Numbers])
    _told: list[_Told] = field(default_factory=list[_Told])
    _starts: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    _found: Unshared = field(default_factory=Unshared)

    @property
    def begun(self) -> bool:
        """Whether there is a pair before, of which anything can be left out."""
        return bool(self._held)

    def forget(self) -> None:
        """Let the next pair be looked at whole."""
        self._held, self._apart, self._told, self._starts = {}, {}, [], {}
        self._found = Unshared()

    def unshared(self, a: Cut, b: Cut) -> Unshared:
        """What is left of two bodies beyond what the pair before told."""
        self._starts = {}
        self._found = unshared(a, b, self._start)
        return self._found

    def told(self, changes: Iterable[tuple[Change, int]]) -> list[int]:
        """Keep what this pair tells; gives what it has in common with the pair before."""
        found = self._found
        if not found.held:
            return []
        again = [one for one in self._told if one.within(self._start_of(one.section))]
        self._apart = {name: self._before(name) for name in found.held}
        apart = [*found.removed, *(old for old, _ in found.moved)]
        come = [*found.added, *(new for _, new in found.moved)]
        for side, elements in enumerate((apart, come)):
            for element in elements:
                self._apart[element.section.name][side].append(element.number)
        self._held = found.held
        self._told = [*again, *(_placed(change, what) for change, what in changes)]
        return [one.what for one in again]

    def _start_of(self, section: str) -> tuple[int, int]:
        return self._starts.get(section, _NOWHERE)

    def _before(self, name: str) -> _Numbers:
        start, apart = self._start_of(name), self._apart.get(name, ([], []))
        old, new = ([n for n in apart[side] if n < start[side]] for side in (0, 1))
        return old, new

    def _start(self, name: str, both: Both) -> tuple[int, int]:
        """How many elements of either side the pair before had, and told all about."""
        if name not in self._held:
            return _NOWHERE
        start = shared(self._held[name][0], both[0]), shared(self._held[name][1], both[1])
        self._starts[name] = start
        apart = self._before(name)
        # Elements in one order pair across no place before which as many stand on either side.
        level = start[0] - len(apart[0]) == start[1] - len(apart[1])
        if not level or any(one.within(start) is None for one in self._told if one.section == name):
            self._starts[name] = _NOWHERE
        return self._starts[name]


def _placed(change: Change, what: int) -> _Told:
    name, old = _place(change.path_a)
    other, new = _place(change.path_b)
    return _Told(name or other, old, new, what)


def _place(path: str | None) -> tuple[str, int | None]:
    """The section and the number of an element."""
    _, name, number, *_ = f"{path or ''}///".split("/")
    return name, int(number) if number.isdecimal() else None
