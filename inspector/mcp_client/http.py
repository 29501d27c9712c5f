"""The SDK's two HTTP transports, with the tee as a hook on each response below them."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import anyio
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import McpHttpClientFactory

from inspector.mcp_client.events import Events
from inspector.mcp_client.faults import Fault, refused
from inspector.mcp_client.tee import Tee

_EVENTS = "text/event-stream"
_SAID = 2000
_SAID_SECONDS = 0.5
_SAME_METHOD = frozenset({307, 308})


@asynccontextmanager
async def http(
    url: str, headers: Mapping[str, str], seconds: float, tee: Tee
) -> AsyncGenerator[Any]:
    """The streams of a session over streamable HTTP: each message a POST with its answer."""
    made = _client(partial(_tapped, url=url, tee=tee, needed=frozenset({"POST"})))
    async with (
        made(dict(headers), httpx2.Timeout(seconds)) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=None) as streams,
    ):
        yield streams


def sse(
    url: str, headers: Mapping[str, str], seconds: float, tee: Tee
) -> AbstractAsyncContextManager[Any]:
    """The streams of a session over the older HTTP: all answers come on one event stream."""
    made = _client(partial(_tapped, url=url, tee=tee, needed=frozenset({"GET", "POST"})))
    return sse_client(url, dict(headers), seconds, seconds, made)


def _client(hook: Callable[..., object]) -> McpHttpClientFactory:
    """Makes clients whose responses are seen before the SDK reads them, and come as they are."""

    def made(
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        plain = {"Accept-Encoding": "identity", **(headers or {})}
        hooks = {"response": [hook]}
        return httpx2.AsyncClient(headers=plain, timeout=timeout, auth=auth, event_hooks=hooks)

    return made


async def _tapped(response: httpx2.Response, *, url: str, tee: Tee, needed: frozenset[str]) -> None:
    """Put the tee between a response and the SDK; a status that ends all is a fault."""
    method, status = response.request.method, response.status_code
    if method not in needed and status >= 300:
        return
    if status >= 300 and not _stays(response):
        tee.fail(refused(status, response.reason_phrase, await _said(response)))
        return
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == _EVENTS:
        opened = partial(_same_host, url=url, tee=tee)
        events = Events(tee.through, opened)
        answers_come_here = method == "GET" and method in needed
        response.stream = _Tapped(response.stream, events, tee if answers_come_here else None)
    elif method == "POST":
        response.stream = _Tapped(response.stream, _Whole(tee))
    elif method in needed and status < 300:
        named = kind or "of no kind"
        tee.fail(Fault(f"its answer is {named}, no event stream", "content", detail=named))


async def _said(response: httpx2.Response) -> str:
    """What came with a refusal, as far as it comes at once."""
    said = ""
    with anyio.move_on_after(_SAID_SECONDS):
        async for part in response.aiter_text():
            said += part
            if len(said) >= _SAID:
                break
    return said[:_SAID]


def _stays(response: httpx2.Response) -> bool:
    """Whether a redirect keeps the host and the method; headers may hold credentials for it."""
    sent, status = response.request, response.status_code
    location = response.headers.get("location")
    if location is None or not (status in _SAME_METHOD or sent.method == "GET"):
        return False
    to = sent.url.join(location)
    return (to.scheme, to.host, to.port) == (sent.url.scheme, sent.url.host, sent.url.port)


def _same_host(address: bytes, *, url: str, tee: Tee) -> None:
    """Refuse an address for messages on another host: the SDK would wait for ever."""
    old = httpx2.URL(url)
    new = old.join(address.decode(errors="replace"))
    if (old.scheme, old.host, old.port) != (new.scheme, new.host, new.port):
        tee.fail(Fault("the endpoint is on another host"))


class _Whole:
    """A body that is one message."""

    def __init__(self, tee: Tee) -> None:
        self._tee = tee
        self._parts: list[bytes] = []

    def feed(self, chunk: bytes) -> bytes:
        """Keep a part; nothing is passed on yet."""
        self._parts.append(chunk)
        return b""

    def end(self) -> bytes:
        """The message for the session, or the body as it came."""
        body = b"".join(self._parts)
        return self._tee.through(body) or body


class _Tapped(httpx2.AsyncByteStream):
    """A response's bytes on their way through the tee."""

    def __init__(self, inner: object, through: "_Whole | Events", tee: Tee | None = None) -> None:
        """With a tee, the stream's end is the end of all."""
        assert isinstance(inner, httpx2.AsyncByteStream)
        self._inner, self._through, self._tee = inner, through, tee

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            if given := self._through.feed(chunk):
                yield given
        if given := self._through.end():
            yield given
        if self._tee is not None:
            self._tee.fault = Fault(f"the stream ended before {self._tee.awaited} was answered")

    async def aclose(self) -> None:
        """End the response."""
        await self._inner.aclose()
