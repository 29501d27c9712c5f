"""JSON values made of pieces, and their compact encoding with origins kept per run of bytes.

Strategy: builders make a `Value`; `encode` writes the bytes once and notes, for every run, where it
came from. What no run covers is structure: punctuation, keys and constants. Everything later
(verify, diff, explain) sees the bytes first and the runs second.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inspector.jsontext import quote
from inspector.text.origin import Known, Origin
from inspector.text.pieces import Piece, Text


@dataclass(frozen=True, slots=True)
class Raw:
    """JSON text inserted as it stands: a number, a constant, or a value the client re-encoded."""

    json: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class KnownJson:
    """A whole JSON value of the client's, named by the digest of its raw text."""

    known: Known


@dataclass(frozen=True, slots=True)
class Member:
    """An object member whose key is itself text with an origin."""

    key: Text
    value: "Value"


type Value = Text | str | int | bool | None | Raw | KnownJson | Mapping[str, Value] | Sequence[Value | Member]
"""A JSON value. A plain `str`, `int`, `bool` or `None` is structure. A sequence of `Member` is an object."""


@dataclass(frozen=True, slots=True)
class Run:
    """Bytes `start` to `end` of a built body (inside the quotes of a string) and their origin."""

    start: int
    end: int
    origin: Origin
    at: int
    """Code points into the source where the run starts."""
    sealed: bool = False
    """True: a placeholder stands here, because the words are not at hand."""


@dataclass(frozen=True, slots=True)
class Built:
    """A request body made offline, with its origins."""

    body: bytes
    runs: tuple[Run, ...]
    unordered: tuple[str, ...] = ()
    """JSON pointers of objects whose key order is random on the wire."""
    headers: tuple[tuple[str, Text], ...] = ()
    """Headers the builder claims, in wire order, names in wire case."""


@dataclass(slots=True)
class _Writer:
    words: Mapping[str, str]
    parts: list[bytes] = field(default_factory=list[bytes])
    runs: list[Run] = field(default_factory=list[Run])
    size: int = 0

    def put(self, string: str, origin: Origin | None = None, at: int = 0, *, sealed: bool = False) -> None:
        data = string.encode("utf-8", "surrogatepass")
        if origin is not None and data:
            self.runs.append(Run(self.size, self.size + len(data), origin, at, sealed))
        self.parts.append(data)
        self.size += len(data)

    def piece(self, piece: Piece) -> None:
        string, hidden = piece.text, False
        if isinstance(piece.origin, Known):
            hidden = piece.origin.sha256 not in self.words
            string = piece.origin.placeholder if hidden else self.words[piece.origin.sha256]
        self.put(quote(string)[1:-1], piece.origin, piece.at, sealed=hidden)

    def value(self, value: Value) -> None:
        match value:
            case Text():
                self.put('"')
                for piece in value.pieces:
                    self.piece(piece)
                self.put('"')
            case Raw():
                self.put(value.json, value.origin)
            case KnownJson():
                self.known(value.known)
            case str():
                self.put(quote(value))
            case None | bool() | int():
                self.put({None: "null", True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool | None) else str(value))
            case Mapping():
                self.members([Member(Text(), item) for item in value.values()], list(value))
            case _:
                self.sequence(value)

    def known(self, known: Known) -> None:
        hidden = known.sha256 not in self.words
        string = quote(known.placeholder) if hidden else self.words[known.sha256]
        self.put(string, known, sealed=hidden)

    def sequence(self, items: Sequence[Value | Member]) -> None:
        members = [item for item in items if isinstance(item, Member)]
        if members and len(members) == len(items):
            return self.members(members, None)
        self.put("[")
        for number, item in enumerate(items):
            if number:
                self.put(",")
            if isinstance(item, Member):
                raise TypeError("members and values are mixed")
            self.value(item)
        self.put("]")
        return None

    def members(self, members: Sequence[Member], names: Sequence[str] | None) -> None:
        self.put("{")
        for number, member in enumerate(members):
            if number:
                self.put(",")
            self.value(member.key if names is None else names[number])
            self.put(":")
            self.value(member.value)
        self.put("}")


def encode(value: Value, words: Mapping[str, str] | None = None, *, unordered: Sequence[str] = ()) -> Built:
    """Write a value as compact JSON; `words` maps digests to client texts that are at hand."""
    writer = _Writer(words or {})
    writer.value(value)
    return Built(b"".join(writer.parts), tuple(writer.runs), tuple(unordered))
