"""JSON values made of pieces, and their compact encoding with origins kept per run of bytes.

Strategy: builders make a `Value`; `encode` writes the bytes once and notes, for every run, where it
came from. What no run covers is structure: punctuation, keys and constants. Everything later
(verify, diff, explain) sees the bytes first and the runs second.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from inspector.jsontext import escape_lone, quote
from inspector.text.built import Built, Groups, Run, Written
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


class Kept:
    """A value that many requests share: it is written once, and its bytes are used again."""

    __slots__ = ("_words", "_written", "value")

    def __init__(self, value: "Value") -> None:
        self.value = value
        self._words: Mapping[str, str] | None = None
        self._written: Written | None = None

    def written(self, words: Mapping[str, str]) -> Written:
        """The value's bytes and runs, with these client texts at hand."""
        if self._written is None or self._words is not words:
            writer = _Writer(words)
            writer.value(self.value)
            self._words, self._written = words, writer.written()
        return self._written

    def forget(self) -> None:
        """Let go of the bytes, which stand elsewhere now."""
        self._words = self._written = None


@dataclass(frozen=True, slots=True)
class Growing:
    """An array whose items mostly stood there in the request before: only new ones are joined."""

    items: tuple[Kept, ...]
    rest: "tuple[Value, ...]"
    """Items after them that change from request to request."""
    memory: "Memory"


class Memory:
    """What was joined of a growing array so far."""

    __slots__ = ("_groups", "_items", "_parts", "_size", "_words")

    _MOST = 64
    """Parts that are kept apart: joining them all for each request would copy the whole again."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all."""
        self._items: tuple[Kept, ...] = ()
        self._words: Mapping[str, str] | None = None
        self._parts: list[bytes] = []
        self._groups: list[tuple[int, Groups]] = []
        self._size = 0

    def joined(
        self, items: tuple[Kept, ...], words: Mapping[str, str]
    ) -> tuple[Sequence[bytes], Groups]:
        """All items with commas between them."""
        known = len(self._items)
        if self._words is not words or self._items != items[:known]:
            self.clear()
            known = 0
        for item in items[known:]:
            self._join(item.written(words))
            item.forget()
        self._items, self._words = items, words
        if len(self._parts) > self._MOST:
            self._parts = [b"".join(self._parts)]
        return self._parts, tuple(self._groups)

    def _join(self, written: Written) -> None:
        if self._size:
            self._parts.append(b",")
            self._size += 1
        self._groups.append((self._size, written.groups))
        self._parts.append(written.body)
        self._size += len(written.body)


type Value = (
    Text
    | str
    | int
    | bool
    | None
    | Raw
    | KnownJson
    | Kept
    | Growing
    | Mapping[str, Value]
    | Sequence[Value | Member]
)
"""A JSON value; plain `str`, `int`, `bool`, `None` are structure; `Member`s make an object."""


_NO_WORDS: Mapping[str, str] = {}


@dataclass(slots=True)
class _Writer:
    words: Mapping[str, str]
    parts: list[bytes] = field(default_factory=list[bytes])
    groups: list[Run | tuple[int, Groups]] = field(default_factory=list[Run | tuple[int, Groups]])
    size: int = 0

    def written(self) -> Written:
        """All that was written so far."""
        return Written(b"".join(self.parts), tuple(self.groups))

    def again(self, written: Written) -> None:
        """Bytes that were written before, with their runs."""
        if written.groups:
            self.groups.append((self.size, written.groups))
        self.parts.append(written.body)
        self.size += len(written.body)

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
            self.groups.append(Run(start, self.size, origin, at, sealed))

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
            case KnownJson() | Kept() | Growing():
                self.ready(value)
            case Mapping():
                self.members(value.items())
            case _:
                self.sequence(value)

    def ready(self, value: KnownJson | Kept | Growing) -> None:
        """A value whose text stands somewhere already."""
        if isinstance(value, KnownJson):
            self.known(value.known)
        elif isinstance(value, Kept):
            self.again(value.written(self.words))
        else:
            self.growing(value)

    def growing(self, value: Growing) -> None:
        self.put("[")
        parts, groups = value.memory.joined(value.items, self.words)
        self.groups.append((self.size, groups))
        self.parts += parts
        self.size += sum(map(len, parts))
        for number, item in enumerate(value.rest):
            if number or value.items:
                self.put(",")
            self.value(item)
        self.put("]")

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
    writer = _Writer(_NO_WORDS if words is None else words)
    writer.value(value)
    written = writer.written()
    return Built(written.body, written.groups, tuple(unordered))
