"""What an API itself says of a cache that was missed: both vendors can, when a client asks."""

from inspector.jsontext import Node
from inspector.wire.responses import document, is_stream, stream

_SAID = (
    ("diagnostics", "cache_miss_reason", "type"),
    ("prompt_cache_diagnostics", "reason"),
)
"""Anthropic's, in a message; OpenAI's, in a response."""
_HOLDERS = ("message", "response")


def diagnosis(body: bytes, content_type: str = "") -> str:
    """The reason in the API's own words (`tools_changed` …); empty where it gives none."""
    if is_stream(body, content_type):
        events = stream(body)[0]
    else:
        node = document(body)
        events = [node] if node is not None else []
    for event in events:
        for holder in (event, *(event.get(name) for name in _HOLDERS)):
            if holder is not None and (said := _said(holder)):
                return said
    return ""


def _said(node: Node) -> str:
    for *path, last in _SAID:
        found: Node | None = node
        for name in path:
            found = found.get(name) if found is not None and found.kind == "object" else None
        if found is not None and found.kind == "object" and (said := found.string_of(last)):
            return said
    return ""
