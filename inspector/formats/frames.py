"""WebSocket messages as exchanges: one for each message of the client, with the answers to it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from inspector.formats.item import Body, Item
from inspector.session import WEBSOCKET


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
    """The handshake, then an exchange for each client message; its answers stand as events."""
    groups: list[list[Frame]] = [[]]
    for frame in frames:
        if frame.sent:
            groups.append([])
        groups[-1].append(frame)
    yield _answered(handshake, groups[0]) if groups[0] else handshake
    for first, *rest in groups[1:]:
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
            error="" if rest else "no answer was kept",
        )
        yield _answered(item, rest)


def _answered(item: Item, frames: Sequence[Frame]) -> Item:
    return replace(
        item,
        response=Body(b"".join(_event(frame.data) for frame in frames)),
        response_headers=(("content-type", "text/event-stream"),) if frames else (),
    )


def _event(data: bytes) -> bytes:
    """A message as a server-sent event: that is what the same answer is over plain HTTP."""
    try:
        kind = json.loads(data).get("type")
    except (ValueError, AttributeError):
        kind = None
    name = b"event: %s\n" % kind.encode() if isinstance(kind, str) and kind.isprintable() else b""
    return name + b"".join(b"data: %s\n" % line for line in data.split(b"\n")) + b"\n"
