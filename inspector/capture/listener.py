"""A mitmproxy of our own in a thread: quiet, on loopback, with the few parts a capture needs."""

import asyncio
import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from inspector.capture.addon import Capture
from inspector.capture.ca import Authority
from inspector.errors import BadInput

if TYPE_CHECKING:
    from mitmproxy.addons.proxyserver import Proxyserver
    from mitmproxy.master import Master

REVERSE = "reverse:http://127.0.0.1:1"
"""A listener for base URLs; the addon sends each request on, so the address is never dialled."""


@dataclass(slots=True)
class _Thread:
    """What the proxy's thread and the caller share."""

    ready: threading.Event = field(default_factory=threading.Event)
    url: str | None = None
    fault: str = ""
    master: "Master | None" = None
    loop: asyncio.AbstractEventLoop | None = None

    def stop(self) -> None:
        """End the proxy from another thread."""
        if self.loop is not None and self.master is not None:
            self.loop.call_soon_threadsafe(self.master.shutdown)


@contextmanager
def listening(
    capture: Capture, authority: Authority, mode: str = "regular", port: int = 0
) -> Generator[str]:
    """Run the proxy until the block ends; gives its URL."""
    shared = _Thread()
    thread = threading.Thread(
        target=_run,
        args=(shared, capture, authority, mode, port),
        name="inspector-proxy",
        daemon=True,
    )
    thread.start()
    shared.ready.wait(timeout=30)
    if shared.url is None:
        shared.stop()
        reason = shared.fault or "no answer within 30 s"
        raise BadInput(f"port {port}: the proxy cannot listen ({reason}); choose another port")
    try:
        yield shared.url
    finally:
        shared.stop()
        thread.join(timeout=10)


def _run(shared: _Thread, capture: Capture, authority: Authority, mode: str, port: int) -> None:
    try:
        asyncio.run(_serve(shared, capture, authority, mode, port))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - told to the caller, who waits
        shared.fault = shared.fault or str(error)
    finally:
        shared.ready.set()


async def _serve(
    shared: _Thread, capture: Capture, authority: Authority, mode: str, port: int
) -> None:
    from mitmproxy import options
    from mitmproxy.addons import (
        core,
        disable_h2c,
        dns_resolver,
        next_layer,
        proxyserver,
        tlsconfig,
        upstream_auth,
    )
    from mitmproxy.master import Master

    log = _quiet()
    master = Master(options.Options(confdir=str(authority.folder)))
    server: Any = cast("Any", proxyserver).Proxyserver()
    parts: list[Any] = [
        core.Core(),
        disable_h2c.DisableH2C(),
        server,
        dns_resolver.DnsResolver(),
        next_layer.NextLayer(),
        tlsconfig.TlsConfig(),
        upstream_auth.UpstreamAuth(),
    ]
    master_parts: Any = master.addons
    master_parts.add(*parts, capture, _Ready(shared, server, log))
    settings: Any = master.options
    settings.update(
        listen_host="127.0.0.1",
        listen_port=port,
        mode=[mode],
        connection_strategy="lazy",
        keep_host_header=True,
        ssl_verify_upstream_trusted_ca=str(authority.roots),
    )
    shared.master, shared.loop = master, asyncio.get_running_loop()
    await master.run()


class _Ready:
    """Tells the caller when the listener is up, or why it is not."""

    def __init__(self, shared: _Thread, server: "Proxyserver", log: "_Log") -> None:
        self.shared, self.server, self.log = shared, server, log

    def running(self) -> None:
        addresses = self.server.listen_addrs()
        if addresses:
            self.shared.url = f"http://127.0.0.1:{addresses[0][1]}"
        else:
            used = "address already in use" in self.log.last
            self.shared.fault = "it is in use" if used else self.log.last
        self.shared.ready.set()


class _Log(logging.Handler):
    """Keeps mitmproxy's last error; nothing of it reaches the user's terminal."""

    last = ""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR:
            self.last = " ".join(record.getMessage().split())


def _quiet() -> _Log:
    log = _Log()
    for name in ("mitmproxy", "asyncio", "hpack", "passlib"):
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.addHandler(log)
    return log
