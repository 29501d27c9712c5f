"""Answering a client from a recording: HTTP, event streams, WebSockets."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from inspector.formats import frames
from inspector.mock import anthropic, responses
from inspector.mock.answer import Answer, Ids, json_answer
from inspector.mock.desk import Desk as ScriptDesk
from inspector.mock.script import Reply
from inspector.mock.server import as_object, decoded, paced, plain, start_up
from inspector.mock.websocket import Conversation, messages
from inspector.mock.websocket import send as send_event
from inspector.replay.desk import Asked, Desk, Refused
from inspector.replay.recorded import left
from inspector.replay.terms import here
from inspector.session import WEBSOCKET, Exchange, Headers, moment
from inspector.turns import Replied

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.websockets import WebSocket

_DROPPED = frozenset(
    {
        "connection",
        "content-encoding",
        "content-length",
        "date",
        "keep-alive",
        "server",
        "transfer-encoding",
    }
)
_EVENT = re.compile(rb"(?<=\n\n)")
_LONGEST_HOLD = 60.0
_LONGEST_PAUSE = 30.0


@dataclass(slots=True)
class Answerer:
    """What stands behind the routes."""

    desk: Desk
    timing: Literal["zero", "recorded"] = "zero"
    script: ScriptDesk | None = None
    """Answers after a fork, or what is missing."""
    upstream: str = ""
    _sockets: set[int] = field(default_factory=set[int])

    def app(self) -> "Starlette":
        """The application."""
        from starlette.applications import Starlette
        from starlette.routing import Route, WebSocketRoute

        methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        routes = [
            WebSocketRoute("/{path:path}/responses", self._socket),
            Route("/{path:path}", self._respond, methods=methods),
        ]
        return Starlette(routes=routes)

    async def _respond(self, request: "Request") -> "Response":
        wire = await request.body()
        data = decoded(wire, request.headers.get("content-encoding", ""))
        if request.headers.get("upgrade", "").lower() == "websocket":
            return _error(self.desk.source.refusal, "no websockets here")
        headers = _headers(request.headers.raw)
        asked = Asked(request.method, str(request.url), headers, data)
        verdict = await asyncio.to_thread(self.desk.ask, asked)
        if isinstance(verdict, Exchange):
            return await self._recorded(verdict, request)
        if isinstance(verdict, Refused):
            return _error(400, f"inspector replay: {verdict.reason}")
        if verdict == "aside":
            return plain(_least(request.method, request.url.path, data))
        return await self._otherwise(request, data, wire)

    async def _recorded(self, exchange: Exchange, request: "Request") -> "Response":
        from starlette.responses import Response, StreamingResponse

        if exchange.status is None and left(exchange):
            await _gone(request)
            return _error(502, "inspector replay: the recorded client hung up here")
        body = self._body(exchange)
        kept = {
            name: value for name, value in exchange.response_headers if name.lower() not in _DROPPED
        }
        status = exchange.status or 200
        waits, step = self._pace(exchange, body)
        await asyncio.sleep(waits)
        kind = next((kept[name] for name in kept if name.lower() == "content-type"), "")
        if "event-stream" not in kind:
            return Response(body, status, kept)
        return StreamingResponse(self._events(exchange, body, step, request), status, kept)

    async def _events(
        self, exchange: Exchange, body: bytes, step: float, request: "Request"
    ) -> AsyncIterator[bytes]:
        for number, event in enumerate(_parts(body)):
            if number and step:
                await asyncio.sleep(step)
            yield event
        if not exchange.error:
            return
        if left(exchange):
            await _gone(request)  # it had hung up itself: so it does again
        raise ConnectionAbortedError("the recorded stream broke off here")

    def _body(self, exchange: Exchange) -> bytes:
        snapshot = self.desk.source.snapshot
        facts = snapshot.environment if snapshot else None
        return here(exchange.response, self.desk.terms, facts)

    def _pace(self, exchange: Exchange, body: bytes) -> tuple[float, float]:
        """Seconds before the first byte, and between two events."""
        if self.timing == "zero" or not exchange.first_byte or not exchange.ended:
            return 0.0, 0.0
        before = moment(exchange.first_byte) - moment(exchange.started)
        whole = moment(exchange.ended) - moment(exchange.first_byte)
        count = max(len(_parts(body)), 1)
        return _bounded(before), _bounded(whole / count)

    async def _otherwise(self, request: "Request", data: bytes, wire: bytes) -> "Response":
        if self.script is None:
            return await _forwarded(self.upstream, request, wire)
        path, body = request.url.path, as_object(data) or {}
        if path.endswith("/count_tokens"):
            return plain(self.script.count(body, data))
        if path.endswith("/responses"):
            sub = "x-openai-subagent" in request.headers
            return await paced(*self.script.sample(body, data, sub=sub))
        return await paced(*self.script.messages(body, data))

    # --- websockets --------------------------------------------------------------------------

    async def _socket(self, socket: "WebSocket") -> None:
        if not self.desk.source.sockets:
            await socket.close()
            return
        await socket.accept()
        held = Conversation()
        async for data in messages(socket):
            await self._message(socket, held, data)

    async def _message(self, socket: "WebSocket", held: Conversation, data: bytes) -> None:
        headers = _headers(socket.headers.raw)
        verdict = await asyncio.to_thread(
            self.desk.ask, Asked(WEBSOCKET, str(socket.url), headers, data)
        )
        whole = held.whole(as_object(data) or {})
        if isinstance(verdict, Exchange):
            await self._play(socket, held, verdict)
        elif isinstance(verdict, Refused):
            await _fail(socket, f"inspector replay: {verdict.reason}")
        elif verdict == "otherwise" and self.script is not None and whole is not None:
            sub = "x-openai-subagent" in socket.headers
            reply, answer = self.script.sample(whole, data, sub=sub)
            await held.answer(socket, reply, answer)
        elif verdict == "otherwise":
            await _fail(socket, "inspector replay: after a fork only a script answers a WebSocket")

    async def _play(self, socket: "WebSocket", held: Conversation, exchange: Exchange) -> None:
        body = self._body(exchange)
        waits, step = self._pace(exchange, body)
        await asyncio.sleep(waits)
        for number, event in enumerate(frames.messages(body)):
            if number and step:
                await asyncio.sleep(step)
            held.remember(as_object(event) or {})
            await socket.send_text(event.decode("utf-8", "surrogateescape"))
        if exchange.error and "server closed" in exchange.error:
            raise ConnectionAbortedError("the recorded socket broke off here")


def _parts(body: bytes) -> list[bytes]:
    """The events of a stream, each with its blank line."""
    return [part for part in _EVENT.split(body) if part]


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), _LONGEST_PAUSE)


async def _gone(request: "Request") -> None:
    """Wait until the client hangs up, not for ever."""
    waited = 0.0
    while waited < _LONGEST_HOLD and not await request.is_disconnected():
        await asyncio.sleep(0.05)
        waited += 0.05


def _headers(raw: list[tuple[bytes, bytes]]) -> Headers:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)


def _least(method: str, path: str, data: bytes) -> Answer:
    """What a client accepts where nothing was recorded and nothing is judged."""
    if method != "POST":
        return start_up(path)
    body = as_object(data) or {}
    if path.endswith("/v1/messages"):
        return anthropic.answer(Reply(text="ok"), body, Ids())
    if path.endswith("/responses"):
        return responses.answer(Reply(text="ok"), body, Ids())
    return json_answer({}, Replied())


def _error(status: int, message: str) -> "Response":
    from starlette.responses import JSONResponse

    error = {"type": "invalid_request_error", "message": message}
    return JSONResponse({"type": "error", "error": error}, status)


async def _fail(socket: "WebSocket", message: str) -> None:
    error = {"type": "invalid_request_error", "code": None, "message": message}
    await send_event(socket, {"type": "error", "status": 400, "error": error})


async def _forwarded(upstream: str, request: "Request", wire: bytes) -> "Response":
    """What a real model says, where the user asked for one."""
    import httpx2
    from starlette.responses import StreamingResponse

    url = upstream.rstrip("/") + request.url.path
    if request.url.query:
        url += f"?{request.url.query}"
    headers = [(name, value) for name, value in request.headers.items() if name not in _HOP]
    client = httpx2.AsyncClient(timeout=httpx2.Timeout(600, connect=20))
    try:
        sent = client.build_request(request.method, url, headers=headers, content=wire)
        answer = await client.send(sent, stream=True)
    except httpx2.HTTPError as error:
        await client.aclose()
        return _error(502, f"inspector replay: {upstream} gives no answer ({error})")

    async def chunks() -> AsyncIterator[bytes]:
        try:
            async for chunk in answer.aiter_raw():
                yield chunk
        finally:
            await answer.aclose()
            await client.aclose()

    dropped = _DROPPED - {"content-encoding"}
    kept = {name: value for name, value in answer.headers.items() if name not in dropped}
    return StreamingResponse(chunks(), answer.status_code, kept)


_HOP = frozenset({"host", "connection", "content-length", "keep-alive", "transfer-encoding"})
