"""JSON values made of pieces, and their compact encoding with origins kept per run of bytes.

Strategy: builders make a `Value`; `encode` writes the bytes once and notes, for every run, where it
came from. What no run covers is structure: punctuation, keys and constants. Everything later
(verify, diff, explain) sees the bytes first and the runs second.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from inspector.jsontext import escape_lone, quote
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


type Value = (
    Text
    | str
    | int
    | bool
    | None
    | Raw
    | KnownJson
    | Mapping[str, Value]
    | Sequence[Value | Member]
)
"""A JSON value; plain `str`, `int`, `bool`, `None` are structure; `Member`s make an object."""


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

    def put(self, string: str) -> None:
        """Structure: bytes without an origin."""
        try:
            data = string.encode()
        except UnicodeEncodeError:
            data = escape_lone(string).encode()
        self.parts.append(data)
        self.size += len(data)

    def put_run(self, string: str, origin: Origin, at: int = 0, *, sealed: bool = False) -> None:
        """Bytes with an origin."""
        start = self.size
        self.put(string)
        if self.size > start:
            self.runs.append(Run(start, self.size, origin, at, sealed))

    def piece(self, piece: Piece) -> None:
        string, hidden = piece.text, False
        if isinstance(piece.origin, Known):
            hidden = piece.origin.sha256 not in self.words
            string = piece.origin.placeholder if hidden else self.words[piece.origin.sha256]
        self.put_run(quote(string)[1:-1], piece.origin, piece.at, sealed=hidden)

    def text(self, text: Text) -> None:
        self.put('"')
        for piece in _paired(text.pieces):
            self.piece(piece)
        self.put('"')

    def value(self, value: Value) -> None:
        match value:
            case str():
                self.put(quote(value))
            case Text():
                self.text(value)
            case None | bool() | int():
                self.put(_constant(value))
            case Raw():
                self.put_run(value.json, value.origin)
            case KnownJson():
                self.known(value.known)
            case Mapping():
                self.members(value.items())
            case _:
                self.sequence(value)

    def known(self, known: Known) -> None:
        hidden = known.sha256 not in self.words
        string = quote(known.placeholder) if hidden else self.words[known.sha256]
        self.put_run(string, known, sealed=hidden)

    def sequence(self, items: Sequence[Value | Member]) -> None:
        members = [item for item in items if isinstance(item, Member)]
        if members:
            if len(members) < len(items):
                raise TypeError("members and values are mixed")
            self.members((member.key, member.value) for member in members)
            return
        self.put("[")
        for number, item in enumerate(items):
            if number:
                self.put(",")
            assert not isinstance(item, Member)
            self.value(item)
        self.put("]")

    def members(self, members: Iterable[tuple[str | Text, Value]]) -> None:
        self.put("{")
        for number, (key, value) in enumerate(members):
            if number:
                self.put(",")
            self.value(key)
            self.put(":")
            self.value(value)
        self.put("}")


def _constant(value: bool | int | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _paired(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Pieces with a surrogate pair that two of them share given whole to the first.

    JavaScript cuts strings between surrogates and joins them again; only what stays alone in the
    joined string is written as an escape.
    """
    if not any("\ud800" <= piece.text[-1] <= "\udbff" for piece in pieces):
        return pieces
    out: list[Piece] = []
    for piece in pieces:
        meets = (
            out
            and "\ud800" <= out[-1].text[-1] <= "\udbff"
            and "\udc00" <= piece.text[0] <= "\udfff"
        )
        if not meets:
            out.append(piece)
            continue
        before = out.pop()
        out.append(Piece(before.text + piece.text[0], before.origin, before.at))
        if len(piece.text) > 1:
            out.append(piece.cut(1, len(piece.text)))
    return out


def encode(
    value: Value, words: Mapping[str, str] | None = None, *, unordered: Sequence[str] = ()
) -> Built:
    """Write a value as compact JSON; `words` maps digests to client texts that are at hand."""
    writer = _Writer(words or {})
    writer.value(value)
    return Built(b"".join(writer.parts), tuple(writer.runs), tuple(unordered))
