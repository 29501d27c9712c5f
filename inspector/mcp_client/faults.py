"""What can go wrong between us and an MCP server, and reading its messages."""

import json
from collections.abc import Mapping
from typing import Any

from inspector import jsontext


class Fault(Exception):
    """The server gave no usable answer."""


class NotAsked(Fault):
    """The server cannot be asked: another transport, or a login stands before it."""


class Refused(Fault):
    """The server answered with a JSON-RPC error."""


def message(method: str, params: Mapping[str, Any] | None, number: int | None) -> bytes:
    """A JSON-RPC message, one line."""
    data: dict[str, Any] = {"jsonrpc": "2.0"} | ({} if number is None else {"id": number})
    data |= {"method": method} | ({} if params is None else {"params": params})
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def parsed(line: bytes) -> jsontext.Node | None:
    """A message, or None for something else (servers print logs to standard output)."""
    try:
        node = jsontext.parse(line)
        return node if node.get("jsonrpc") is not None else None
    except ValueError:
        return None


def answers(node: jsontext.Node, number: int) -> bool:
    """Whether a message answers the request with this number."""
    given = node.get("id")
    return given is not None and given.text == str(number) and node.get("method") is None


def result(node: jsontext.Node) -> jsontext.Node:
    """An answer's result. Raises `Refused`."""
    found = node.get("result")
    if found is not None:
        return found
    error = node.get("error")
    raise Refused("no result" if error is None else f"error {error.text[:200]}")
