"""What was compared before: the bodies of one session share most of their elements."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from inspector.diff.elements import Element
from inspector.diff.inside import only_made_up, parted
from inspector.jsontext import Node
from inspector.segments import Segment
from inspector.segments.difference import both_ends

_ATTESTATION = "x-anthropic-billing-header:"
"""Witness: system block 0 of Claude Code 2.1.332 on its default host."""
_ALIKE = 0.4
"""Share of words in common, in order, from which on one text is told as having become another."""
_MOST_PAIRED = 30
_LOOKED_AT = 8_000
_SHORT = 400
"""Bytes up to which two values may share half of theirs and yet no words."""
_TINY = 100
"""The same of those that share four fifths."""
_WORD = re.compile(rb"\w+|[^\w\s]")

type Verdicts = tuple[tuple[str, tuple[str, ...]], ...]
"""Each with the places inside."""


@dataclass(slots=True, eq=False)
class Block:
    """A segment, parsed when it is asked for."""

    segment: Segment
    of: int
    """How many segments its element has."""
    node: Node
    """Its value as it stands in its element."""
    _shared: tuple["Block", tuple[int, int]] | None = None
    _parted: tuple["Block", tuple[str, ...]] | None = None
    _words: list[bytes] | None = None
    _name: str | None = None

    def shared(self, new: "Block") -> tuple[int, int]:
        """How many bytes it and another have in common at both ends; the last answer is kept."""
        if self._shared is None or self._shared[0] is not new:
            self._shared = new, both_ends(self.segment.raw, new.segment.raw)
        return self._shared[1]

    def parted(self, new: "Block") -> tuple[str, ...]:
        """Pointers at which it and another part; the last answer is kept."""
        if self._parted is None or self._parted[0] is not new:
            self._parted = new, tuple(parted(self.node, new.node))
        return self._parted[1]

    @property
    def attests(self) -> bool:
        """Whether it is the billing line, new in each request by design of the client."""
        text = self.node.string_of("text") if self.segment.section == "system" else None
        return text is not None and text.startswith(_ATTESTATION)

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
    _alike: dict[tuple[Block, Block], float] = field(
        default_factory=dict[tuple[Block, Block], float]
    )
    _ids_alone: dict[tuple[Block, Block], bool] = field(
        default_factory=dict[tuple[Block, Block], bool]
    )
    _inside: dict[tuple[Block, Block], Verdicts] = field(
        default_factory=dict[tuple[Block, Block], Verdicts]
    )

    def blocks(self, element: Element) -> list[Block]:
        """The segments of an element."""
        what = element.section.name, element.number, element.raw
        if what not in self._blocks:
            found = element.segments
            self._blocks[what] = [Block(one, len(found), node) for one, node in found]
        return self._blocks[what]

    def likest(self, old: Block, among: Sequence[Block]) -> int | None:
        """Which segment an old one became: of the same tool, or with most words in common."""
        if old.segment.section == "tools" or not among:
            return 0 if among else None
        best = max(range(len(among[:_MOST_PAIRED])), key=lambda n: self._alikeness(old, among[n]))
        return best if self._alikeness(old, among[best]) >= _ALIKE else None

    def surely_unlike(self, old: Block, new: Block) -> bool:
        """Whether two segments mean something else, as their values tell without a digest."""
        if old.node.kind != "object" or new.node.kind != "object":
            return False
        return any(_tells(old, new, place) for place in old.parted(new))

    def ids_alone(self, old: Block, new: Block) -> bool:
        """Whether two segments differ in days, moments and ids alone."""
        what = old, new
        if what not in self._ids_alone:
            same = old.of == new.of and old.name == new.name
            raws = old.segment.raw, new.segment.raw
            self._ids_alone[what] = same and only_made_up(*raws, *old.shared(new))
        return self._ids_alone[what]

    def inside(
        self,
        old: Block,
        new: Block,
        compare: Callable[[Block, Block], Iterable[tuple[str, tuple[str, ...]]]],
    ) -> Verdicts:
        """The verdicts on two segments that stand for one another."""
        what = old, new
        if what not in self._inside:
            self._inside[what] = tuple(compare(old, new))
        return self._inside[what]

    def _alikeness(self, old: Block, new: Block) -> float:
        what = old, new
        if what not in self._alike:
            self._alike[what] = _alikeness(old, new)
        return self._alike[what]


def _tells(old: Block, new: Block, place: str) -> bool:
    """Whether what parts at a place is part of the meaning: neither a mark nor another shape."""
    dialect = old.segment.dialect
    if f"/{dialect.mark}" in place:
        return False
    inside = {f"/{name}" for name in dialect.nested.values()}
    return place not in inside or _strings(old.node.find(place), new.node.find(place))


def _strings(*nodes: Node | None) -> bool:
    return all(node is not None and node.kind == "string" for node in nodes)


def mostly(old: bytes, new: bytes, same: int) -> bool:
    """Whether two values that share so many bytes are the same one, changed."""
    most = max(len(old), len(new))
    return (most > _SHORT and same * 2 > most) or (most > _TINY and same * 5 > most * 4)


def _alikeness(old: Block, new: Block) -> float:
    """The share of words in common; of values that share most of their bytes, that of bytes."""
    a, b = old.segment.raw, new.segment.raw
    same = sum(old.shared(new))
    if mostly(a, b, same):
        return same / max(len(a), len(b))
    return Indel.normalized_similarity(old.words, new.words)
