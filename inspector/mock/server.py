"""Serving a script: listeners, routes, what a client asks at start.

Strategy: one uvicorn server in a thread with its own loop. Requests are told apart as clients make
them (see `anthropic.kind`); everything a client asks at start gets the least answer it accepts.
"""

import asyncio
import logging
import socket
import threading
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from inspector.errors import BadInput, counted
from inspector.jsontext import read
from inspector.mock import responses, websocket
from inspector.mock.answer import Answer, Ids, json_answer
from inspector.mock.desk import Desk, check_log
from inspector.mock.script import Reply, Script
from inspector.turns import Failed, Replied

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.websockets import WebSocket

_ACCOUNT = {
    "id": "acct-mock",
    "account_user_id": "user-mock__acct-mock",
    "structure": "personal",
    "plan_type": "pro",
    "name": None,
    "profile_picture_url": None,
    "account_user_role": "account-owner",
    "is_deactivated": False,
    "workspace_backend_origin": "https://chatgpt.com",
    "account_routing_override": "NO_CONSTRAINT",
}
"""Codex with a ChatGPT login asks for its account before it samples [codex 0.171.0, chatgpt]."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running mock."""

    url: str
    desk: Desk

    def complaint(self) -> str | None:
        """What the script expected and did not get, in one sentence."""
        return self.desk.tally.complaint(self.desk.served["main"])

    def surplus(self) -> str | None:
        """What was asked for beyond the script's end, in one sentence."""
        script, served = self.desk.script, self.desk.served
        if _counts(script) or not script.replies:
            return None  # `complaint` counts them; or `done` is all that was wanted
        replies = {"main": len(script.replies), "sub": len(script.sub or ())}
        over = [name for name, known in replies.items() if served[name] > known]
        counts = "; ".join(
            f"{counted(served[name], f'{name} request')}, {replies[name]} in the script"
            for name in over
        )
        return f"the script ended early ({counts}); what came after it got `done`" if over else None


def _counts(script: Script) -> bool:
    return any(check.requests is not None for check in script.checks)


@contextmanager
def serve(
    script: Script, host: str = "127.0.0.1", port: int = 0, log: Path | None = None, run: int = 0
) -> Generator[Server]:
    """Serve a script in a thread until the block ends; `run` goes into every id."""
    check_log(log)
    desk = Desk(script, Ids(run), log)
    with hosted(_app(desk), host, port, sockets=script.websocket == "accept") as url:
        yield Server(url, desk)


@contextmanager
def hosted(
    app: "Starlette", host: str = "127.0.0.1", port: int = 0, *, sockets: bool = False
) -> Generator[str]:
    """Serve an application in a thread until the block ends; its address."""
    import uvicorn

    # A scripted cut is an exception inside uvicorn; its traceback is no news to anybody.
    logging.getLogger("uvicorn.error").propagate = False
    logging.getLogger("uvicorn.error").addHandler(_QUIET)
    listener = listen(host, port)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws="wsproto" if sockets else "none",
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=5)
        listener.close()


_QUIET = logging.NullHandler()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a port in use is bad input."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(64)
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise BadInput(
            f"port {port}: cannot listen on {host} ({reason}); choose another port"
        ) from error
    return listener


def _app(desk: Desk) -> "Starlette":
    from starlette.applications import Starlette
    from starlette.routing import Route, WebSocketRoute

    async def endpoint(request: "Request") -> "Response":
        return await _respond(desk, request)

    async def socket(socket: "WebSocket") -> None:
        sub = "x-openai-subagent" in socket.headers

        def sample(body: dict[str, Any], data: bytes) -> tuple[Reply, Answer]:
            return desk.sample(body, data, sub=sub)

        # Another thread's socket is none of the conversation's [codex 0.171.0, ordinary_terminal].
        beside = responses.is_beside(socket.headers)
        if not beside:
            desk.socket()
        note = _unnoted if beside else desk.warm
        await websocket.converse(socket, desk.ids, sample, note)

    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    routes = [
        WebSocketRoute("/{path:path}/responses", socket),
        Route("/{path:path}", endpoint, methods=methods),
    ]
    return Starlette(routes=routes)


