"""Whether the client can read a tool of an MCP server's list: one it cannot loses the whole list.

Witness: Claude Code 2.1.332, `mcp_odd_tools`, one odd member a server.
"""

from collections.abc import Callable, Mapping

from inspector.jsontext import JSON

_ANNOTATIONS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def readable(entry: Mapping[str, JSON]) -> bool:
    """Whether every member the protocol names has the type it asks for."""
    return fault(entry) is None


def fault(entry: Mapping[str, JSON]) -> str | None:
    """The first member that is missing or of another type than the protocol asks for."""
    missing = next((name for name in _NEEDED if name not in entry), None)
    odd = (name for name, fits in _MEMBERS.items() if name in entry and not fits(entry[name]))
    return missing or next(odd, None)


def _text(value: JSON) -> bool:
    return isinstance(value, str)


def _object(value: JSON) -> bool:
    return isinstance(value, dict)


def _schema(value: JSON) -> bool:
    if not isinstance(value, dict) or value.get("type") != "object":
        return False
    needed = value.get("required", [])
    names = isinstance(needed, list) and all(isinstance(name, str) for name in needed)
    return names and isinstance(value.get("properties", {}), dict)


def _annotations(value: JSON) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("title", ""), str):
        return False
    return all(isinstance(value.get(name, True), bool) for name in _ANNOTATIONS)


_NEEDED = ("name", "inputSchema")
_MEMBERS: Mapping[str, Callable[[JSON], bool]] = {
    "name": _text,
    "title": _text,
    "description": _text,
    "inputSchema": _schema,
    "outputSchema": _object,
    "annotations": _annotations,
    "execution": _object,
    "icons": lambda value: isinstance(value, list),
    "_meta": _object,
}
