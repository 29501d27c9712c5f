"""What was compared before: the bodies of one session share most of their elements."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from inspector.diff.elements import Element
from inspector.jsontext import Node
from inspector.segments import Segment
from inspector.segments.difference import common_end, first_difference

_ALIKE = 0.4
"""Share of words in common, in order, from which on one text is told as having become another."""
_MOST_PAIRED = 30
_LOOKED_AT = 8_000
_SHORT = 400
"""Bytes up to which two values may share half of theirs and yet no words."""
_WORD = re.compile(rb"\w+|[^\w\s]")

type Verdicts = tuple[tuple[str, tuple[str, ...]], ...]
"""Each with the places inside."""


@dataclass(slots=True, eq=False)
class Block:
    """A segment, parsed when it is asked for."""

    segment: Segment
    of: int
    """How many segments its element has."""
    _node: Node | None = None
    _words: list[bytes] | None = None
    _name: str | None = None

    @property
    def node(self) -> Node:
        """Its value."""
        if self._node is None:
            self._node = self.segment.value
        return self._node

    @property
    def name(self) -> str:
        """A tool's name, the type of any other block."""
        if self._name is None:
            member = "name" if self.segment.section == "tools" else "type"
            self._name = self.node.string_of(member) or ""
        return self._name

    @property
    def words(self) -> list[bytes]:
        """Its first words."""
        if self._words is None:
            self._words = _WORD.findall(self.segment.raw[:_LOOKED_AT])
        return self._words


@dataclass(slots=True)
class Seen:
    """Elements that were split, and pairs of segments that were compared."""

    _blocks: dict[tuple[str, int, bytes], list[Block]] = field(
        default_factory=dict[tuple[str, int, bytes], list[Block]]
    )
    _alike: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    _inside: dict[tuple[str, str], Verdicts] = field(
        default_factory=dict[tuple[str, str], Verdicts]
    )

    def blocks(self, element: Element) -> list[Block]:
        """The segments of an element."""
        what = element.section.name, element.number, element.raw
        if what not in self._blocks:
            found = element.segments
            self._blocks[what] = [Block(one, len(found)) for one in found]
        return self._blocks[what]

    def likest(self, old: Block, among: Sequence[Block]) -> int | None:
        """Which segment an old one became: of the same tool, or with most words in common."""
        if old.segment.section == "tools" or not among:
            return 0 if among else None
        best = max(range(len(among[:_MOST_PAIRED])), key=lambda n: self._alikeness(old, among[n]))
        return best if self._alikeness(old, among[best]) >= _ALIKE else None

    def inside(
        self,
        old: Block,
        new: Block,
        compare: Callable[[Block, Block], Iterable[tuple[str, tuple[str, ...]]]],
    ) -> Verdicts:
        """The verdicts on two segments that stand for one another."""
        what = old.segment.key, new.segment.key
        if what not in self._inside:
            self._inside[what] = tuple(compare(old, new))
        return self._inside[what]

    def _alikeness(self, old: Block, new: Block) -> float:
        what = old.segment.key, new.segment.key
        if what not in self._alike:
            self._alike[what] = _alikeness(old, new)
        return self._alike[what]


def _alikeness(old: Block, new: Block) -> float:
    """The share of words in common; of values that share most of their bytes, that of bytes."""
    a, b = old.segment.raw, new.segment.raw
    same = first_difference(a, b)
    same += common_end(a, b, min(len(a), len(b)) - same)
    if max(len(a), len(b)) > _SHORT and same * 2 > max(len(a), len(b)):
        return same / max(len(a), len(b))
    return Indel.normalized_similarity(old.words, new.words)
