"""The MCP servers a Codex process would start, by its configuration."""

from collections.abc import Mapping
from typing import Any, cast

from inspector.clients import Server
from inspector.clients.codex.config import read
from inspector.workspace import Environment, Tree


def servers(tree: Tree, environment: Environment) -> tuple[Server, ...]:
    """Every server that is not switched off, in the order of the configuration."""
    config = read(tree, environment)
    table = config.get("mcp_servers")
    if not isinstance(table, dict):
        return ()
    entries = cast("Mapping[str, Any]", table)
    return tuple(
        _server(name, cast("Mapping[str, Any]", entry), environment)
        for name, entry in entries.items()
        if isinstance(entry, dict) and cast("Mapping[str, Any]", entry).get("enabled", True)
    )


def _server(name: str, entry: Mapping[str, Any], environment: Environment) -> Server:
    url = entry.get("url")
    command = entry.get("command")
    arguments = cast("list[object]", entry.get("args") or [])
    headers = dict(cast("Mapping[str, str]", entry.get("http_headers") or {}))
    return Server(
        name=name,
        scope="user",
        kind="stdio" if command else "http",
        command=(str(command), *map(str, arguments)) if command else (),
        url=str(url) if url else None,
        env=dict(cast("Mapping[str, str]", entry.get("env") or {})) or None,
        headers=headers or None,
        cwd=str(entry.get("cwd") or environment.cwd),
    )
