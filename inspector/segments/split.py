"""From a request body to a prompt: whole, or from the first difference to its parent on.

Strategy: a body that begins like its parent's is split again only from the last array element
that starts before the first difference. The rest is wrapped into a small document of its own
(`{"":[` + rest), so one parser and one walk serve both cases, and both give equal prompts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from inspector.jsontext import Member, Node, parse, pointer, tokens
from inspector.jsontext.node import NodeKind
from inspector.segments.chain import Chain
from inspector.segments.dialect import Dialect, Part, Walker
from inspector.segments.prompt import Param, Prompt
from inspector.segments.segment import Segment

_HOLDS_SEGMENTS = frozenset({"array", "string"})
_CHUNK = 1 << 16


def split(body: bytes, dialects: Sequence[Dialect], parent: Prompt | None = None) -> Prompt:
    """Split a body by the first dialect that claims it, sharing its beginning with a parent.

    Never fails: what is no model request becomes a prompt without segments that says why.
    """
    if parent is not None and parent.dialect in dialects:
        prompt = _continued(body, dialects, parent)
        if prompt is not None:
            return prompt
    return _whole(body, dialects)


def _whole(body: bytes, dialects: Sequence[Dialect]) -> Prompt:
    try:
        root = parse(body)
    except ValueError as error:
        return Prompt(body, problem=_in_words(error))
    if root.kind != "object":
        return Prompt(body, problem=f"no model request: a JSON {root.kind}")
    kinds: dict[str, NodeKind] = {member.name: member.value.kind for member in root.members}
    dialect = next((dialect for dialect in dialects if dialect.claims(kinds)), None)
    if dialect is None:
        names = ", ".join(list(kinds)[:6])
        return Prompt(body, problem=f"no model request: a JSON object of {names or 'nothing'}")
    splitter = _Splitter(dialect, body)
    for member in root.members:
        splitter.member(member)
    chain = Chain.after(None, 0, splitter.segments)
    return Prompt(body, chain, dialect, splitter.members)


def _in_words(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"invalid JSON: no UTF-8 at byte {error.start}"
    return str(error)


def _continued(body: bytes, dialects: Sequence[Dialect], parent: Prompt) -> Prompt | None:
    last = _last_unit_before(parent, _first_difference(parent.body, body))
    if last < 0:
        return None
    segment = parent.segment(last)
    start = parent.span(last)[0] - segment.unit
    name, *number = tokens(segment.path)[:2]
    opening = b'{"":[' if number else b'{"":'
    try:
        root = parse(opening + body[start:])
    except ValueError:
        return None
    assert parent.dialect is not None
    lead = body[parent.end_of(last - 1) if last else 0 : start]
    kept = [member for member in parent.members if member.before <= last]
    splitter = _Splitter(parent.dialect, root.source.data, last, kept, lead, len(opening))
    first, *others = root.members
    walker = parent.dialect.sections[name]
    splitter.section(name, first.value, walker, int(number[0]) if number else 0)
    for member in others:
        splitter.member(member)
    kinds: dict[str, NodeKind] = {member.name: member.kind for member in splitter.members}
    if next((dialect for dialect in dialects if dialect.claims(kinds)), None) is not parent.dialect:
        return None
    return parent.chained(body, last, splitter.segments, splitter.members)


def _last_unit_before(parent: Prompt, offset: int) -> int:
    """The first segment of the last array element that starts before an offset, or -1."""
    last = parent.last_before(offset)
    if last + 1 < len(parent):
        unit = parent.segment(last + 1).unit
        if unit >= 0 and parent.span(last + 1)[0] - unit < offset:
            return last + 1
    while last >= 0 and parent.segment(last).unit < 0:
        last -= 1
    return last


def _first_difference(one: bytes, other: bytes) -> int:
    """The offset of the first byte that differs, or where the shorter one ends."""
    size = min(len(one), len(other))
    if one.startswith(other[:size]) if size == len(other) else other.startswith(one):
        return size
    at = 0
    while one[at : at + _CHUNK] == other[at : at + _CHUNK]:
        at += _CHUNK
    low, high = at, min(at + _CHUNK, size)
    while low < high:
        middle = (low + high) // 2
        if one[low : middle + 1] == other[low : middle + 1]:
            low = middle + 1
        else:
            high = middle
    return low


@dataclass(slots=True)
class _Splitter:
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
        if walker is None or kind not in _HOLDS_SEGMENTS:
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
            self._unit(value, walker, pointer(name))
            return
        for number, item in enumerate(value.items, first):
            self._unit(item, walker, pointer(name, number))

    def _unit(self, item: Node, walker: Walker, path: str) -> None:
        unit = item.start
        for part in walker(path, item):
            self._segment(part, part.node.start - unit if unit >= 0 else -1)
            unit = -1

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
            )
        )
        self.lead = b""
        self.at = node.end
