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
    arguments = cast("object", entry.get("args"))
    words = map(str, cast("list[object]", arguments)) if isinstance(arguments, list) else ()
    return Server(
        name=name,
        scope="user",
        kind="stdio" if command else "http",
        command=(str(command), *words) if command else (),
        url=str(url) if url else None,
        env=_table(entry.get("env")),
        headers=_table(entry.get("http_headers")),
        cwd=str(entry.get("cwd") or environment.cwd),
    )


def _table(value: object) -> dict[str, str] | None:
    """A table of texts; of another shape Codex refuses the whole configuration."""
    return dict(cast("Mapping[str, str]", value)) or None if isinstance(value, dict) else None
