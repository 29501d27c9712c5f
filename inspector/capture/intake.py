"""From a flow to the store: a thread decodes, redacts and puts, while traffic goes on.

Rule: the proxy is never the reason an agent fails. Hooks only hand over bytes; whatever goes wrong
here is said once and traffic still flows.
"""

import hashlib
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import urlsplit

from inspector import redact
from inspector.capture import codec
from inspector.capture.cleaning import Cleaner
from inspector.session import Exchange, Headers

_ENDS = (
    b"message_stop",
    b"response.completed",
    b"response.failed",
    b"response.incomplete",
    b"event: error",
    b'"type":"error"',
    b"[DONE]",
)
"""How the streams of both dialects end; a stream without one of them is not whole."""

_PENDING_BYTES = 256 * 1024 * 1024
"""Bytes waiting to be stored before the proxy waits for the disk."""


def now() -> str:
    """Local time with offset."""
    return datetime.now().astimezone().isoformat(timespec="microseconds")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request came from."""

    port: int = 0
    """The client's end of the connection."""
    route: str = "tls"


UNKNOWN = Origin()


@dataclass(slots=True)
class Passing:
    """An exchange under way; hooks fill it in."""

    id: str
    number: int
    method: str
    url: str
    request_headers: Headers
    request_wire: bytes
    started: str
    status: int | None = None
    response_headers: Headers = ()
    chunks: list[bytes] = field(default_factory=list[bytes])
    first_byte: str = ""
    ended: str = ""
    error: str = ""
    done: bool = False
    stored: Exchange | None = None
    """Its request half as stored, so that it is decoded and redacted once."""

    def chunk(self, data: bytes) -> bytes:
        """Keep a chunk and pass it on (mitmproxy's stream callable)."""
        if data:
            if not self.first_byte:
                self.first_byte = now()
            self.chunks.append(data)
        return data


type Put = Callable[[Exchange, bool], None]
"""Stores an exchange; the flag tells whether it is complete."""


class Intake:
    """The thread that stores exchanges in the order they came in."""

    def __init__(
        self,
        session: str,
        put: Put,
        *,
        new_id: Callable[[], str],
        given: redact.Given,
        say: Callable[[str], None],
    ) -> None:
        """`given` are secrets known beforehand; `say` tells the user about the first fault."""
        self.session = session
        self._put, self._new_id, self._say = put, new_id, say
        self.origins: dict[str, Origin] = {}
        """By exchange, where it came from; whoever sorts exchanges takes it out."""
        self._cleaner = Cleaner(given)
        self._queue: queue.SimpleQueue[tuple[Passing, bool] | None] = queue.SimpleQueue()
        self._room = threading.Condition()
        self._pending = 0
        self._number = 0
        self._faulty = False
        self._thread = threading.Thread(target=self._run, name="inspector-intake", daemon=True)
        self._thread.start()

    def begin(
        self, method: str, url: str, headers: Headers, wire: bytes, origin: Origin = UNKNOWN
    ) -> Passing:
        """Take a request in."""
        self._number += 1
        passing = Passing(self._new_id(), self._number, method, url, headers, wire, now())
        self.origins[passing.id] = origin
        self._hand_over(passing, complete=False, size=len(wire))
        return passing

    def finish(self, passing: Passing, error: str = "") -> None:
        """Take its response in, whole or broken off."""
        if passing.done:
            return
        passing.done, passing.ended, passing.error = True, now(), error
        self._hand_over(passing, complete=True, size=sum(map(len, passing.chunks)))

    def close(self) -> None:
        """Store all that is waiting, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _hand_over(self, passing: Passing, *, complete: bool, size: int) -> None:
        with self._room:
            self._room.wait_for(lambda: self._pending < _PENDING_BYTES, timeout=30)
            self._pending += size
        self._queue.put((passing, complete))

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            passing, complete = item
            size = sum(map(len, passing.chunks)) if complete else len(passing.request_wire)
            try:
                self._store(passing, complete=complete)
            except Exception as error:  # noqa: BLE001 - any fault here must leave the traffic alone
                self._fault(error)
            with self._room:
                self._pending -= size
                self._room.notify_all()

    def _store(self, passing: Passing, *, complete: bool) -> None:
        if passing.stored is None:
            passing.stored = self._cleaner.request(asked(passing, self.session))
        exchange = passing.stored
        if complete:
            exchange = self._cleaner.response(answered(exchange, passing), exchange)
        self._put(exchange, complete)

    def _fault(self, error: Exception) -> None:
        if not self._faulty:
            self._faulty = True
            line = " ".join(str(error).split()) or type(error).__name__
            self._say(f"storing failed ({line}); traffic goes on, later exchanges may be missing")


def asked(passing: Passing, session: str) -> Exchange:
    """The request half of an exchange."""
    wire = passing.request_wire
    decoded = codec.decode(wire, _header(passing.request_headers, "content-encoding"))
    digest = _digest(wire)
    return Exchange(
        id=passing.id,
        session=session,
        number=passing.number,
        method=passing.method,
        url=passing.url,
        request_headers=passing.request_headers,
        request_wire=wire,
        request=decoded.data,
        request_sha256=digest if decoded.data == wire else _digest(decoded.data),
        wire_sha256=digest,
        started=passing.started,
        error=f"request: {decoded.fault}" if decoded.fault else "",
    )


def answered(exchange: Exchange, passing: Passing) -> Exchange:
    """The exchange with its response."""
    headers = passing.response_headers
    decoded = codec.decode(b"".join(passing.chunks), _header(headers, "content-encoding"))
    faults = [exchange.error, passing.error, decoded.fault]
    if not any(faults) and _ends_early(passing, decoded.data):
        faults.append("the stream ended before its last event")
    return replace(
        exchange,
        status=passing.status,
        response_headers=headers,
        response=decoded.data,
        first_byte=passing.first_byte,
        ended=passing.ended,
        error="; ".join(fault for fault in faults if fault),
    )


def _ends_early(passing: Passing, data: bytes) -> bool:
    kind = _header(passing.response_headers, "content-type")
    if not kind.startswith("text/event-stream") or passing.method != "POST":
        return False
    if not urlsplit(passing.url).path.endswith(("/messages", "/responses", "/completions")):
        return False
    tail = data[-65536:]
    return not any(end in tail for end in _ENDS)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _header(headers: Headers, name: str) -> str:
    return ", ".join(value for key, value in headers if key.lower() == name)
