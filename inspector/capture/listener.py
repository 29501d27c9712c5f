"""A mitmproxy of our own in a thread: quiet, on loopback, with the few parts a capture needs."""

import asyncio
import logging
import socket
import threading
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from inspector.capture.addon import Capture
from inspector.capture.ca import Authority
from inspector.capture.parent import Parent
from inspector.errors import BadInput

if TYPE_CHECKING:
    from mitmproxy.addons.proxyserver import Proxyserver
    from mitmproxy.master import Master

_REVERSE = "reverse:http://127.0.0.1:1"
"""A listener for base URLs; the addon sends each request on, so the address is never dialled."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the proxy listens."""

    forward: str
    """For `HTTPS_PROXY`."""
    reverse: str
    """For base URLs."""


@dataclass(slots=True)
class _Thread:
    """What the proxy's thread and the caller share."""

    ready: threading.Event = field(default_factory=threading.Event)
    addresses: Addresses | None = None
    fault: str = ""
    master: "Master | None" = None
    loop: asyncio.AbstractEventLoop | None = None

    def stop(self) -> None:
        """End the proxy from another thread."""
        if self.loop is not None and self.master is not None:
            self.loop.call_soon_threadsafe(self.master.shutdown)


@contextmanager
def listening(
    capture: Capture,
    authority: Authority,
    port: int = 0,
    parent: Parent | None = None,
    reverse_port: int = 0,
) -> Generator[Addresses]:
    """Run the proxy until the block ends; `port` is the forward listener's, 0 picks a free one."""
    ports = (port, reverse_port or _free_port())
    shared = _Thread()
    thread = threading.Thread(
        target=_run,
        args=(shared, _serve(shared, capture, authority, ports, parent)),
        name="inspector-proxy",
        daemon=True,
    )
    thread.start()
    shared.ready.wait(timeout=30)
    if shared.addresses is None:
        shared.stop()
        reason = shared.fault or "no answer within 30 s"
        raise BadInput(f"port {port}: the proxy cannot listen ({reason}); choose another port")
    try:
        yield shared.addresses
    finally:
        shared.stop()
        thread.join(timeout=10)


def _run(shared: _Thread, serving: Coroutine[None, None, None]) -> None:
    try:
        asyncio.run(serving)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - told to the caller, who waits
        shared.fault = shared.fault or str(error)
    finally:
        shared.ready.set()


async def _serve(
    shared: _Thread,
    capture: Capture,
    authority: Authority,
    ports: tuple[int, int],
    parent: Parent | None,
) -> None:
    from mitmproxy import options
    from mitmproxy.addons import (
        core,
        disable_h2c,
        dns_resolver,
        next_layer,
        proxyserver,
        tlsconfig,
    )
    from mitmproxy.master import Master

    from inspector.capture.direct import direct, settle

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
    ]
    master_parts: Any = master.addons
    master_parts.add(*parts, capture, _Ready(shared, server, log))
    direct(master_parts)
    settings: Any = master.options
    settings.update(
        listen_host="127.0.0.1",
        listen_port=ports[0],
        mode=[f"upstream:{parent.url}" if parent else "regular", f"{_REVERSE}@{ports[1]}"],
        connection_strategy="lazy",
        keep_host_header=True,
        ssl_verify_upstream_trusted_ca=str(authority.roots),
    )
    shared.master, shared.loop = master, asyncio.get_running_loop()
    settle()
    try:
        await master.run()
    finally:
        await server.servers.update([])  # mitmproxy itself leaves its sockets to the exit


def _free_port() -> int:
    """A port for the second listener; mitmproxy wants two different ones, and 0 is not."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Ready:
    """Tells the caller when the listener is up, or why it is not."""

    def __init__(self, shared: _Thread, server: "Proxyserver", log: "_Log") -> None:
        self.shared, self.server, self.log = shared, server, log

    def running(self) -> None:
        ports = [address[1] for address in self.server.listen_addrs()]
        if len(ports) == 2:
            self.shared.addresses = Addresses(*(f"http://127.0.0.1:{port}" for port in ports))
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
