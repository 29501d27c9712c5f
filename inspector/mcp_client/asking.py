"""One conversation with a server over the SDK's session: greet it, then ask for all its lists."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import anyio
import mcp_types as types
from mcp.client.session import ClientRequestContext, ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION
from pydantic import ValidationError

from inspector import jsontext
from inspector.clients import Server
from inspector.mcp_client.faults import Fault, NotAsked, Refused, told, unsaid
from inspector.mcp_client.http import http, sse
from inspector.mcp_client.replies import Replies
from inspector.mcp_client.stdio import stdio
from inspector.mcp_client.tee import Tee
from inspector.workspace import Failure, Listing

_VERSIONS = frozenset({*HANDSHAKE_PROTOCOL_VERSIONS, "2024-10-07"})
"""What the clients take: Claude Code 2.1.332 names the oldest too, and ends at any other."""
_PAGES = 100
_OTHER_CONTENT = "Unexpected content type: "
"""How the SDK begins what it says of one."""
_COMPRESSED = "its answer came compressed, though it was asked for as it is"
_HTTP = {"http", "streamable-http", "streamable_http"}
_ASKED = {"stdio", "sse", *_HTTP}
_LISTS = (
    ("tools", "tools", types.ListToolsRequest, "tools"),
    ("prompts", "prompts", types.ListPromptsRequest, "prompts"),
    ("resources", "resources", types.ListResourcesRequest, "resources"),
    ("templates", "resources", types.ListResourceTemplatesRequest, "resourceTemplates"),
)

# The SDK logs with a traceback what it cannot read ("client" is a name of its own); a fault is told
# in the listing.
for _name in ("mcp", "client", "httpx2"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


async def each(
    servers: Sequence[Server],
    seconds: float,
    *,
    times: int,
    env: Mapping[str, str],
    cwd: str | None,
) -> list[tuple[Listing, ...]]:
    """Ask all servers at once; the listings of each, in the servers' order."""
    found: dict[int, tuple[Listing, ...]] = {}

    async def one(number: int, server: Server) -> None:
        try:
            found[number] = await _asked(server, seconds, times, env, cwd)
        except NotAsked as fault:
            found[number] = (_without(server, "not-asked", fault),)
        except Fault as fault:
            found[number] = (_without(server, "failed", fault),)

    async with anyio.create_task_group() as tasks:
        for number, server in enumerate(servers):
            tasks.start_soon(one, number, server)
    return [found[number] for number in range(len(servers))]


async def _asked(
    server: Server, seconds: float, times: int, env: Mapping[str, str], cwd: str | None
) -> tuple[Listing, ...]:
    """What a server says. Raises `Fault`."""
    tee = Tee()
    found: tuple[Listing, ...] | None = None
    try:
        with anyio.move_on_after(seconds) as scope:
            tee.stop = scope.cancel
            async with (
                _connection(server, seconds, env, cwd, tee) as (reading, writing),
                ClientSession(reading, Replies(writing), list_roots_callback=_no_roots) as session,
            ):
                found = await _Talk(session, tee).listings(server, times)
    except Exception as error:  # noqa: BLE001 - the SDK's tasks raise groups of anything
        if found is None:
            raise tee.fault or told(error) from None
    if found is None:
        raise tee.fault or Fault(tee.said(f"no answer to {tee.awaited} in time"), "late")
    return found


def _connection(
    server: Server, seconds: float, env: Mapping[str, str], cwd: str | None, tee: Tee
) -> AbstractAsyncContextManager[Any]:
    """The streams of a session with a server. Raises `Fault`."""
    if server.kind not in _ASKED:
        raise NotAsked(f"transport {server.kind} is not asked")
    if server.kind == "stdio":
        if not server.command:
            raise Fault("its configuration names no command")
        whole = {**env, **(server.env or {})}
        return stdio(server.command, whole, server.cwd or cwd, tee)
    if not server.url:
        raise Fault("its configuration names no url")
    if not server.url.startswith(("http://", "https://")):
        raise Fault(f"{server.url.partition(':')[0]} is no scheme of HTTP")
    over = sse if server.kind == "sse" else http
    return over(server.url, server.headers or {}, seconds, tee)


async def _no_roots(context: ClientRequestContext) -> types.ListRootsResult:  # noqa: ARG001 - named as the SDK has it
    return types.ListRootsResult(roots=[])


