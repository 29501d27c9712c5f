"""A body cut into its top-level members and the elements of its sections, and no further.

What `split` finds block by block takes ten times as long as a parse in C; two bodies that share
nearly all of their elements need it for the rest alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.jsontext import Node, Span, items, parse, pointer, spans
from inspector.jsontext.node import NodeKind, kind_of
from inspector.segments.dialect import Dialect
from inspector.segments.segment import Segment
from inspector.segments.splitter import HOLDS_SEGMENTS, Splitter

_NAMES = frozenset({"tools", "system", "messages"})
"""Members that are called as their section."""


@dataclass(frozen=True, slots=True)
class Section:
    """A top-level member that holds segments."""

    dialect: Dialect
    name: str
    raw: bytes
    """Its value as sent."""

    @property
    def elements(self) -> list[bytes]:
        """Its elements as sent; a bare string is the only one."""
        return [self.raw] if self._bare else items(self.raw)

    def path(self, number: int) -> str:
        """Where an element stands."""
        return pointer(self.name) if self._bare else pointer(self.name, number)

    def segments(self, number: int, element: bytes) -> list[tuple[Segment, Node]]:
        """The segments of one element, each with its value as it stands there."""
        splitter = Splitter(self.dialect, element)
        nodes = splitter.element(
            parse(element), self.dialect.sections[self.name], self.path(number)
        )
        return [*zip(splitter.segments, nodes, strict=True)]

    def held_by(self, element: bytes) -> str:
        """The section that an element belongs to, whatever the member."""
        return self.name if self.name in _NAMES else self.segments(0, element)[0][0].section

    @property
    def _bare(self) -> bool:
        return kind_of(self.raw[0]) == "string"


@dataclass(frozen=True, slots=True)
class Cut:
    """The top-level members of a body."""

    dialect: Dialect | None
    spans: tuple[Span, ...] = ()
    """In wire order, duplicates included: names, places, values as sent."""
    problem: str = ""
    """Why it is no model request, in words; empty when it is one."""

    @property
    def params(self) -> dict[str, bytes]:
        """The members that hold no segments; of duplicates the last."""
        return {name: raw for name, _, raw in self.spans if not self._holds(name, raw)}

    @property
    def sections(self) -> list[Section]:
        """The members that hold segments, in wire order."""
        if self.dialect is None:
            return []
        held = ((name, raw) for name, _, raw in self.spans if self._holds(name, raw))
        return [Section(self.dialect, name, raw) for name, raw in held]

    def _holds(self, name: str, raw: bytes) -> bool:
        known = self.dialect is not None and name in self.dialect.sections
        return known and kind_of(raw[0]) in HOLDS_SEGMENTS


def cut(body: bytes, dialects: Sequence[Dialect]) -> Cut:
    """Cut a body that the first of the dialects claims; never fails."""
    try:
        found = spans(body)
    except ValueError as error:
        return Cut(None, problem=in_words(error))
    kinds: dict[str, NodeKind] = {name: kind_of(raw[0]) for name, _, raw in found}
    dialect = next((dialect for dialect in dialects if dialect.claims(kinds)), None)
    if dialect is not None:
        return Cut(dialect, tuple(found))
    kind = kind_of(body.lstrip()[0])
    return Cut(None, problem=foreign(kinds) if kind == "object" else _no_object(kind))


def in_words(error: ValueError) -> str:
    """Why a body is no JSON."""
    if isinstance(error, UnicodeDecodeError):
        return f"not JSON (no UTF-8 at byte {error.start})"
    return f"not JSON ({str(error).removeprefix('invalid JSON: ')})"


def foreign(kinds: Mapping[str, NodeKind]) -> str:
    """What an object is that no dialect claims."""
    return f"no model request: a JSON object of {', '.join(list(kinds)[:6]) or 'nothing'}"


def _no_object(kind: NodeKind) -> str:
    return f"no model request: a JSON {kind}"
