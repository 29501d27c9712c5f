"""The mitmproxy addon: opens model traffic, passes it on, hands the bytes to the intake.

Works inside `inspector run` and as `mitmdump -s script.py --set inspector_store=FILE`. Rules: hooks
never parse bodies; responses stream through chunk by chunk; hosts that are no model's stay closed.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.capture.intake import Intake, Passing

if TYPE_CHECKING:
    from mitmproxy.addonmanager import Loader
    from mitmproxy.http import HTTPFlow, Response
    from mitmproxy.tls import ClientHelloData, TlsData

HOSTS = ("api.anthropic.com", "api.openai.com", "chatgpt.com")
"""The default hosts of the clients' models."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where requests come from and where they go."""

    hosts: frozenset[str] = frozenset(HOSTS)
    """Hosts whose traffic is opened and recorded."""
    upstream: str | None = None
    """Receives every recorded request, in place of its host."""
    gateway: str | None = None
    """Behind a reverse listener: the client's own endpoint, taken over."""
    closed: bool = False
    """Refuse every other host, so that nothing leaves the machine."""


class Capture:
    """The hooks."""

    def __init__(self, intake: Intake | None = None, plan: Plan | None = None) -> None:
        """Without an intake the addon makes its own from mitmproxy's options."""
        self._intake, self._plan = intake, plan or Plan()
        self._owned: Callable[[], None] | None = None
        self._passing: dict[str, Passing] = {}
        self.distrusted: set[str] = set()
        """Hosts whose TLS the client broke off: it does not trust our certificate."""
        self.tunnelled: set[str] = set()
        """Hosts that were passed through closed."""

    # --- as a script of mitmdump ---------------------------------------------------------------

    def load(self, loader: "Loader") -> None:
        """Declare the options."""
        loader.add_option("inspector_store", str, "", "Store file; empty: the default one.")
        loader.add_option("inspector_session", str, "", "Session id; empty: a new session.")
        loader.add_option("inspector_upstream", str, "", "URL that gets every model request.")
        loader.add_option("inspector_gateway", str, "", "In reverse mode: the endpoint taken over.")
        loader.add_option(
            "inspector_hosts", Sequence[str], list(HOSTS), "Hosts to open and record."
        )
        loader.add_option("inspector_closed", bool, False, "Refuse every other host.")

    def running(self) -> None:
        """Begin a session, when the addon is on its own."""
        if self._intake is not None:
            return
        from mitmproxy import ctx

        from inspector.capture import standalone

        options = ctx.options
        self._plan = Plan(
            frozenset(options.inspector_hosts),
            options.inspector_upstream or None,
            options.inspector_gateway or None,
            options.inspector_closed,
        )
        store, session = options.inspector_store, options.inspector_session
        self._intake, self._owned = standalone.begin(store, session, os.environ)

    def done(self) -> None:
        """Store what is still under way."""
        if self._intake is not None:
            for passing in self._passing.values():
                self._intake.finish(passing, "the proxy ended")
        self._passing.clear()
        if self._owned is not None:
            self._owned()
            self._owned, self._intake = None, None

    # --- connections ---------------------------------------------------------------------------

    def http_connect(self, flow: "HTTPFlow") -> None:
        """Refuse a tunnel to another host, if the plan says so."""
        if self._plan.closed and flow.request.host not in self._plan.hosts:
            flow.response = _refusal(flow.request.host)

    def tls_clienthello(self, data: "ClientHelloData") -> None:
        """Leave other hosts' tunnels closed."""
        address = data.context.server.address
        host = data.client_hello.sni or (address[0] if address else "")
        if host not in self._plan.hosts:
            self.tunnelled.add(host)
            data.ignore_connection = True

    def tls_failed_client(self, data: "TlsData") -> None:
        """Note that the client does not trust us."""
        self.distrusted.add(data.conn.sni or "")

    # --- exchanges -----------------------------------------------------------------------------

    def requestheaders(self, flow: "HTTPFlow") -> None:
        """Stream what is not ours through, untouched."""
        if not self._wanted(flow) and not self._plan.closed:
            flow.request.stream = True

    def request(self, flow: "HTTPFlow") -> None:
        """Take a request in and send it where the plan says."""
        if not self._wanted(flow):
            if self._plan.closed:
                flow.response = _refusal(flow.request.host)
            return
        if self._intake is not None:
            headers = _headers(flow.request.headers.fields)
            wire = flow.request.raw_content or b""
            url = self._url(flow)
            self._passing[flow.id] = self._intake.begin(flow.request.method, url, headers, wire)
        if _header(flow, "upgrade").lower() == "websocket":
            # Codex falls back to POST with server-sent events [codex 0.171.0, builtin].
            flow.response = _answer(426, "websockets are not captured yet; use POST")
            return
        self._retarget(flow)

    def responseheaders(self, flow: "HTTPFlow") -> None:
        """Stream the response through; without this the terminal freezes until the answer ends."""
        assert flow.response is not None
        passing = self._passing.get(flow.id)
        flow.response.stream = True if passing is None else passing.chunk

    def response(self, flow: "HTTPFlow") -> None:
        """Take a response in."""
        self._finish(flow, "")

    def error(self, flow: "HTTPFlow") -> None:
        """Take in what came before the connection broke."""
        self._finish(flow, flow.error.msg if flow.error else "broken off")

    def _finish(self, flow: "HTTPFlow", error: str) -> None:
        passing = self._passing.pop(flow.id, None)
        if passing is None or self._intake is None:
            return
        if flow.response is not None:
            passing.status = flow.response.status_code
            passing.response_headers = _headers(flow.response.headers.fields)
            if not passing.chunks:  # our own answer, or one without a body
                passing.chunk(flow.response.raw_content or b"")
        self._intake.finish(passing, error)

    # --- where to ------------------------------------------------------------------------------

    def _wanted(self, flow: "HTTPFlow") -> bool:
        return _reversed(flow) or flow.request.host in self._plan.hosts

    def _url(self, flow: "HTTPFlow") -> str:
        """The URL the client means: behind a reverse listener, its own endpoint's."""
        if not _reversed(flow):
            return flow.request.url
        path = flow.request.path
        if self._plan.gateway is not None:
            return joined(self._plan.gateway, path)
        return f"http://{flow.request.host_header or flow.request.host}{path}"

    def _retarget(self, flow: "HTTPFlow") -> None:
        target = self._plan.upstream or (self._plan.gateway if _reversed(flow) else None)
        if target is None:
            return
        parts = urlsplit(joined(target, flow.request.path))
        flow.request.scheme = parts.scheme
        flow.request.host = parts.hostname or ""
        flow.request.port = parts.port or (443 if parts.scheme == "https" else 80)
        flow.request.path = parts.path + (f"?{parts.query}" if parts.query else "")
        if flow.request.host_header is not None:
            flow.request.host_header = parts.netloc.rpartition("@")[2]


def joined(base: str, path: str) -> str:
    """A path below a base URL; a path that has the base's own path already keeps it once."""
    parts = urlsplit(base)
    prefix = parts.path.rstrip("/")
    if prefix and (path == prefix or path.startswith((f"{prefix}/", f"{prefix}?"))):
        prefix = ""
    return f"{parts.scheme}://{parts.netloc}{prefix}{path}"


def _reversed(flow: "HTTPFlow") -> bool:
    from mitmproxy.proxy.mode_specs import ReverseMode

    return isinstance(flow.client_conn.proxy_mode, ReverseMode)


def _headers(fields: Sequence[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)


def _header(flow: "HTTPFlow", name: str) -> str:
    return next(
        (value for key, value in _headers(flow.request.headers.fields) if key.lower() == name), ""
    )


def _refusal(host: str) -> "Response":
    return _answer(403, f"{host} is no model host, and this capture lets nothing else out")


def _answer(status: int, message: str) -> "Response":
    from mitmproxy.http import Response

    body = f'{{"error":{{"message":"inspector: {message}"}}}}'
    return Response.make(status, body, {"content-type": "application/json"})
