"""The model's own words, sent back to it."""

from collections.abc import Mapping

from inspector.clients.claude_code import recast
from inspector.clients.claude_code.message import Block, Message
from inspector.jsontext import dumps, javascript_number, javascript_order, loads
from inspector.text import Kind, Origin, Raw, Text, text
from inspector.turns import Called, OtherBlock, Replied, ReplyBlock, Said, Thought

_REPLY = Origin(Kind.REPLY, "reply")


def echo(reply: Replied, sources: Mapping[str, str], *, whole: bool = False) -> Message | None:
    """The reply as an assistant message; calls come last, empty texts are dropped.

    `sources` are the inputs by call as the model wrote them. With `whole`, it is as it came.
    """
    if whole:
        return Message("assistant", tuple(_block(block, sources) for block in reply.blocks))
    blocks = [block for block in reply.blocks if not _dropped(block)]
    calls = [block for block in blocks if isinstance(block, Called)]
    others = [block for block in blocks if not isinstance(block, Called)]
    made = [_block(block, sources) for block in (*others, *calls)]
    return Message("assistant", tuple(made)) if made else None


def arguments(call: Called) -> Mapping[str, object]:
    """The input of a call as plain values; empty where it is no object."""
    try:
        value = loads(call.input or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def argument(call: Called, name: str) -> str | None:
    """A string argument of a call."""
    value = arguments(call).get(name)
    return value if isinstance(value, str) else None


def argument_text(call: Called, name: str) -> Text | None:
    """A string argument of a call, as the model's words."""
    value = argument(call, name)
    return text(value, Origin(Kind.REPLY, call.id)) if value is not None else None


def _dropped(block: ReplyBlock) -> bool:
    return isinstance(block, Said) and not block.text.strip()


def _block(block: ReplyBlock, sources: Mapping[str, str]) -> Block:
    match block:
        case Said():
            return {"type": "text", "text": text(block.text, _REPLY)}
        case Thought():
            if block.redacted is not None:
                return {"type": "redacted_thinking", "data": text(block.redacted, _REPLY)}
            return {
                "type": "thinking",
                "thinking": text(block.text, _REPLY),
                "signature": text(block.signature, _REPLY),
            }
        case Called():
            return {
                "type": "tool_use",
                "id": text(block.id, Origin(Kind.REPLY, "id")),
                "name": text(block.name, _REPLY),
                "input": recast.shown(block, sources.get(block.id, block.input)),
            }
        case OtherBlock():
            return _other(block)


def _other(block: OtherBlock) -> Block:
    value = loads(block.raw)
    members = value if isinstance(value, dict) else {"type": "text", "text": block.raw}
    return {
        key: Raw(dumps(item, number=javascript_number, order=javascript_order), _REPLY)
        for key, item in members.items()
    }
