"""The mock's Anthropic Messages dialect: replies as JSON and as server-sent events."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector.mock.answer import (
    Answer,
    Ids,
    cut_answer,
    fault_answer,
    json_answer,
    stream_answer,
)
from inspector.mock.script import Fault, Reply, compact
from inspector.turns import Called, OtherBlock, Replied, ReplyBlock, Said, Thought
from inspector.wire import anthropic_reply

_USAGE = {
    "input_tokens": 10,
    "cache_creation_input_tokens": 100,
    "cache_read_input_tokens": 0,
    "output_tokens": 5,
}


@dataclass(frozen=True, slots=True)
class _Block:
    """A content block three times: whole, as stream deltas, as a reader understands it."""

    start: dict[str, Any]
    deltas: tuple[dict[str, Any], ...]
    whole: str
    """Its JSON text, in which a tool's input stands as the script wrote it."""
    read: ReplyBlock


def kind(body: Mapping[str, Any]) -> str:
    """What a request is for: `main`, `sub` or `aux`.

    A subagent says so in its billing block; the main conversation has tools, titles and probes have
    none [claude-code 2.1.332, subagent, interactive_basic]. A session that was given no tools sends
    an empty list, as a title does, which asks for a format [tools_none].
    """
    if "cc_is_subagent" in json.dumps(body.get("system", "")):
        return "sub"
    if body.get("tools"):
        return "main"
    titled = "format" in (body.get("output_config") or {})
    return "main" if "tools" in body and "system" in body and not titled else "aux"


def answer(reply: Reply, body: Mapping[str, Any], ids: Ids) -> Answer:
    """The response to one Messages request."""
    if fault := reply.fault:
        error = {"type": fault.type, "message": fault.message}
        return fault_answer(fault, {"type": "error", "error": error})
    message_id = ids.next("msg")
    blocks = _blocks(reply, ids)
    calls = any(isinstance(block.read, Called) for block in blocks)
    stop = reply.stop or ("tool_use" if calls else "end_turn")
    usage = {**_USAGE, **reply.usage}
    outcome = Replied(
        id=message_id,
        blocks=tuple(block.read for block in blocks),
        stop=stop,
        judged=reply.judged,
        input_tokens=usage["input_tokens"],
        cache_read_tokens=usage["cache_read_input_tokens"],
        cache_write_tokens=usage["cache_creation_input_tokens"],
        output_tokens=usage["output_tokens"],
    )
    message: dict[str, Any] = {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    end = {"stop_reason": stop, "stop_sequence": None, **_verdicts(reply, blocks)}
    if body.get("stream"):
        whole = stream_answer(_events(message, blocks, end, usage), outcome)
        return whole if reply.cut is None else cut_answer(whole, reply.cut, anthropic_reply.reply)
    document = compact({**message, **end})
    content = ",".join(block.whole for block in blocks)
    filled = document.replace('"content":[]', f'"content":[{content}]', 1)
    return Answer(200, "application/json", (filled.encode(),), outcome)


def _verdicts(reply: Reply, blocks: list[_Block]) -> dict[str, Any]:
    """What the API says of each call when a client asks it for `safeguards`."""
    fine = {"type": "evaluated", "outcome": "not_flagged"}
    calls = {block.read.id: fine for block in blocks if isinstance(block.read, Called)}
    status = {"type": "available", "tool_uses": calls}
    found = [{"type": "dangerous_tool_use", "status": status}]
    return {"safeguard_results": found} if reply.judged else {}


def count_tokens(tokens: int | Fault) -> Answer:
    """The response to a token count."""
    if isinstance(tokens, Fault):
        error = {"type": tokens.type, "message": tokens.message}
        return fault_answer(tokens, {"type": "error", "error": error})
    return json_answer({"input_tokens": tokens}, Replied(input_tokens=tokens))


def _blocks(reply: Reply, ids: Ids) -> list[_Block]:
    blocks: list[_Block] = []
    if reply.thinking is not None:
        blocks.append(_thinking(reply.thinking, reply.signature))
    if reply.redacted is not None:
        value = {"type": "redacted_thinking", "data": reply.redacted}
        blocks.append(_Block(value, (), compact(value), Thought(redacted=reply.redacted)))
    if reply.text is not None:
        value = {"type": "text", "text": reply.text}
        delta = {"type": "text_delta", "text": reply.text}
        blocks.append(
            _Block({**value, "text": ""}, (delta,), compact(value), Said(text=reply.text))
        )
    blocks += [_call(ids.next("toolu"), tool.name, tool.json_text) for tool in reply.tools]
    return blocks + [_item(item, ids) for item in reply.items]


def _item(item: Mapping[str, Any], ids: Ids) -> _Block:
    """A content block as the script has it; a call gets its id, its input may be JSON text."""
    match item.get("type"):
        case "text":
            value = {"type": "text", "text": str(item["text"])}
            delta = {"type": "text_delta", "text": value["text"]}
            return _Block({**value, "text": ""}, (delta,), compact(value), Said(text=value["text"]))
        case "thinking":
            return _thinking(str(item["thinking"]), str(item.get("signature", "")))
        case "tool_use":
            given = item.get("input", {})
            text = given if isinstance(given, str) else compact(given)
            return _call(ids.next("toolu"), str(item["name"]), text)
        case _:
            raw = compact(dict(item))
            return _Block(dict(item), (), raw, OtherBlock(raw=raw))


def _call(ident: str, name: str, text: str) -> _Block:
    start: dict[str, Any] = {"type": "tool_use", "id": ident, "name": name, "input": {}}
    whole = compact(start)[: -len("{}}")] + text + "}"
    delta = {"type": "input_json_delta", "partial_json": text}
    return _Block(start, (delta,), whole, Called(id=ident, name=name, input=text))


def _thinking(text: str, signature: str) -> _Block:
    whole = {"type": "thinking", "thinking": text, "signature": signature}
    deltas = (
        {"type": "thinking_delta", "thinking": text},
        {"type": "signature_delta", "signature": signature},
    )
    start = {"type": "thinking", "thinking": "", "signature": ""}
    return _Block(start, deltas, compact(whole), Thought(text=text, signature=signature))


def _events(
    message: dict[str, Any], blocks: list[_Block], end: dict[str, Any], usage: dict[str, Any]
) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block.start})
        events.extend(
            {"type": "content_block_delta", "index": index, "delta": delta}
            for delta in block.deltas
        )
        events.append({"type": "content_block_stop", "index": index})
    final = {"output_tokens": usage["output_tokens"]}
    return [
        *events,
        {"type": "message_delta", "delta": end, "usage": final},
        {"type": "message_stop"},
    ]
