"""WebSocket messages as exchanges: one for each message of the client, with the answers to it."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from inspector.formats.item import Body, Item
from inspector.session import WEBSOCKET

STREAM = (("content-type", "text/event-stream"),)
"""Response headers of an exchange on a WebSocket: its answer is kept as the same answer is sent
over plain HTTP."""

_FIRST = re.compile(rb'\s*\{\s*"type"\s*:\s*"([\w.-]+)"')
_ENDS = frozenset(
    {
        "response.completed",
        "response.done",
        "response.failed",
        "response.incomplete",
        "response.cancelled",
        "error",
    }
)


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    sent: bool
    """By the client."""
    data: bytes
    at: str


def moment(seconds: float) -> str:
    """A point in time, as text."""
    return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else ""


def items(handshake: Item, frames: Sequence[Frame]) -> Iterator[Item]:
    """The handshake, then an exchange for each client message; its answers stand as events.

    Answers belong to the last message that asked for one, as in a capture.
    """
    early: list[Frame] = []
    groups: list[list[Frame]] = []
    answers = early
    for frame in frames:
        if not frame.sent:
            answers.append(frame)
            continue
        groups.append([frame])
        answers = groups[-1] if asks(frame.data) else answers
    yield _answered(handshake, early) if early else handshake
    for first, *rest in groups:
        item = replace(
            handshake,
            method=WEBSOCKET,
            request_headers=tuple(
                pair for pair in handshake.request_headers if pair[0].lower() != "content-encoding"
            ),
            request=Body(first.data),
            started=first.at or handshake.started,
            first_byte=rest[0].at if rest else "",
            ended=rest[-1].at if rest else "",
            error="" if rest or not asks(first.data) else "no answer was kept",
        )
        yield _answered(item, rest)


def kind(data: bytes) -> str:
    """The type a message names; mostly its first member, so that nothing need be parsed."""
    first = _FIRST.match(data)
    if first is not None:
        return first[1].decode()
    try:
        found = json.loads(data).get("type")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return found if isinstance(found, str) and found.isprintable() else ""


def asks(data: bytes) -> bool:
    """Whether a client's message wants a response of its own."""
    return kind(data) == "response.create"


def ends(data: bytes) -> bool:
    """Whether a server's message is the last of a response."""
    return kind(data) in _ENDS


def event(data: bytes) -> bytes:
    """A message as a server-sent event: that is what the same answer is over plain HTTP."""
    named = kind(data)
    name = f"event: {named}\n".encode() if named else b""
    return name + b"".join(b"data: %s\n" % line for line in data.split(b"\n")) + b"\n"


def messages(response: bytes) -> list[bytes]:
    """The messages of a stored response, byte for byte as they came."""
    found: list[bytes] = []
    lines: list[bytes] = []
    for line in response.split(b"\n"):
        if line.startswith(b"data: "):
            lines.append(line.removeprefix(b"data: "))
        elif not line and lines:
            found.append(b"\n".join(lines))
            lines = []
    return found


def _answered(item: Item, frames: Sequence[Frame]) -> Item:
    return replace(
        item,
        response=Body(b"".join(event(frame.data) for frame in frames)),
        response_headers=STREAM if frames else (),
    )
