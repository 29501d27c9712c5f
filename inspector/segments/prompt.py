"""A request body as segments in wire order, chained to the body before it.

Invariants:
- `body` is the leads and raws of all segments, then the tail: nothing is kept twice, nothing lost.
- A prompt holds only the segments that are new in it; the first ones belong to its parent's
  chain. So a conversation holds memory for its distinct bytes.
- The joined body and the joined segments are kept by the newest prompt of a chain alone; earlier
  ones join again when asked.
- A body without a parent is split when somebody first asks for a part of it: two bodies that are
  compared need little of either.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inspector.jsontext import Node, parse, pointer
from inspector.segments.chain import Chain
from inspector.segments.cut import Cut, cut
from inspector.segments.dialect import Dialect
from inspector.segments.param import Param
from inspector.segments.segment import Segment

type Whole = Callable[[bytes, Sequence[Dialect]], "Prompt"]
"""Splits a body without a parent."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What splitting gives."""

    chain: Chain
    dialect: Dialect | None
    members: tuple[Param, ...]
    problem: str
    tail: bytes


class _Unsplit(NamedTuple):
    """How to split when it is asked for."""

    dialects: tuple[Dialect, ...]
    whole: Whole


class Prompt:
    """A request body split into segments."""

    __slots__ = ("_body", "_joined", "_parts", "_unsplit")

    def __init__(
        self,
        body: bytes,
        chain: Chain | None = None,
        dialect: Dialect | None = None,
        members: Iterable[Param] = (),
        problem: str = "",
    ) -> None:
        """Keep a body that was split; `inspector.wire.split` makes prompts."""
        chain = chain or Chain(())
        tail = body[chain.span(len(chain) - 1)[1] :] if len(chain) else body
        self._body: bytes | None = body
        self._joined: tuple[Segment, ...] | None = None
        self._parts: _Parts | None = _Parts(chain, dialect, tuple(members), problem, tail)
        self._unsplit: _Unsplit | None = None

    @classmethod
    def unsplit(cls, body: bytes, dialects: Sequence[Dialect], whole: Whole) -> "Prompt":
        """Keep a body that `whole` splits when a part of it is asked for."""
        made = cls.__new__(cls)
        made._body, made._joined, made._parts = body, None, None  # noqa: SLF001 - its own
        made._unsplit = _Unsplit(tuple(dialects), whole)  # noqa: SLF001 - its own
        return made

    @property
    def _split(self) -> "_Parts":
        if self._parts is None:
            assert self._unsplit is not None
            assert self._body is not None
            self._parts = self._unsplit.whole(self._body, self._unsplit.dialects)._split  # noqa: SLF001
            self._unsplit = None
        return self._parts

    @property
    def _chain(self) -> Chain:
        return self._split.chain

    @property
    def tail(self) -> bytes:
        """The bytes after the last segment."""
        return self._split.tail

    @property
    def dialect(self) -> Dialect | None:
        """The wire format; none when the body is no model request."""
        return self._split.dialect

    @property
    def members(self) -> tuple[Param, ...]:
        """All top-level members: params and the openings of sections."""
        return self._split.members

    @property
    def problem(self) -> str:
        """Why the body has no segments, in words; empty when it is a model request."""
        return self._split.problem

    @property
    def cut(self) -> Cut:
        """The body cut into its top-level members, for those who need no segments."""
        if self._unsplit is not None:
            return cut(self.body, self._unsplit.dialects)
        return cut(self.body, [self.dialect] if self.dialect is not None else [])

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

    def common(self, other: "Prompt") -> int:
        """How many of the first segments are another's, as far as the chain tells; 0: not known."""
        return self._chain.common(other._chain)  # noqa: SLF001 - its own

    def since(self, number: int) -> tuple[Segment, ...]:
        """The segments from one on, in wire order."""
        return self._chain.since(number)

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
