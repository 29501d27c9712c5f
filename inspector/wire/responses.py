"""What both dialects' responses share: telling streams from documents, numbers, odd blocks."""

import re
from collections.abc import Callable

from inspector.jsontext import Node, paired, parse
from inspector.turns import Failed, Replied
from inspector.wire.sse import events

type Answer = Replied | Failed | None
"""What a response says: a reply, an error, or none of both."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def answer(
    body: bytes,
    content_type: str,
    status: int,
    streamed: Callable[[bytes, int], Answer],
    whole: Callable[[Node, int], Answer],
) -> Answer:
    """The answer in a stream or in one document; a body that is neither may still be an error."""
    if is_stream(body, content_type):
        return streamed(body, status)
    node = document(body)
    if node is None:
        return Failed(status=status) if status >= 400 else None
    return whole(node, status)


def is_stream(body: bytes, content_type: str) -> bool:
    """Whether a response is an event stream, by its type or else by its first bytes."""
    if content_type:
        return "event-stream" in content_type.lower()
    return body.lstrip(b"\xef\xbb\xbf\r\n").startswith((b"event:", b"data:", b":", b"id:"))


def stream(body: bytes) -> tuple[list[Node], bool]:
    """The JSON documents of a stream's events, and whether it is cut off."""
    found, cut = events(body)
    nodes = [document(event.data.encode("utf-8", "replace")) for event in found]
    return [node for node in nodes if node is not None], cut


def document(body: bytes) -> Node | None:
    """A JSON object, or none."""
    try:
        node = parse(body)
    except ValueError:
        return None
    return node if node.kind == "object" else None


def count(node: Node | None, *path: str) -> int | None:
    """A whole number below a value, or none."""
    for name in path:
        node = node.get(name) if node is not None else None
    if node is None or not node.raw.isdigit() or len(node.raw) > 18:
        return None
    return int(node.raw)


def sound(string: str) -> str | None:
    """The string with surrogate pairs joined; none when a lone surrogate stays."""
    joined = paired(string)
    return None if _SURROGATE.search(joined) else joined


def failed(status: int, otherwise: int) -> Failed:
    """A failure with the response's status, or the one its error stands for."""
    return Failed(status=status if status >= 400 else otherwise)
