"""From a request body to a prompt: whole, or from the first difference to its parent on.

Strategy: a body that begins like its parent's is split again only from the last array element
that starts before the first difference. The rest is wrapped into a small document of its own
(`{"":[` + rest), so one parser and one walk serve both cases, and both give equal prompts. Where
the bodies are equal again from a later element of the same section on, the parent's segments are
taken from there, so that one changed or inserted message costs no more than itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inspector.jsontext import Node, parse, pointer, tokens
from inspector.jsontext.node import NodeKind
from inspector.segments.chain import Chain
from inspector.segments.cut import foreign, in_words
from inspector.segments.dialect import Dialect
from inspector.segments.difference import common_end, first_difference
from inspector.segments.prompt import Prompt
from inspector.segments.segment import Segment
from inspector.segments.splitter import Splitter


def split(body: bytes, dialects: Sequence[Dialect], parent: Prompt | None = None) -> Prompt:
    """Split a body by the first dialect that claims it, sharing its beginning with a parent.

    Never fails: what is no model request becomes a prompt without segments that says why.
    """
    if parent is not None and parent.dialect in dialects:
        prompt = _continued(body, dialects, parent)
        if prompt is not None:
            return prompt
    return Prompt.unsplit(body, dialects, _whole)


def _whole(body: bytes, dialects: Sequence[Dialect]) -> Prompt:
    try:
        root = parse(body)
    except ValueError as error:
        return Prompt(body, problem=in_words(error))
    if root.kind != "object":
        return Prompt(body, problem=f"no model request: a JSON {root.kind}")
    kinds: dict[str, NodeKind] = {member.name: member.value.kind for member in root.members}
    dialect = next((dialect for dialect in dialects if dialect.claims(kinds)), None)
    if dialect is None:
        return Prompt(body, problem=foreign(kinds))
    splitter = Splitter(dialect, body)
    for member in root.members:
        splitter.member(member)
    chain = Chain.after(None, 0, splitter.segments)
    return Prompt(body, chain, dialect, splitter.members)


@dataclass(frozen=True, slots=True)
class _Resumption:
    """Where splitting begins again: at an array element (or bare string) of the parent."""

    parent: Prompt
    segment: int
    """The number of the element's first segment."""
    start: int
    """Where the element starts, in both bodies."""
    section: str
    number: int | None
    """Its place in the section's array; none for a bare string."""

    @property
    def opening(self) -> bytes:
        """What makes the rest of the body a document of its own."""
        return b'{"":' if self.number is None else b'{"":['

    def splitter(self, body: bytes, root: Node) -> Splitter:
        """A walk over the rest that knows what comes before."""
        assert self.parent.dialect is not None
        before = self.parent.end_of(self.segment - 1) if self.segment else 0
        kept = [member for member in self.parent.members if member.before <= self.segment]
        lead, at = body[before : self.start], len(self.opening)
        splitter = Splitter(self.parent.dialect, root.source.data, self.segment, kept, lead, at)
        walker = self.parent.dialect.sections[self.section]
        splitter.section(self.section, root.members[0].value, walker, self.number or 0)
        return splitter


def _resumption(parent: Prompt, difference: int) -> _Resumption | None:
    segment = _last_unit_before(parent, difference)
    if segment < 0:
        return None
    section, number = _place(parent.segment(segment))
    start = parent.span(segment)[0] - parent.segment(segment).unit
    return _Resumption(parent, segment, start, section, number)


def _place(segment: Segment) -> tuple[str, int | None]:
    section, *number = tokens(segment.path)[:2]
    return section, int(number[0]) if number else None


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


def _continued(body: bytes, dialects: Sequence[Dialect], parent: Prompt) -> Prompt | None:
    difference = first_difference(parent.body, body)
    resumption = _resumption(parent, difference)
    if resumption is None:
        return None
    return _patched(body, resumption, difference) or _resumed(body, dialects, resumption)


def _resumed(body: bytes, dialects: Sequence[Dialect], resumption: _Resumption) -> Prompt | None:
    """Split everything from the resumption on."""
    try:
        root = parse(resumption.opening + body[resumption.start :])
    except ValueError:
        return None
    parent = resumption.parent
    splitter = resumption.splitter(body, root)
    for member in root.members[1:]:
        splitter.member(member)
    kinds: dict[str, NodeKind] = {member.name: member.kind for member in splitter.members}
    if next((dialect for dialect in dialects if dialect.claims(kinds)), None) is not parent.dialect:
        return None
    return parent.chained(body, resumption.segment, splitter.segments, splitter.members)


def _patched(body: bytes, resumption: _Resumption, difference: int) -> Prompt | None:
    """Split only the elements up to one of the same section from which on the bodies are equal.

    What follows that element was read after a comma in the same array before, so it need not be
    checked again.
    """
    parent = resumption.parent
    most = min(len(parent.body), len(body)) - difference
    end = common_end(parent.body, body, most)
    again = _first_unit_from(parent, len(parent.body) - end)
    if again is None or resumption.number is None:
        return None
    section, number = _place(parent.segment(again))
    start = parent.span(again)[0] - parent.segment(again).unit + len(body) - len(parent.body)
    middle = body[resumption.start : start].rstrip(b" \t\n\r")
    if section != resumption.section or number is None or not middle.endswith(b","):
        return None
    try:
        root = parse(b'{"":[' + middle[:-1] + b"]}")
    except ValueError:
        return None
    splitter = resumption.splitter(body, root)
    count = len(root.members[0].value.items)
    last = splitter.segments[-1]
    ends = resumption.start + splitter.at - len(resumption.opening)
    assert last.raw == body[ends - len(last.raw) : ends]
    moved = _moved(parent, again, section, resumption.number + count - number)
    moved[0] = replace(moved[0], lead=body[ends : start + parent.segment(again).unit])
    shift = resumption.segment + len(splitter.segments) - again
    members = [
        replace(member, before=member.before + shift)
        for member in parent.members
        if member.before > resumption.segment
    ]
    own = [*splitter.segments, *moved]
    return parent.chained(body, resumption.segment, own, [*splitter.members, *members])


def _first_unit_from(parent: Prompt, offset: int) -> int | None:
    """The first segment of the first array element that starts at an offset or later."""
    for number in range(max(0, parent.last_before(offset)), len(parent)):
        unit = parent.segment(number).unit
        if unit >= 0 and parent.span(number)[0] - unit >= offset:
            return number
    return None


def _moved(parent: Prompt, first: int, section: str, by: int) -> list[Segment]:
    """The last segments of the parent, those of one section moved by some elements."""
    segments = list(parent.segments[first:])
    if not by:
        return segments
    for index, segment in enumerate(segments):
        place, number = _place(segment)
        if place == section and number is not None:
            old, new = f"{pointer(section, number)}/", f"{pointer(section, number + by)}/"
            segments[index] = segment.moved(old, new)
    return segments
