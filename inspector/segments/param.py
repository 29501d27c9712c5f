"""A top-level member of a body."""

from dataclasses import dataclass

from inspector.jsontext.node import NodeKind


@dataclass(frozen=True, slots=True)
class Param:
    """A top-level member that is no section, or (`raw` none) the opening of a section."""

    name: str
    kind: NodeKind
    raw: bytes | None
    before: int
    """How many segments stand before it."""
