"""The tee below the `mcp` SDK: each answer is kept as the server wrote it.

The SDK's models lose number text and lone surrogates, and refuse what clients take. So an answer
is kept here, and the session gets a plain one in its place that says where the real one is.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from inspector import jsontext
from inspector.mcp_client.faults import Fault

_MARK = "inspector/kept"
_LISTS = ("tools", "prompts", "resources", "resourceTemplates")


class Tee:
    """What one server answered, in the order it came."""

    def __init__(self) -> None:
        """Nothing is kept yet."""
        self._kept: list[jsontext.Node] = []
        self.awaited = "the opening"
        """What was asked for last."""
        self.fault: Fault | None = None
        """Why nothing more can come."""
        self.words = ""
        """The end of what the server wrote to standard error."""
        self.stop: Callable[[], object] | None = None
        """Ends the asking; called at a fault that the SDK would wait through."""

    def through(self, raw: bytes) -> bytes | None:
        """The message that the session gets; None for words that are no message.

        Servers print logs to standard output.
        """
        node = _parsed(raw)
        if node is None:
            return None
        number, result, error = node.get("id"), node.get("result"), node.get("error")
        if number is None or node.get("method") is not None or (result or error) is None:
            return raw
        mark = {_MARK: len(self._kept)}
        self._kept.append(node)
        plain = {"result": _plain(result, mark)} if result is not None else {"error": _error(mark)}
        return f'{{"jsonrpc":"2.0","id":{number.text},{json.dumps(plain)[1:]}'.encode()

    def kept(self, marked: object) -> jsontext.Node | None:
        """The real answer for the mark in a plain one."""
        found = marked.get(_MARK) if isinstance(marked, Mapping) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return self._kept[found] if isinstance(found, int) else None

    def fail(self, fault: Fault) -> None:
        """Nothing more can come: remember why, and end the asking."""
        self.fault = self.fault or fault
        if self.stop is not None:
            self.stop()

    def said(self, fact: str) -> str:
        """A fact, and the server's words on standard error."""
        return f"{fact}; it said: {self.words}" if self.words else fact


def _plain(result: jsontext.Node, mark: Mapping[str, int]) -> dict[str, Any]:
    """A result that the SDK takes for one of any request of ours."""
    found: dict[str, Any] = {
        "protocolVersion": result.string_of("protocolVersion") or "",
        "capabilities": {},
        "serverInfo": {"name": "", "version": ""},
        "_meta": mark,
    }
    return found | {name: [] for name in _LISTS}


def _error(mark: Mapping[str, int]) -> dict[str, Any]:
    return {"code": -32603, "message": "refused", "data": mark}


def _parsed(raw: bytes) -> jsontext.Node | None:
    with suppress(ValueError):
        node = jsontext.parse(raw)
        if node.get("jsonrpc") is not None:
            return node
    return None
