"""One block of a request body."""

from dataclasses import dataclass, field, replace
from hashlib import sha256

from inspector.jsontext import Node, parse
from inspector.segments.dialect import Dialect
from inspector.segments.meaning import mark_of, meaning, unlabelled


@dataclass(frozen=True, slots=True)
class Segment:
    """One block of a body; it does not know where in the body it stands."""

    path: str
    """JSON pointer of the block."""
    section: str
    """`tools`, `system` or `messages`: what the dialect says, whatever the JSON member."""
    role: str | None
    """Role of the message; none outside messages."""
    opens_message: bool
    """Whether it is the first block of its message."""
    raw: bytes
    """The block's bytes as sent."""
    lead: bytes
    """The bytes between the end of the segment before and this one."""
    owner: bytes
    """Canonical members of what the segment stands in (message, namespace)."""
    unknown: tuple[str, ...]
    """Pointers of fields the dialect does not know."""
    unit: int
    """How many bytes before this segment its array element starts; -1: inside a started element."""
    dialect: Dialect = field(repr=False)
    label: bytes = b""
    """The raw `id` of the item that begins here; no part of the meaning."""
    _key: str = field(default="", init=False, repr=False, compare=False)

    @property
    def key(self) -> str:
        """Digest of the meaning: equal keys, equal content."""
        if not self._key:
            object.__setattr__(self, "_key", self._digest())
        return self._key

    def same(self, other: "Segment") -> bool:
        """Whether it is another's, byte for byte, wherever that one stands."""
        return (
            self.raw == other.raw
            and self.role == other.role
            and self.owner == other.owner
            and self.opens_message == other.opens_message
            and self.section == other.section
            and self.label == other.label
        )

    def _digest(self) -> str:
        return sha256(self.meaning).hexdigest()

    @property
    def meaning(self) -> bytes:
        """Bytes that are equal for segments that mean the same."""
        head = f"{self.section}\0{self.role or ''}\0{int(self.opens_message)}\0"
        body = meaning(self.unlabelled, self.dialect, self.role)
        return b"".join((head.encode("utf-8", "replace"), self.owner, b"\0", body))

    @property
    def unlabelled(self) -> bytes:
        """The block's bytes, of a whole item without its label."""
        return unlabelled(self.raw, self.label)

    def moved(self, old: str, new: str) -> "Segment":
        """The same segment in another array element; its meaning is the same."""
        path = (new + f"{self.path}/".removeprefix(old)).removesuffix("/")
        unknown = tuple(
            (new + f"{one}/".removeprefix(old)).removesuffix("/") for one in self.unknown
        )
        moved = replace(self, path=path, unknown=unknown)
        object.__setattr__(moved, "_key", self._key)
        return moved

    @property
    def breakpoint(self) -> bytes | None:
        """The raw cache mark the segment carries, if any."""
        return mark_of(self.raw, self.dialect)

    @property
    def value(self) -> Node:
        """The block as a tree; its spans count from the segment's start."""
        return parse(self.raw)
