"""The walk over a checked body that makes segments and params."""

from dataclasses import dataclass, field

from inspector.jsontext import Member, Node, pointer
from inspector.segments.dialect import Dialect, Part, Walker
from inspector.segments.param import Param
from inspector.segments.segment import Segment

HOLDS_SEGMENTS = frozenset({"array", "string"})


@dataclass(slots=True)
class Splitter:
    """Takes top-level members and elements in wire order, collects segments and params."""

    dialect: Dialect
    data: bytes
    before: int = 0
    """Segments shared with a parent."""
    members: list[Param] = field(default_factory=list[Param])
    lead: bytes = b""
    """Bytes before `at` that belong to the lead of the first segment."""
    at: int = 0
    segments: list[Segment] = field(default_factory=list[Segment])

    def member(self, member: Member) -> None:
        """A top-level member: a section or a param."""
        walker = self.dialect.sections.get(member.name)
        kind = member.value.kind
        if walker is None or kind not in HOLDS_SEGMENTS:
            self._opened(member, member.value.raw)
            return
        self._opened(member, None)
        self.section(member.name, member.value, walker)

    def _opened(self, member: Member, raw: bytes | None) -> None:
        before = self.before + len(self.segments)
        self.members.append(Param(member.name, member.value.kind, raw, before))

    def section(self, name: str, value: Node, walker: Walker, first: int = 0) -> None:
        """The elements of a section, the first of them with its number."""
        if value.kind != "array":
            self.element(value, walker, pointer(name))
            return
        for number, item in enumerate(value.items, first):
            self.element(item, walker, pointer(name, number))

    def element(self, item: Node, walker: Walker, path: str) -> list[Node]:
        """One element of a section; gives the values of its segments."""
        unit = item.start
        nodes: list[Node] = []
        for part in walker(path, item):
            self._segment(part, part.node.start - unit if unit >= 0 else -1)
            nodes.append(part.node)
            unit = -1
        return nodes

    def _segment(self, part: Part, unit: int) -> None:
        node = part.node
        lead = self.lead + self.data[self.at : node.start]
        self.segments.append(
            Segment(
                part.path,
                part.section,
                part.role,
                part.opens_message,
                node.raw,
                lead,
                part.owner,
                part.unknown,
                unit,
                self.dialect,
                part.label,
            )
        )
        self.lead = b""
        self.at = node.end
