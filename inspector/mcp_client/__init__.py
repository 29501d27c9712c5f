"""Asking MCP servers what they offer, as the clients ask, each answer kept as the server wrote it.

An MCP library parses the answers; what a client sends to its model depends on key order, number
text and escapes, so the raw text is what counts. Transports: stdio, streamable HTTP and SSE;
servers of other kinds, and those behind a login, are named and not asked.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from inspector import jsontext
from inspector.clients import Server
from inspector.mcp_client.faults import Fault, NotAsked, Refused
from inspector.mcp_client.http import Http
from inspector.mcp_client.sse import Sse
from inspector.mcp_client.stdio import Stdio
from inspector.workspace import Listing

__all__ = ["PROTOCOL", "SECONDS", "ask", "ask_again", "ask_all"]

PROTOCOL = "2025-11-25"
"""The newest version with `initialize` that both clients' binaries name."""
SECONDS = 10.0
_PAGES = 100
_HTTP = {"http", "streamable-http", "streamable_http"}
_ASKED = {"stdio", "sse", *_HTTP}
_LISTS = (
    ("tools", "tools", "tools/list", "tools"),
    ("prompts", "prompts", "prompts/list", "prompts"),
    ("resources", "resources", "resources/list", "resources"),
    ("templates", "resources", "resources/templates/list", "resourceTemplates"),
)


class Transport(Protocol):
    """A connection to a server."""

    def request(self, method: str, params: Mapping[str, Any]) -> jsontext.Node:
        """The `result` of a request. Raises `Fault`, or `Refused` for a JSON-RPC error."""
        ...

    def notify(self, method: str) -> None:
        """Send a notification."""
        ...

    def close(self) -> None:
        """End the connection, and the process behind it."""
        ...


def ask(
    server: Server,
    timeout: float = SECONDS,
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> Listing:
    """What a server says about itself; a failure is a state of the listing, never an exception.

    See `ask_again` for the parameters.
    """
    return ask_again(server, timeout, times=1, env=env, cwd=cwd)[0]


def ask_again(
    server: Server,
    timeout: float = SECONDS,
    *,
    times: int = 2,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> tuple[Listing, ...]:
    """What a server says when its lists are asked for so many times on one connection.

    `env` is what the client's process has (our own, when not given); the server's own settings come
    on top. `cwd` is used where the server names none.
    """
    try:
        transport: Transport = _connect(
            server, time.monotonic() + timeout, os.environ if env is None else env, cwd
        )
    except NotAsked as fault:
        return (_without(server, "not-asked", fault),)
    except (Fault, OSError, ValueError) as fault:
        return (_without(server, "failed", fault),)
    try:
        return _listings(server, transport, times)
    except NotAsked as fault:
        return (_without(server, "not-asked", fault),)
    except (Fault, OSError, ValueError) as fault:
        return (_without(server, "failed", fault),)
    finally:
        transport.close()


def ask_all(
    servers: Sequence[Server],
    timeout: float = SECONDS,
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> tuple[Listing, ...]:
    """Ask all servers at once; the listings stand in the servers' order."""
    if not servers:
        return ()

    def one(server: Server) -> Listing:
        return ask(server, timeout, env=env, cwd=cwd)

    with ThreadPoolExecutor(len(servers)) as pool:
        return tuple(pool.map(one, servers))


def _connect(server: Server, deadline: float, env: Mapping[str, str], cwd: str | None) -> Transport:
    if server.kind == "stdio" and server.command:
        return Stdio(server.command, {**env, **(server.env or {})}, server.cwd or cwd, deadline)
    if server.kind in _HTTP and server.url:
        return Http(server.url, dict(server.headers or {}), deadline)
    if server.kind == "sse" and server.url:
        return Sse(server.url, dict(server.headers or {}), deadline)
    if server.kind in _ASKED:
        raise Fault(f"its configuration names no {'command' if server.kind == 'stdio' else 'url'}")
    raise NotAsked(f"transport {server.kind} is not asked")


def _listings(server: Server, transport: Transport, times: int) -> tuple[Listing, ...]:
    asked: dict[str, Any] = {
        "protocolVersion": PROTOCOL,
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "inspector", "version": "1"},
    }
    initialized = transport.request("initialize", asked)
    transport.notify("notifications/initialized")
    return tuple(_listing(server, transport, initialized) for _ in range(times))


def _listing(server: Server, transport: Transport, initialized: jsontext.Node) -> Listing:
    offered = initialized.get("capabilities")
    answers: dict[str, str] = {}
    for name, capability, method, member in _LISTS:
        if offered is None or offered.get(capability) is None:
            continue
        text = _pages(transport, method, member)
        if text is not None:
            answers[name] = text
    return Listing(server=server.name, scope=server.scope, initialize=initialized.text, **answers)


def _pages(transport: Transport, method: str, member: str) -> str | None:
    """The raw result; of several pages one result that holds all their items as written."""
    pages: list[jsontext.Node] = []
    cursor: str | None = None
    while len(pages) < _PAGES:
        try:
            pages.append(transport.request(method, {"cursor": cursor} if cursor else {}))
        except Refused:
            return None
        cursor = pages[-1].string_of("nextCursor")
        if not cursor:
            break
    if len(pages) == 1:
        return pages[0].text
    lists = [page.get(member) for page in pages]
    items = ",".join(item.text for found in lists if found is not None for item in found.items)
    return f"{{{json.dumps(member)}:[{items}]}}"


def _without(server: Server, state: str, fault: Exception) -> Listing:
    reason = " ".join(str(fault).split()) or type(fault).__name__
    return Listing(server=server.name, scope=server.scope, state=state, reason=reason[:500])