def _unnoted(_data: bytes, _response: str) -> None:
    """A warm-up that the log has no word of."""


async def _respond(desk: Desk, request: "Request") -> "Response":
    data = await request.body()
    if request.headers.get("upgrade", "").lower() == "websocket":
        return plain(_no_socket(desk, beside=responses.is_beside(request.headers)))
    if request.method == "POST":
        return await _post(
            desk, request, decoded(data, request.headers.get("content-encoding", ""))
        )
    return plain(start_up(request.url.path))


def _no_socket(desk: Desk, *, beside: bool) -> Answer:
    """426 says that there is none, which a client takes for good; 503 has it try again."""
    failing = desk.script.websocket == "fail"
    status, message = (503, "scripted error") if failing else (426, "no websockets here")
    if not beside:
        desk.socket(status)
    return json_answer({"error": {"message": message}}, Replied(), status)


async def _post(desk: Desk, request: "Request", data: bytes) -> "Response":
    path = request.url.path
    if path.endswith("/count_tokens"):
        return plain(desk.count(as_object(data) or {}, data))
    if path.endswith("/responses/compact"):
        return plain(responses.compacted())
    if not path.endswith(("/v1/messages", "/responses")):
        return plain(json_answer({}, Replied()))
    body = as_object(data)
    if body is None:
        error = {"type": "invalid_request_error", "message": "the request body is no JSON object"}
        return plain(json_answer({"type": "error", "error": error}, Failed(status=400), 400))
    if path.endswith("/responses"):
        sub = "x-openai-subagent" in request.headers
        return await paced(*desk.sample(body, data, sub=sub))
    return await paced(*desk.messages(body, data))


def as_object(data: bytes) -> dict[str, Any] | None:
    """A JSON object, or none."""
    try:
        value = read(data)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def start_up(path: str) -> Answer:
    """The least answer a client accepts to what it asks at start."""
    if "accounts/check" in path:
        accounts = [_ACCOUNT]
        order = [_ACCOUNT["id"]]
        value = {"accounts": accounts, "default_account_id": order[0], "account_ordering": order}
        return json_answer(value, Replied())
    if "models" in path:
        return json_answer({"object": "list", "data": [], "models": []}, Replied())
    # Claude Code asks for these two again and again, six seconds before its first message, while
    # the answers have another form: no limits, and no settings of an organisation.
    if path.endswith("/claude_code/policy_limits"):
        return json_answer({"restrictions": {}}, Replied())
    if path.endswith("/claude_code/settings"):
        error = {"type": "not_found_error", "message": "no managed settings"}
        return json_answer({"type": "error", "error": error}, Failed(status=404), 404)
    return json_answer({"data": [], "models": []}, Replied())


async def paced(reply: Reply, answer: Answer) -> "Response":
    """An answer in the pace its script wants."""
    from starlette.responses import StreamingResponse

    if reply.delay:
        await asyncio.sleep(reply.delay)
    if answer.content_type != "text/event-stream":
        return plain(answer)

    async def chunks() -> AsyncIterator[bytes]:
        for number, chunk in enumerate(answer.chunks):
            if number and reply.pause:
                await asyncio.sleep(reply.pause)
            yield chunk
        if answer.cut:
            raise ConnectionAbortedError("the script cuts the stream here")

    return StreamingResponse(chunks(), answer.status, media_type=answer.content_type)


def plain(answer: Answer) -> "Response":
    """An answer at once."""
    from starlette.responses import Response

    return Response(b"".join(answer.chunks), answer.status, media_type=answer.content_type)


def decoded(data: bytes, encoding: str) -> bytes:
    """A body without its content encoding; as it is where that is none."""
    if not encoding or encoding == "identity":
        return data
    from mitmproxy.net import encoding as codecs

    try:
        decoded = codecs.decode(data, encoding)
    except ValueError:
        return data
    return decoded if isinstance(decoded, bytes) else data
