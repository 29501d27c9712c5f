"""Model APIs on the wire: one module a dialect, and this table. A new dialect is one line here.

Modules:
    anthropic, anthropic_reply    the Messages API
    openai, openai_reply          the Responses API
    hasty                         the tool calls in a response, for a capture under way
    sse                           server-sent events, in any chunking
    fields                        known members of blocks
"""

from collections.abc import Callable
from dataclasses import dataclass

from inspector import segments
from inspector.segments import Dialect, Prompt
from inspector.turns import Called, Failed, Replied
from inspector.wire import anthropic, anthropic_reply, hasty, openai, openai_reply

type ReadReply = Callable[[bytes, str, int], Replied | Failed | None]
"""From a response's body, content type and status to what the model did."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A dialect with its reader of responses."""

    dialect: Dialect
    reply: ReadReply
    calls: Callable[[bytes, str], tuple[Called, ...] | None]
    """The same for its tool calls alone, in a hurry; None where `reply` has to be asked."""


WIRES = (
    Wire(anthropic.DIALECT, anthropic_reply.reply, hasty.anthropic),
    Wire(openai.DIALECT, openai_reply.reply, hasty.openai),
)
DIALECTS = tuple(wire.dialect for wire in WIRES)


def split(body: bytes, dialect: Dialect | None = None, parent: Prompt | None = None) -> Prompt:
    """Split a request body, by its shape or by a given dialect; never fails.

    A body that is no model request has no segments, and `problem` says why.
    """
    return segments.split(body, DIALECTS if dialect is None else (dialect,), parent)


def unreadable(body: bytes) -> str:
    """Why a request body is no JSON object at all, in words; empty when it is one."""
    prompt = split(body)
    return prompt.problem if not _is_object(prompt) else ""


def _is_object(prompt: Prompt) -> bool:
    try:
        return prompt.root.kind == "object"
    except ValueError:
        return False


def reply(
    dialect: Dialect, response: bytes, content_type: str = "", status: int = 200
) -> Replied | Failed | None:
    """What the model answered; none when the response is no answer of this dialect.

    A stream that ends too early gives what was there, with `stop="truncated"`.
    """
    wire = next(wire for wire in WIRES if wire.dialect is dialect)
    return wire.reply(response, content_type, status)


def calls(
    dialect: Dialect, response: bytes, content_type: str = "", status: int = 200
) -> tuple[Called, ...]:
    """The tool calls in what the model answered, many times as fast as `reply`."""
    if not any(mark in response for mark in hasty.MARKS):
        return ()
    wire = next(wire for wire in WIRES if wire.dialect is dialect)
    found = wire.calls(response, content_type)
    if found is not None:
        return found
    said = wire.reply(response, content_type, status)
    blocks = said.blocks if isinstance(said, Replied) else ()
    return tuple(block for block in blocks if isinstance(block, Called))


def named(name: str) -> Dialect:
    """The dialect with this name; `KeyError` when there is none."""
    return {dialect.name: dialect for dialect in DIALECTS}[name]


__all__ = [
    "DIALECTS",
    "WIRES",
    "ReadReply",
    "Wire",
    "calls",
    "named",
    "reply",
    "split",
    "unreadable",
]
