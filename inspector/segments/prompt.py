"""A request body as segments in wire order, chained to the body before it.

Invariants:
- `body` is the leads and raws of all segments, then the tail: nothing is kept twice, nothing lost.
- A prompt holds only the segments that are new in it; the first ones belong to its parent's
  chain. So a conversation holds memory for its distinct bytes.
- The joined body and the joined segments are kept by the newest prompt of a chain alone; earlier
  ones join again when asked.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from inspector.jsontext import Node, parse, pointer
from inspector.jsontext.node import NodeKind
from inspector.segments.chain import Chain
from inspector.segments.dialect import Dialect
from inspector.segments.segment import Segment


@dataclass(frozen=True, slots=True)
class Param:
    """A top-level member that is no section, or (`raw` none) the opening of a section."""

    name: str
    kind: NodeKind
    raw: bytes | None
    before: int
    """How many segments stand before it."""


class Prompt:
    """A request body split into segments."""

    __slots__ = ("_body", "_chain", "_joined", "dialect", "members", "problem", "tail")

    def __init__(
        self,
        body: bytes,
        chain: Chain | None = None,
        dialect: Dialect | None = None,
        members: Iterable[Param] = (),
        problem: str = "",
    ) -> None:
        """Keep a body that was split; `inspector.wire.split` makes prompts."""
        self._chain = chain or Chain(())
        self._body: bytes | None = body
        self._joined: tuple[Segment, ...] | None = None
        self.tail = body[self.end_of(len(self) - 1) :] if len(self) else body
        """The bytes after the last segment."""
        self.dialect = dialect
        """The wire format; none when the body is no model request."""
        self.members = tuple(members)
        """All top-level members: params and the openings of sections."""
        self.problem = problem
        """Why the body has no segments, in words; empty when it is a model request."""

    def __repr__(self) -> str:
        name = self.dialect.name if self.dialect else self.problem
        return f"Prompt({name}, {len(self)} segments)"

    def __len__(self) -> int:
        return len(self._chain)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Prompt)
            and self.body == other.body
            and self.segments == other.segments
            and self.members == other.members
            and self.problem == other.problem
        )

    def __hash__(self) -> int:
        return hash(self.body)

    def chained(
        self, body: bytes, shared: int, own: Iterable[Segment], members: Iterable[Param]
    ) -> "Prompt":
        """The next prompt: the first segments of this one, then new ones."""
        chain = Chain.after(self._chain, shared, own)
        self._body = self._joined = None
        return Prompt(body, chain, self.dialect, members)

    @property
    def shared(self) -> int:
        """How many of the first segments belong to an earlier prompt of the chain."""
        return self._chain.shared

    @property
    def body(self) -> bytes:
        """The body exactly as sent."""
        if self._body is None:
            parts = [part for segment in self.segments for part in (segment.lead, segment.raw)]
            self._body = b"".join((*parts, self.tail))
        return self._body

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All segments in wire order."""
        if self._joined is None:
            self._joined = self._chain.joined()
        return self._joined

    @property
    def params(self) -> tuple[Param, ...]:
        """Top-level members that are no section, in wire order."""
        return tuple(member for member in self.members if member.raw is not None)

    def param(self, name: str) -> Node | None:
        """The value of a param; of duplicates the last."""
        raws = [member.raw for member in self.members if member.name == name and member.raw]
        return parse(raws[-1]) if raws else None

    @property
    def model(self) -> str | None:
        """The model asked for."""
        node = self.param("model")
        return node.string if node is not None and node.kind == "string" else None

    @property
    def unknown(self) -> tuple[str, ...]:
        """Pointers of fields the dialect does not know, and of repeated top-level members."""
        known = self.dialect.params if self.dialect else frozenset[str]()
        names = [member.name for member in self.members]
        params = [pointer(param.name) for param in self.params if param.name not in known]
        params += [pointer(name) for name in dict.fromkeys(names) if names.count(name) > 1]
        return (*params, *(path for segment in self.segments for path in segment.unknown))

    @property
    def root(self) -> Node:
        """The whole body as a tree; `ValueError` when it is not valid JSON."""
        return parse(self.body)

    def spans(self) -> Iterator[tuple[int, int]]:
        """Start and end of every segment in the body."""
        at = 0
        for segment in self.segments:
            at += len(segment.lead) + len(segment.raw)
            yield at - len(segment.raw), at

    def span(self, number: int) -> tuple[int, int]:
        """Start and end of one segment in the body."""
        return self._chain.span(number)

    def end_of(self, number: int) -> int:
        """Where a segment ends in the body."""
        return self._chain.span(number)[1]

    def last_before(self, offset: int) -> int:
        """The last segment that starts before an offset; -1 when there is none."""
        return self._chain.last_before(offset)

    def segment(self, number: int) -> Segment:
        """One segment by its place."""
        link, index = self._chain.locate(number)
        return link.own[index]

    def at(self, path: str) -> Segment | None:
        """The segment that a pointer names or points into."""
        steps = f"{path}/"
        return next((one for one in self.segments if steps.startswith(f"{one.path}/")), None)
