"""The Responses API on a WebSocket: a script's answers as messages.

One request at a time, as clients send them: `response.create` with `previous_response_id` and new
items only, after a request with `generate: false` that wants no answer [codex 0.171.0, builtin_ws].
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from inspector.jsontext import read
from inspector.mock.answer import Answer, Ids
from inspector.mock.script import Reply, compact

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

type Body = dict[str, Any]
type Sample = Callable[[Body, bytes], tuple[Reply, Answer]]
"""Answers a request, told whole and as received."""

_NOTHING_USED = {
    "input_tokens": 0,
    "input_tokens_details": None,
    "output_tokens": 0,
    "output_tokens_details": None,
    "total_tokens": 0,
}


@dataclass(slots=True)
class Conversation:
    """What the server remembers of one socket."""

    last: str = ""
    """The response a client may go on from."""
    items: list[Any] = field(default_factory=list[Any])
    tools: list[Any] = field(default_factory=list[Any])

    def whole(self, body: Body) -> Body | None:
        """A request with all it goes on from; None when that is not known here."""
        goes_on = body.get("previous_response_id")
        if goes_on is not None and goes_on != self.last:
            return None
        before = self.items if goes_on is not None else []
        tools = body.get("tools") or (self.tools if goes_on is not None else [])
        self.items, self.tools = [*before, *(body.get("input") or [])], tools
        return {**body, "stream": True, "input": self.items, "tools": tools}

    def remember(self, event: Body) -> None:
        """Keep what a later request may go on from."""
        if event.get("type") == "response.output_item.done":
            self.items.append(event["item"])
        self.last = str(event.get("response", {}).get("id", self.last))

    async def answer(self, socket: "WebSocket", reply: Reply, answer: Answer) -> None:
        """Send an answer, one message an event."""
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if answer.content_type != "text/event-stream":
            error = json.loads(b"".join(answer.chunks))["error"]
            await send(socket, {"type": "error", "status": answer.status, "error": error})
            return
        for number, chunk in enumerate(answer.chunks):
            if number and reply.pause:
                await asyncio.sleep(reply.pause)
            event = chunk.partition(b"data: ")[2].rstrip(b"\n")
            self.remember(json.loads(event))
            await socket.send_text(event.decode())
        if answer.cut:
            raise ConnectionAbortedError("the script cuts the socket here")


async def messages(socket: "WebSocket") -> AsyncIterator[bytes]:
    """What a client says on an accepted socket, until it leaves."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        yield cast("bytes", message.get("bytes") or b"") if text is None else text.encode()


async def converse(
    socket: "WebSocket", ids: Ids, sample: Sample, note: Callable[[bytes, str], None]
) -> None:
    """Answer requests until the client leaves.

    `note` is told of each that wants no answer, and the id of what stands for one.
    """
    await socket.accept()
    held = Conversation()
    async for data in messages(socket):
        body = _object(data)
        if body is None or body.get("type") != "response.create":
            await _fail(socket, 400, "the message is no response.create")
            continue
        whole = held.whole(body)
        if whole is None:
            await _fail(socket, 400, "the response to go on from is unknown", _UNKNOWN)
        elif body.get("generate") is False:
            held.last = ids.next("resp")
            note(data, held.last)
            await _warm(socket, held.last)
        else:
            await held.answer(socket, *sample(whole, data))


_UNKNOWN = "previous_response_not_found"


async def _warm(socket: "WebSocket", identity: str) -> None:
    response = {"id": identity, "object": "response"}
    await send(socket, {"type": "response.created", "response": response})
    done = {**response, "status": "completed", "usage": _NOTHING_USED}
    await send(socket, {"type": "response.completed", "response": done})


async def _fail(socket: "WebSocket", status: int, message: str, code: str | None = None) -> None:
    error = {"type": "invalid_request_error", "code": code, "message": message}
    await send(socket, {"type": "error", "status": status, "error": error})


async def send(socket: "WebSocket", event: Body) -> None:
    """Send an event as one message."""
    await socket.send_text(compact(event))


def _object(data: bytes) -> Body | None:
    try:
        value = read(data)
    except ValueError:
        return None
    return cast("Body", value) if isinstance(value, dict) else None
