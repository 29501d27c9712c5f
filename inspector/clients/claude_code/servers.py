"""The MCP servers the client would start, of every scope and of the command line."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from inspector.clients import Server
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.options import on, options
from inspector.clients.claude_code.plain import is_list, is_mapping, items, mapping
from inspector.clients.claude_code.settings import (
    MANAGED,
    absolute,
    config_file,
    of_project,
    parsed,
    settings,
)
from inspector.workspace import Environment, Tree

_KINDS = {"stdio", "http", "streamable-http", "sse", "ws"}
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def servers(tree: Tree, environment: Environment) -> tuple[Server, ...]:
    """Every server, by name; the narrowest scope that names one wins."""
    given = options(environment.argv)
    managed = _file(tree, f"{MANAGED}/managed-mcp.json")
    if managed:
        return _made(managed, "enterprise", environment)
    found: dict[str, Server] = {}
    simple = "--bare" in given.flags or on(environment, "CLAUDE_CODE_SIMPLE")
    if "--strict-mcp-config" not in given.flags and not simple and "--safe-mode" not in given.flags:
        found |= _scopes(tree, environment)
    for value in given.all("--mcp-config"):
        inline = value.lstrip().startswith("{")
        listed = _listed(parsed(value)) if inline else _file(tree, absolute(value, environment.cwd))
        found |= {server.name: server for server in _made(listed, "dynamic", environment)}
    return tuple(found.values())


def _scopes(tree: Tree, environment: Environment) -> dict[str, Server]:
    chosen = settings(tree, environment)
    config = parsed(decode(tree.read(config_file(environment)) or b""))
    project = of_project(config, environment)
    off = {
        *chosen.strings("disabledMcpjsonServers"),
        *items(project.get("disabledMcpjsonServers")),
        *items(project.get("disabledMcpServers")),
    }
    every: list[Server] = []
    if "user" in chosen.sources:
        every += _made(_listed(config), "user", environment)
    if "project" in chosen.sources:
        for folder in _upwards(environment.cwd):
            every += _made(_file(tree, f"{folder}/.mcp.json"), "project", environment)
    if "local" in chosen.sources:
        every += _made(_listed(project), "local", environment)
    return {server.name: server for server in every if server.name not in off}


def _upwards(cwd: str) -> list[str]:
    parts = [part for part in cwd.split("/") if part]
    return ["/" + "/".join(parts[: n + 1]) for n in range(len(parts))]


def _file(tree: Tree, path: str) -> Mapping[str, Any]:
    data = tree.read(path)
    return _listed(parsed(decode(data))) if data else {}


def _listed(config: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(config.get("mcpServers"))


def _made(listed: Mapping[str, Any], scope: str, environment: Environment) -> tuple[Server, ...]:
    def expand(value: object) -> str:
        return _VARIABLE.sub(
            lambda match: environment.env.get(match[1], match[2] or match[0]), str(value)
        )

    out: list[Server] = []
    for name, found in listed.items():
        entry = mapping(found)
        if not _valid(entry):
            continue
        kind = str(entry.get("type", "stdio"))
        command = (entry["command"], *items(entry.get("args"))) if "command" in entry else ()
        out.append(
            Server(
                name=name,
                scope=scope,
                kind={"ws": "websocket"}.get(kind, kind),
                command=tuple(expand(word) for word in command),
                url=expand(entry["url"]) if "url" in entry else None,
                env={k: expand(v) for k, v in mapping(entry.get("env")).items()} or None,
                headers={k: expand(v) for k, v in mapping(entry.get("headers")).items()} or None,
                cwd=environment.cwd,
                always_load=entry["alwaysLoad"] if _said(entry, "alwaysLoad") else None,
            )
        )
    return tuple(out)


def _valid(entry: Mapping[str, Any]) -> bool:
    """Whether the client takes an entry; it passes over others without a word."""
    kind = entry.get("type", "stdio")
    if not isinstance(kind, str) or kind not in _KINDS or not _tuned(entry):
        return False
    if kind == "stdio":
        words: object = entry.get("args", [])
        takes = is_list(words) and _texts(items(words))
        return _named(entry, "command") and takes and _pairs(entry, "env")
    login = isinstance(entry.get("oauth", {}), dict)
    login = login and isinstance(entry.get("headersHelper", ""), str)
    return login and _named(entry, "url") and _pairs(entry, "headers")


def _named(entry: Mapping[str, Any], name: str) -> bool:
    value = entry.get(name)
    return isinstance(value, str) and bool(value)


def _tuned(entry: Mapping[str, Any]) -> bool:
    wait = entry.get("timeout", 1)
    whole = isinstance(wait, int) and not isinstance(wait, bool) and wait > 0
    return whole and isinstance(entry.get("alwaysLoad", False), bool)


def _pairs(entry: Mapping[str, Any], name: str) -> bool:
    value: object = entry.get(name, {})
    return is_mapping(value) and _texts(mapping(value).values())


def _texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _said(entry: Mapping[str, Any], name: str) -> bool:
    return isinstance(entry.get(name), bool)
