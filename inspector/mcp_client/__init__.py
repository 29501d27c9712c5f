"""Asking MCP servers what they offer, as the clients ask, each answer kept as the server wrote it.

The `mcp` SDK speaks with the servers; a tee below it keeps the raw text of each answer, since what
a client sends to its model depends on key order, number text and escapes. Transports: stdio,
streamable HTTP and SSE; servers of other kinds, and those behind a login, are named and not asked.
"""

import os
from collections.abc import Mapping, Sequence
from functools import partial

from inspector.clients import Server
from inspector.workspace import Listing

__all__ = ["SECONDS", "ask", "ask_again", "ask_all"]

SECONDS = 10.0


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
    return _every([server], timeout, times=times, env=env, cwd=cwd)[0]


def ask_all(
    servers: Sequence[Server],
    timeout: float = SECONDS,
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> tuple[Listing, ...]:
    """Ask all servers at once; the listings stand in the servers' order."""
    found = _every(servers, timeout, times=1, env=env, cwd=cwd)
    return tuple(listings[0] for listings in found)


def _every(
    servers: Sequence[Server],
    timeout: float,
    *,
    times: int,
    env: Mapping[str, str] | None,
    cwd: str | None,
) -> list[tuple[Listing, ...]]:
    if not servers:
        return []
    import anyio

    from inspector.mcp_client import asking

    given = os.environ if env is None else env
    ask_each = partial(asking.each, servers, timeout, times=times, env=given, cwd=cwd)
    return anyio.run(ask_each)
