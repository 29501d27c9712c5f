"""Real requests through mitmproxy on loopback, kept as mitmproxy's own flows."""

import http.client
import ssl
from pathlib import Path
from typing import Any

from inspector.capture import ca, listener
from inspector.capture.addon import Capture, Plan
from tests.capture.gate import LIMIT, Answering, upstream
from tests.formats.requests import AGENT, EVENTS


class Keeping(Capture):
    """Passes traffic on unstreamed, and keeps the flows."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(None, plan)
        self.flows: list[Any] = []

    def responseheaders(self, flow: Any) -> None: ...

    def response(self, flow: Any) -> None:
        self.flows.append(flow)


def captured(folder: Path, *bodies: bytes, **headers: str) -> list[Any]:
    """mitmproxy's flows of requests with these bodies, each answered with `EVENTS`."""

    def act(answer: Answering) -> None:
        answer.begin(content_type="text/event-stream", transfer_encoding="chunked")
        answer.chunk(EVENTS)
        answer.chunk(b"")

    named = {name.replace("_", "-"): value for name, value in headers.items()}
    authority = ca.authority(folder, {})
    trust = ssl.create_default_context(cafile=str(authority.bundle))
    with upstream(act) as url:
        hooks = Keeping(Plan(upstream=url))
        with listener.listening(hooks, authority) as addresses:
            port = int(addresses.forward.rpartition(":")[2])
            connection = http.client.HTTPSConnection(
                "127.0.0.1", port, timeout=LIMIT, context=trust
            )
            connection.set_tunnel("api.anthropic.com", 443)
            for body in bodies:
                connection.request("POST", "/v1/messages?beta=true", body, {**dict(AGENT), **named})
                assert connection.getresponse().read() == EVENTS
            connection.close()
    return hooks.flows


def flow_file(path: Path, flows: list[Any]) -> Path:
    """Flows written by mitmproxy's own writer."""
    import mitmproxy.io

    module: Any = mitmproxy.io
    with path.open("wb") as file:
        writer = module.FlowWriter(file)
        for flow in flows:
            writer.add(flow)
    return path
