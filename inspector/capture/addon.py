"""The mitmproxy addon: opens model traffic, passes it on, hands the bytes to the intake.

Works inside `inspector run`, and under mitmdump (see `script`). Rules: hooks never parse bodies;
responses stream through chunk by chunk; hosts that are no model's stay closed.
"""

import threading
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from inspector.capture.frames import Socket
from inspector.capture.intake import Intake, Origin, Passing
from inspector.capture.passing import is_last
from inspector.capture.plan import Plan, is_reversed, reverses
from inspector.session import Headers

if TYPE_CHECKING:
    from mitmproxy.connection import Client
    from mitmproxy.http import HTTPFlow, Response
    from mitmproxy.tls import ClientHelloData, TlsData

__all__ = ["Capture", "Plan", "origin"]

_SHORT = 4096


class Capture:
    """The hooks."""

    alone = True
    """No other addon of the user's looks at the same flows."""

    def __init__(self, intake: Intake | None = None, plan: Plan | None = None) -> None:
        """Without an intake, traffic passes and nothing is kept."""
        self.intake, self.plan = intake, plan or Plan()
        self._passing: dict[str, Passing] = {}
        self._sockets: dict[str, Socket] = {}
        self.opened: Callable[[int], None] = _ignored
        """Told the client's port of each connection that is recorded, as it opens."""
        self.idle = threading.Event()
        """Set while no exchange is under way."""
        self.idle.set()
        self.distrusted: set[str] = set()
        """Hosts whose TLS the client broke off: it does not trust our certificate."""
        self.tunnelled: set[str] = set()
        """Hosts that were passed through closed."""

    def done(self) -> None:
        """Store what is still under way."""
        if self.intake is not None:
            for passing in self._passing.values():
                self.intake.finish(passing, "the proxy ended")
        for socket in self._sockets.values():
            socket.closed("the proxy ended")
        self._passing.clear()
        self._sockets.clear()

    # --- connections ---------------------------------------------------------------------------

    def client_connected(self, client: "Client") -> None:
        """A client that needs no TLS has come."""
        if reverses(type(client.proxy_mode)):
            self.opened(client.peername[1])

    def http_connect(self, flow: "HTTPFlow") -> None:
        """Refuse a tunnel to another host, if the plan says so."""
        if self.plan.closed and flow.request.host not in self.plan.hosts:
            flow.response = _refusal(flow.request.host)

    def http_connect_upstream(self, flow: "HTTPFlow") -> None:
        """Tell the user's proxy who they are, as their client would have."""
        self.plan.authorize(flow)

    def tls_clienthello(self, data: "ClientHelloData") -> None:
        """Leave other hosts' tunnels closed."""
        address = data.context.server.address
        host = data.client_hello.sni or (address[0] if address else "")
        if host not in self.plan.hosts:
            self.tunnelled.add(host)
            data.ignore_connection = True
            return
        self.opened(data.context.client.peername[1])

    def tls_failed_client(self, data: "TlsData") -> None:
        """Note that the client does not trust us."""
        self.distrusted.add(data.conn.sni or "")

    # --- exchanges -----------------------------------------------------------------------------

    def requestheaders(self, flow: "HTTPFlow") -> None:
        """Stream what is not ours through, untouched."""
        if not self.plan.wants(flow) and not self.plan.closed:
            self.tunnelled.add(flow.request.host)
            flow.request.stream = True
            if flow.server_conn.via is not None and flow.request.scheme == "http":
                self.plan.authorize(flow)

    def request(self, flow: "HTTPFlow") -> None:
        """Take a request in and send it where the plan says."""
        if not self.plan.wants(flow):
            if self.plan.closed:
                flow.response = _refusal(flow.request.host)
            return
        self._begin(flow)
        self.plan.retarget(flow)

    def responseheaders(self, flow: "HTTPFlow") -> None:
        """Stream the response through; without this the terminal freezes until the answer ends."""
        assert flow.response is not None
        if flow.response.status_code == 101:
            return
        passing = self._passing.get(flow.id)
        if passing is None:
            flow.response.stream = True
            return
        passing.status = flow.response.status_code
        passing.response_headers = _headers(flow.response.headers.fields)
        if not _short(passing.response_headers):
            flow.response.stream = partial(self._chunk, passing)

    def _chunk(self, passing: Passing, data: bytes) -> bytes:
        """Keep a chunk and pass it on; the last one when all is stored, as the client acts then."""
        passing.chunk(data)
        if is_last(data) and self.intake is not None:
            self.intake.finish(passing)
        return data

    def response(self, flow: "HTTPFlow") -> None:
        """Take a response in."""
        self._finish(flow, "")

    def error(self, flow: "HTTPFlow") -> None:
        """Take in what came before the connection broke, be it in the middle of a request."""
        if flow.id not in self._passing and flow.response is None and self.plan.wants(flow):
            self._begin(flow)
        self._finish(flow, flow.error.msg if flow.error else "broken off")

    # --- websockets ----------------------------------------------------------------------------

    def websocket_message(self, flow: "HTTPFlow") -> None:
        """Take a message in; it passes as it is."""
        assert flow.websocket is not None
        message = flow.websocket.messages[-1]
        if self.alone:
            del flow.websocket.messages[:-1]  # mitmproxy keeps them all, for a view we have not
        socket = self._sockets.get(flow.id)
        if socket is None:
            return
        if message.from_client:
            socket.sent(message.content)
        else:
            socket.received(message.content)
        self._settle()

    def websocket_end(self, flow: "HTTPFlow") -> None:
        """Take in what came before the socket closed."""
        socket = self._sockets.pop(flow.id, None)
        if socket is not None and flow.websocket is not None:
            side = "client" if flow.websocket.closed_by_client else "server"
            socket.closed(f"the {side} closed the socket (code {flow.websocket.close_code})")
            self._settle()

    def _begin(self, flow: "HTTPFlow") -> None:
        if self.intake is None:
            return
        request = flow.request
        headers, wire = _headers(request.headers.fields), request.raw_content or b""
        self.idle.clear()
        self._passing[flow.id] = self.intake.begin(
            request.method, self.plan.url(flow), headers, wire, origin(flow)
        )

    def _finish(self, flow: "HTTPFlow", error: str) -> None:
        passing = self._passing.pop(flow.id, None)
        if passing is None or self.intake is None:
            return
        if flow.response is not None:
            passing.status = flow.response.status_code
            passing.response_headers = _headers(flow.response.headers.fields)
            if not passing.chunks:  # our own answer, or one without a body
                passing.chunk(flow.response.raw_content or b"")
        self.intake.finish(passing, error)
        if flow.websocket is not None:
            self._sockets[flow.id] = Socket(self.intake, passing, passing, origin(flow))
        self._settle()

    def _settle(self) -> None:
        if self._passing or any(socket.busy for socket in self._sockets.values()):
            self.idle.clear()
        else:
            self.idle.set()


def _ignored(_port: int) -> None:
    """Nobody wants to know."""


def origin(flow: "HTTPFlow") -> Origin:
    """Where a request came from."""
    return Origin(flow.client_conn.peername[1], "base-url" if is_reversed(flow) else "tls")


@lru_cache(maxsize=16)
def _headers(fields: tuple[tuple[bytes, bytes], ...]) -> Headers:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)


@lru_cache(maxsize=16)
def _short(headers: Headers) -> bool:
    """Whether a response comes at once: streaming it chunk by chunk would cost more than it."""
    said = {name.lower(): value for name, value in headers}
    length = said.get("content-length", "")
    whole = said.get("content-type", "").startswith("application/json")
    whole = whole and "content-encoding" not in said
    return whole and length.isdigit() and int(length) <= _SHORT


def _refusal(host: str) -> "Response":
    return _answer(403, f"{host} is no model host, and this capture lets nothing else out")


def _answer(status: int, message: str) -> "Response":
    from mitmproxy.http import Response

    body = f'{{"error":{{"message":"inspector: {message}"}}}}'
    return Response.make(status, body, {"content-type": "application/json"})
