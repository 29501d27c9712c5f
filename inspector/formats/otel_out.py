"""OTLP/JSON out: a span for each model request, by the semantic conventions for generative AI.

Attributes as of conventions 1.38: messages, instructions and tool definitions as JSON texts. It is
a view for tracing tools; the exact bytes stay in the store.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit

from inspector import __version__, wire
from inspector.segments import Prompt
from inspector.session import MODEL_KINDS, Exchange, moment
from inspector.turns import Called, Replied, Said

_SPAN_CLIENT = 3
_ERROR = 2
_PROVIDERS = {"anthropic": "anthropic", "openai": "openai"}

type _Value = dict[str, Any]


def write(exchanges: Sequence[Exchange], file: BinaryIO) -> None:
    """Write one document."""
    spans = [_span(exchange) for exchange in exchanges if exchange.kind in MODEL_KINDS]
    scope = {"scope": {"name": "inspector", "version": __version__}, "spans": spans}
    resource = {"attributes": _attributes({"service.name": "inspector"})}
    document = {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}
    file.write(json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")


def _span(exchange: Exchange) -> _Value:
    prompt = wire.split(exchange.request)
    dialect = prompt.dialect
    headers = {name.lower(): value for name, value in exchange.response_headers}
    kind = headers.get("content-type", "")
    reply = dialect and wire.reply(dialect, exchange.response, kind, exchange.status or 0)
    parts = urlsplit(exchange.url)
    model = prompt.model or ""
    told: dict[str, object] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _PROVIDERS.get(dialect.name, "") if dialect else "",
        "gen_ai.conversation.id": exchange.session,
        "gen_ai.request.model": model,
        "server.address": parts.hostname or "",
        "server.port": parts.port,
        "http.response.status_code": exchange.status,
        **_asked(prompt),
        **(_answered(reply) if isinstance(reply, Replied) else {}),
        "inspector.exchange.id": exchange.id,
        "inspector.exchange.kind": exchange.kind.value,
        "inspector.request.sha256": exchange.request_sha256,
    }
    failed = bool(exchange.error) or (exchange.status or 0) >= 400
    return {
        "traceId": _id(exchange.session, 32),
        "spanId": _id(exchange.id, 16),
        "name": f"chat {model}".strip(),
        "kind": _SPAN_CLIENT,
        "startTimeUnixNano": _nanoseconds(exchange.started),
        "endTimeUnixNano": _nanoseconds(exchange.ended or exchange.started),
        "attributes": _attributes(told),
        "status": {"code": _ERROR, "message": exchange.error} if failed else {},
    }


def _asked(prompt: Prompt) -> dict[str, object]:
    """What was sent, section by section."""
    instructions, tools = list[object](), list[object]()
    messages: list[_Value] = []
    for segment in prompt.segments:
        value = json.loads(segment.value.raw)
        if segment.section == "tools":
            tools.append(value)
        elif segment.section == "system":
            instructions.append(_part(value))
        else:
            if segment.opens_message or not messages:
                messages.append({"role": segment.role or "user", "parts": []})
            messages[-1]["parts"].append(_part(value))
    found = {
        "gen_ai.system_instructions": instructions,
        "gen_ai.input.messages": messages,
        "gen_ai.tool.definitions": tools,
    }
    return {name: json.dumps(items, ensure_ascii=False) for name, items in found.items() if items}


def _part(value: object) -> _Value:
    """A block as a part of a message; one of another type as it stands."""
    if isinstance(value, str):
        return {"type": "text", "content": value}
    block = cast("_Value", value) if isinstance(value, dict) else {"value": value}
    kind = block.get("type")
    if kind in {"text", "input_text", "output_text"}:
        return {"type": "text", "content": block.get("text", "")}
    if kind == "thinking":
        return {"type": "reasoning", "content": block.get("thinking", "")}
    if kind in {"tool_use", "function_call", "custom_tool_call"}:
        given = next((block[name] for name in ("input", "arguments") if name in block), None)
        named = block.get("call_id") or block.get("id")
        return {"type": "tool_call", "id": named, "name": block.get("name"), "arguments": given}
    if kind in {"tool_result", "function_call_output", "custom_tool_call_output"}:
        named = block.get("tool_use_id") or block.get("call_id")
        given = block.get("content", block.get("output"))
        return {"type": "tool_call_response", "id": named, "response": given}
    return {**block, "type": kind or "generic"}


def _answered(reply: Replied) -> dict[str, object]:
    parts: list[_Value] = []
    for block in reply.blocks:
        if isinstance(block, Said):
            parts.append({"type": "text", "content": block.text})
        elif isinstance(block, Called):
            call = {"id": block.id, "name": block.name, "arguments": block.input}
            parts.append({"type": "tool_call", **call})
    message = {"role": "assistant", "parts": parts, "finish_reason": reply.stop or "stop"}
    return {
        "gen_ai.output.messages": json.dumps([message], ensure_ascii=False),
        "gen_ai.response.id": reply.id,
        "gen_ai.response.finish_reasons": [reply.stop] if reply.stop else None,
        "gen_ai.usage.input_tokens": reply.input_tokens,
        "gen_ai.usage.output_tokens": reply.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": reply.cache_read_tokens,
        "gen_ai.usage.cache_creation.input_tokens": reply.cache_write_tokens,
    }


def _attributes(values: dict[str, object]) -> list[_Value]:
    return [
        {"key": name, "value": _any(value)}
        for name, value in values.items()
        if value not in (None, "")
    ]


def _any(value: object) -> _Value:
    if isinstance(value, list):
        return {"arrayValue": {"values": list(map(_any, cast("list[object]", value)))}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": str(value)}


def _nanoseconds(at: str) -> str:
    return str(int(moment(at) * 1_000_000) * 1000) if at else "0"


def _id(name: str, digits: int) -> str:
    return sha256(name.encode()).hexdigest()[:digits]
