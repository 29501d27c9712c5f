"""The tool calls in an answer, read in a hurry: a capture looks at the files they name at once.

Strategy: only events that can hold a part of a call are parsed, by Python's own parser. Law: where
the whole reading finds a reply, these are its calls, but for members nobody looks at here.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from inspector.turns import Called
from inspector.wire.responses import is_stream, sound

type Members = dict[str, Any]
type Calls = tuple[Called, ...]

MARKS = (b"tool_use", b"_call")
"""What stands in an answer that calls a tool, in both dialects."""


def anthropic(body: bytes, content_type: str) -> Calls | None:
    """The calls in an answer of the Messages API; None where only a whole reading tells."""
    return _read(body, content_type, _is_part, _grown)


def openai(body: bytes, content_type: str) -> Calls | None:
    """The calls in an answer of the Responses API; None where only a whole reading tells."""
    # Items may stand in the last event alone, which is large where they stand in others too.
    return _read(body, content_type, _is_item, _items) or None


def _read(
    body: bytes,
    content_type: str,
    wanted: Callable[[bytes], bool],
    calls: Callable[[Iterable[Members]], Iterator[Called | None]],
) -> Calls | None:
    pieces: Iterable[bytes] = (body,)
    if is_stream(body, content_type):
        lines = (line[5:] for line in body.splitlines() if line.startswith(b"data:"))
        pieces = filter(wanted, lines)
    try:
        return tuple(filter(None, calls([json.loads(piece) for piece in pieces])))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None  # another shape than any we know


def _is_part(event: bytes) -> bool:
    return b"tool_use" in event or b"partial_json" in event


def _is_item(event: bytes) -> bool:
    return b"response.output_item.done" in event and b"_call" in event


def _grown(documents: Iterable[Members]) -> Iterator[Called | None]:
    """Blocks of a whole message, or as they begin and grow in a stream."""
    blocks: dict[int, Members] = {}
    inputs: dict[int, list[str]] = {}
    for document in documents:
        blocks |= enumerate(document.get("content", ()))
        number = document.get("index", 0)
        if "content_block" in document:
            blocks[number] = document["content_block"]
        elif "delta" in document:
            inputs.setdefault(number, []).append(document["delta"].get("partial_json", ""))
    for number, block in sorted(blocks.items()):
        if block["type"] == "tool_use":
            given = "".join(inputs.get(number, ())) or json.dumps(block.get("input", ""))
            yield _called(block["id"], block["name"], given)


def _items(documents: Iterable[Members]) -> Iterator[Called | None]:
    """Finished output items, one an event or all in a whole response."""
    for document in documents:
        for item in document["output"] if "output" in document else (document["item"],):
            member = {"function_call": "arguments", "custom_tool_call": "input"}.get(item["type"])
            if member is not None:
                yield _called(item["call_id"], item["name"], item.get(member, ""), member)


def _called(ident: str, name: str, given: str, member: str = "") -> Called | None:
    text = sound(given)
    if text is None:
        return None
    return Called(id=ident, name=name, input=text, custom=member == "input")