class _Talk:
    """The questions to one server, each answer as it came through the tee."""

    def __init__(self, session: ClientSession, tee: Tee) -> None:
        self._session, self._tee = session, tee
        self._endless: set[str] = set()

    async def listings(self, server: Server, times: int) -> tuple[Listing, ...]:
        """What a server says when its lists are asked for so many times."""
        initialized = await self._greet()
        return tuple([await self._listing(server, initialized) for _ in range(times)])

    async def _greet(self) -> jsontext.Node:
        """As the SDK's `initialize`, but with no more capabilities than the clients name."""
        asked = types.InitializeRequest(
            params=types.InitializeRequestParams(
                protocol_version=LATEST_HANDSHAKE_VERSION,
                capabilities=types.ClientCapabilities(roots=types.RootsCapability()),
                client_info=types.Implementation(name="inspector", version="1"),
            )
        )
        plain, result = await self._answer(asked, types.InitializeResult)
        if plain.protocol_version not in _VERSIONS:
            named = plain.protocol_version or "(none)"
            words = f"protocol version {named} is not supported"
            raise Fault(words, "version", detail=plain.protocol_version)
        self._session.adopt(plain)
        await self._session.send_notification(types.InitializedNotification())
        return result

    async def _listing(self, server: Server, initialized: jsontext.Node) -> Listing:
        offered = initialized.get("capabilities")
        answers: dict[str, str] = {}
        for name, capability, request, member in _LISTS:
            if offered is None or offered.get(capability) is None:
                continue
            text = await self._pages(request, member)
            if text is not None:
                answers[name] = text
        bare = Listing(server=server.name, scope=server.scope, initialize=initialized.text)
        return bare.model_copy(update={**answers, "endless": tuple(sorted(self._endless))})

    async def _pages(
        self, request: Callable[..., types.Request[Any, Any]], member: str
    ) -> str | None:
        """The raw result; of several pages one result that holds all their items as written.

        A page named twice ends the list, as it does for Claude Code 2.1.332.
        """
        pages: list[jsontext.Node] = []
        named: list[str] = []
        while True:
            params = types.PaginatedRequestParams(cursor=named[-1]) if named else None
            asked = request(params=params)
            try:
                pages.append((await self._answer(asked, types.Result))[1])
            except Refused:
                return None
            cursor = pages[-1].string_of("nextCursor")
            if not cursor:
                break
            if cursor in named or len(pages) == _PAGES:
                self._endless.add(str(asked.method))
                break
            named.append(cursor)
        if len(pages) == 1:
            return pages[0].text
        lists = [page.get(member) for page in pages]
        items = ",".join(item.text for found in lists if found is not None for item in found.items)
        return f"{{{json.dumps(member)}:[{items}]}}"

    async def _answer[R: types.Result](
        self, request: types.Request[Any, Any], kind: type[R]
    ) -> tuple[R, jsontext.Node]:
        """An answer as the session has it, and the result as the server wrote it."""
        self._tee.awaited = str(request.method)
        try:
            plain = await self._session.send_request(request, kind)
        except MCPError as error:
            raise self._fault(error.error, request.method) from None
        except ValidationError:
            raise Fault(_COMPRESSED) from None
        kept = self._tee.kept(plain.meta)
        result = kept.get("result") if kept is not None else None
        if result is None:
            raise Fault(_COMPRESSED)
        return plain, result

    def _fault(self, error: types.ErrorData, method: str) -> Fault:
        """What an error stands for: one of the server, or one the SDK made."""
        kept = self._tee.kept(error.data)
        said = kept.get("error") if kept is not None else None
        if said is not None:
            code = said.get("code")
            detail, words = code.text if code is not None else "", said.string_of("message") or ""
            return Refused(f"error {said.text[:200]}", "error", detail=detail, said=words)
        if self._tee.fault is not None:
            return self._tee.fault
        if error.code == types.PARSE_ERROR:
            return Fault(f"no answer to {method} (it is no JSON-RPC message)", "unreadable")
        _, odd, kind = error.message.partition(_OTHER_CONTENT)
        words = f"no answer to {method} ({error.message})"
        return Fault(words, "content" if odd else None, detail=kind)


def _without(server: Server, state: str, fault: Fault) -> Listing:
    """A listing that tells why there is none."""
    reason = unsaid(server, " ".join(str(fault).split()))[:500]
    failure = _failure(server, fault)
    return Listing(
        server=server.name, scope=server.scope, state=state, reason=reason, failure=failure
    )


def _failure(server: Server, fault: Fault) -> Failure | None:
    """The facts that a client's own words are made of."""
    if fault.cause is None:
        return None
    cause, names = fault.cause, {name.lower() for name in server.headers or {}}
    if cause == "status" and fault.detail == "401" and "authorization" in names:
        cause = "token-refused"
    over = "http" if server.kind in _HTTP else server.kind
    said = unsaid(server, fault.said)
    return Failure(transport=over, cause=cause, detail=fault.detail, said=said)
