"""What a captured request was for."""

from typing import Any

from inspector.clients.claude_code.plain import items, mapping
from inspector.jsontext import read
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
        body = mapping(read(exchange.request))
    except ValueError:
        body = {}
    # What cannot be read as a request was still sent to the model.
    return _of_body(body) if "messages" in body else ExchangeKind.MAIN


def _of_body(body: dict[str, Any]) -> ExchangeKind:
    head = mapping(next(iter(items(body.get("system"))), None)).get("text")
    if isinstance(head, str) and "cc_is_subagent=true" in head:
        return ExchangeKind.SUBAGENT
    # No tools, or an empty list of them [claude-code 2.1.332, interactive_basic].
    if not items(body.get("tools")) and "format" in mapping(body.get("output_config")):
        return ExchangeKind.TITLE
    if _last_text(body).startswith(_COMPACTION):
        return ExchangeKind.COMPACTION
    return ExchangeKind.MAIN if "system" in body and "tools" in body else ExchangeKind.AUX


def _last_text(body: dict[str, Any]) -> str:
    content = mapping(items(body.get("messages"))[-1:] and body["messages"][-1]).get("content")
    if isinstance(content, str):
        return content
    said = mapping(items(content)[-1]).get("text") if items(content) else None
    return said if isinstance(said, str) else ""
