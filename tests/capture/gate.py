"""A proxy with an upstream of the test's own, all on loopback."""

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from inspector import redact
from inspector.capture import ca, listener
from inspector.capture.addon import Capture, Plan
from inspector.capture.intake import Intake
from inspector.session import Exchange
from inspector.store import Store

LIMIT = 20


class Answering(BaseHTTPRequestHandler):
    """A request handler whose answer is the server's `act`."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.server.act(self)  # type: ignore[attr-defined]

    do_GET = do_POST  # noqa: N815

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

    def begin(self, **headers: str) -> None:
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()


@contextlib.contextmanager
def upstream(act: Callable[[Answering], None]) -> Generator[str]:
    """A server that answers each request with `act`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    server.act = act  # type: ignore[attr-defined]
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Gate:
    """A running proxy and what it stored."""

    addresses: listener.Addresses
    authority: ca.Authority
    hooks: Capture
    intake: Intake
    puts: list[tuple[Exchange, bool]] = field(default_factory=list[tuple[Exchange, bool]])
    said: list[str] = field(default_factory=list[str])
    opened: list[http.client.HTTPSConnection] = field(
        default_factory=list[http.client.HTTPSConnection]
    )

    def connect(self, host: str = "api.anthropic.com") -> http.client.HTTPSConnection:
        """A connection through the proxy that trusts our CA."""
        trust = ssl.create_default_context(cafile=str(self.authority.bundle))
        made = http.client.HTTPSConnection(self.host, self.port, timeout=LIMIT, context=trust)
        made.set_tunnel(host, 443)
        self.opened.append(made)
        return made

    host = "127.0.0.1"

    @property
    def port(self) -> int:
        return int(self.addresses.forward.rpartition(":")[2])

    def socket(self) -> socket.socket:
        """A bare connection to the proxy."""
        return socket.create_connection((self.host, self.port), timeout=LIMIT)

    def stored(self) -> list[Exchange]:
        """All complete exchanges, once nothing is under way."""
        assert self.hooks.idle.wait(LIMIT)
        self.intake.close()
        return [exchange for exchange, complete in self.puts if complete]


@contextlib.contextmanager
def gate(
    folder: Path,
    plan: Plan,
    put: Callable[[Exchange, bool], None] | None = None,
    given: redact.Given = redact.NOTHING_GIVEN,
    env: dict[str, str] | None = None,
) -> Generator[Gate]:
    """A proxy with a plan; `put` stands in for the store."""
    puts: list[tuple[Exchange, bool]] = []
    said: list[str] = []

    def keep(exchange: Exchange, complete: bool) -> None:
        puts.append((exchange, complete))

    intake = Intake("session", put or keep, new_id=Store.new_id, given=given, say=said.append)
    hooks = Capture(intake, plan)
    authority = ca.authority(folder, env or {})
    with listener.listening(hooks, authority, parent=plan.parent) as addresses:
        made = Gate(addresses, authority, hooks, intake, puts, said)
        try:
            yield made
        finally:
            for connection in made.opened:
                connection.close()
    intake.close()
