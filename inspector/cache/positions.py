"""A request as the cache sees it: positions in the order of the prefix, each with a key.

What is no part of the prefix is left out (marks, ids of the session, deferred tools); what only the
client's own book-keeping changes within a session is set to one value (`billing` is contested).
"""

from dataclasses import dataclass
from hashlib import sha256

from inspector.cache.facts import LONG, SHORT
from inspector.jsontext import Node, quote
from inspector.segments import Segment
from inspector.segments.meaning import canonical
from inspector.text.origin import size

ORDER = ("tools", "system", "messages")
"""Of the sections in the prefix (`order`)."""
_NOTES = frozenset({"id", "status", "internal_chat_message_metadata_passthrough"})
_MEMBER = len(',"cache_control":')
_BILLING = "x-anthropic-billing-header:"


@dataclass(frozen=True, slots=True)
class Position:
    """One block of a prefix."""

    key: bytes
    """Digest of what is compared."""
    section: str
    path: str
    size: int
    """Bytes as sent, without the mark; of a sealed text as many as its characters."""
    name: str = ""
    """A tool's name; the role of a message."""
    ttl: int | None = None
    """Seconds that the entry written here lives; None: no mark."""
    contested: str = ""
    """The fact that makes it doubtful whether this is part of what is compared."""


def position(segment: Segment, section: str = "", *, plain: bool = False) -> Position:
    """A block as the cache sees it; `plain`: all of it counts, and nothing is contested."""
    value = segment.value if segment.section != "messages" else None
    mark = segment.breakpoint
    name = value.string_of("name") if value is not None and segment.section == "tools" else None
    billing = segment.section == "system" and _text(segment.value).startswith(_BILLING)
    contested = "billing" if billing else ""
    if plain:
        billing, contested = False, ""
    elif segment.section == "messages" and segment.role == "system":
        contested = "string-system"
    meaning = _without_notes(segment) or segment.key
    key = b"billing" if billing else meaning.encode()
    return Position(
        sha256(key).digest(),
        section or segment.section,
        segment.path,
        size(segment.raw) - (_MEMBER + len(mark) if mark is not None else 0),
        name or (segment.role if segment.section != "tools" else "") or "",
        _ttl(mark) if mark is not None else None,
        contested,
    )


def _without_notes(segment: Segment) -> str:
    """Of a whole item of OpenAI's what the model sees: no ids, no notes of the client's, no nulls.

    A client echoes an item with more members than the server sent [codex 0.171.0, websocket].
    """
    if segment.dialect.name != "openai":
        return ""
    value = segment.value
    if value.kind != "object" or value.get("type") is None:
        return ""
    kept = sorted(
        quote(member.name).encode() + b":" + canonical(member.value.raw)
        for member in value.members
        if member.name not in _NOTES and member.value.kind != "null"
    )
    head = f"{segment.section}\0{segment.role or ''}\0".encode()
    return sha256(b"\0".join((head, segment.owner, *kept))).hexdigest()


def deferred(segment: Segment) -> bool:
    """Whether a tool is no part of the prefix until it is asked for (`deferred`)."""
    if segment.section != "tools" or b'"defer_loading"' not in segment.raw:
        return False
    node = segment.value.get("defer_loading")
    return node is not None and node.kind == "true"


def _text(value: Node) -> str:
    if value.kind == "string":
        return value.string
    return (value.string_of("text") or "") if value.kind == "object" else ""


def _ttl(mark: bytes) -> int:
    return LONG if b'"1h"' in mark else SHORT
