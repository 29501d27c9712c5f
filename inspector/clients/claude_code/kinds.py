"""What a captured request was for."""

import json
from typing import Any

from inspector.session import Exchange, ExchangeKind

_COMPACTION = "CRITICAL: Respond with TEXT ONLY"


def kind(exchange: Exchange) -> ExchangeKind:
    """The kind of one exchange, from its address and the shape of its body."""
    path = exchange.url.partition("?")[0]
    if exchange.method != "POST" or "/v1/messages" not in path:
        return ExchangeKind.AUX
    if path.endswith("/count_tokens"):
        return ExchangeKind.COUNT_TOKENS
    try:
        body = json.loads(exchange.request)
    except ValueError:
        return ExchangeKind.AUX
    if not isinstance(body, dict) or "messages" not in body:
        return ExchangeKind.AUX
    return _of_body(body)


def _of_body(body: dict[str, Any]) -> ExchangeKind:
    system = body.get("system")
    head = json.dumps(system[:1] if isinstance(system, list) else system)
    if "cc_is_subagent=true" in head:
        return ExchangeKind.SUBAGENT
    shape = body.get("output_config")
    if "tools" not in body and isinstance(shape, dict) and "format" in shape:
        return ExchangeKind.TITLE
    if _last_text(body).startswith(_COMPACTION):
        return ExchangeKind.COMPACTION
    return ExchangeKind.MAIN if "system" in body and "tools" in body else ExchangeKind.AUX


def _last_text(body: dict[str, Any]) -> str:
    messages = body.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else {}
    content = last.get("content") if isinstance(last, dict) else ""
    if isinstance(content, list) and content and isinstance(content[-1], dict):
        content = content[-1].get("text", "")
    return content if isinstance(content, str) else ""
