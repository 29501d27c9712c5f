"""From a flow to the store: a thread decodes, redacts and puts, while traffic goes on.

Rule: the proxy is never the reason an agent fails. Hooks only hand over bytes; whatever goes wrong
here is said once and traffic still flows. An exchange is written when it ends; one that takes longer
than a moment is written before, and again while its answer grows, marked as not finished, so that a
sudden end keeps what came.
"""

import queue
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import urlsplit

from inspector import redact
from inspector.capture import codec
from inspector.capture.cleaning import Cleaner
from inspector.session import Exchange, Headers
from inspector.store import Renewed

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
_PATIENCE = 1.0
"""Seconds the proxy waits for it; then an exchange is left out and traffic goes on."""
_EARLY = 0.02
"""Seconds after which a request is written although its answer has not ended."""
_GROWING = 0.25
"""Seconds between two writes of an answer under way."""
_COST = 20
"""How many times its own length a write of an answer under way waits for the next."""
UNFINISHED = "not finished: under way when this was written"
"""The error of an exchange that was written before its end."""


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
    born: float = field(default_factory=time.monotonic)
    written: int = 0
    """Chunks of the answer that have been written."""
    next_write: float = 0.0
    left_out: bool = False
    """There was no room to keep it."""

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
        together: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """`given` are secrets known beforehand; `say` tells the user about the first fault.

        What is put inside `together` is written at once.
        """
        self.session = session
        self._put, self._new_id, self._say = put, new_id, say
        self.origins: dict[str, Origin] = {}
        """By exchange, where it came from; whoever sorts exchanges takes it out."""
        self._cleaner = Cleaner(given)
        self._together = together
        self._queue: queue.SimpleQueue[Passing | None] = queue.SimpleQueue()
        self._ended = False
        self._asleep = False
        self._begun: dict[str, Passing] = {}
        """Exchanges under way, in the order they came in."""
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
        passing.left_out = not self._roomy(len(wire))
        if not passing.left_out:
            self._begun[passing.id] = passing
            if self._asleep:
                self._queue.put(None)
        return passing

    def finish(self, passing: Passing, error: str = "") -> None:
        """Take its response in, whole or broken off."""
        if passing.done:
            return
        passing.done, passing.ended, passing.error = True, now(), error
        if not passing.left_out and self._roomy(_size(passing)):
            self._queue.put(passing)

    def close(self) -> None:
        """Store all that is waiting, then stop."""
        self._ended = True
        self._queue.put(None)
        self._thread.join()

    def _roomy(self, size: int) -> bool:
        """Whether so many more bytes may wait for the disk."""
        with self._room:
            if not self._room.wait_for(lambda: self._pending < _PENDING_BYTES, _PATIENCE):
                self._fault(OSError("the disk is too slow"))
                return False
            self._pending += size
            return True

    def _free(self, size: int) -> None:
        with self._room:
            self._pending -= size
            self._room.notify_all()

    def _run(self) -> None:
        awake = 0.0
        while True:
            passing = self._next(awake)
            if passing is not None:
                awake = time.monotonic() + 1
                size = _size(passing)
                self._guarded(self._finished, passing)
                self._begun.pop(passing.id, None)
                self._free(size)
            elif self._ended and self._queue.empty():
                self._sweep(time.monotonic() + _EARLY)
                return
            self._sweep(time.monotonic())

    def _next(self, awake: float) -> Passing | None:
        """The next exchange that has ended; None after a while without one."""
        try:
            if self._begun or time.monotonic() < awake:
                return self._queue.get(timeout=_EARLY)
            self._asleep = True
            wait = _EARLY if self._begun else None
            return self._queue.get(timeout=wait)
        except queue.Empty:
            return None
        finally:
            self._asleep = False

    def _sweep(self, clock: float) -> None:
        """Write what has been under way for a while."""
        for passing in tuple(self._begun.values()):
            if passing.done:
                continue
            if passing.stored is None:
                if clock - passing.born >= _EARLY:
                    self._guarded(self._early, passing)
            elif len(passing.chunks) > passing.written and clock >= passing.next_write:
                start = time.monotonic()
                self._guarded(self._growing, passing)
                end = time.monotonic()
                passing.next_write = end + max(_GROWING, _COST * (end - start))

    def _guarded(self, act: Callable[[Passing], None], passing: Passing) -> None:
        """Whatever goes wrong here must leave the traffic alone."""
        try:
            try:
                act(passing)
            except Renewed as error:
                self._fault(error)
                act(passing)
        except Exception as error:  # noqa: BLE001 - see above
            self._fault(error)

    def _early(self, passing: Passing) -> None:
        with self._together():
            self._put(_unfinished(self._request(passing)), False)

    def _growing(self, passing: Passing) -> None:
        assert passing.stored is not None
        passing.written = len(passing.chunks)
        half = answered(passing.stored, passing, passing.chunks[: passing.written])
        half = replace(half, response=self._cleaner.settled(half.response), error="", ended="")
        half = self._cleaner.response(half, passing.stored)
        with self._together():
            self._put(_unfinished(half), False)

    def _finished(self, passing: Passing) -> None:
        for earlier in tuple(self._begun.values()):  # places are given in the order of requests
            if earlier is passing:
                break
            if earlier.stored is None and not earlier.done:
                self._guarded(self._early, earlier)
        new = passing.stored is None
        stored = self._request(passing)
        exchange = self._cleaner.response(answered(stored, passing, passing.chunks), stored)
        with self._together():
            if new:
                self._put(_unfinished(stored), False)
            self._put(exchange, True)

    def _request(self, passing: Passing) -> Exchange:
        if passing.stored is None:
            passing.stored = self._cleaner.request(asked(passing, self.session))
            self._free(len(passing.request_wire))
        return passing.stored

    def _fault(self, error: Exception) -> None:
        if not self._faulty:
            self._faulty = True
            line = " ".join(str(error).split()) or type(error).__name__
            self._say(f"storing failed ({line}); traffic goes on, later exchanges may be missing")


def asked(passing: Passing, session: str) -> Exchange:
    """The request half of an exchange; whoever cleans it adds the digests."""
    wire = passing.request_wire
    decoded = codec.decode(wire, _header(passing.request_headers, "content-encoding"))
    return Exchange(
        id=passing.id,
        session=session,
        number=passing.number,
        method=passing.method,
        url=passing.url,
        request_headers=passing.request_headers,
        request_wire=wire,
        request=decoded.data,
        request_sha256="",
        wire_sha256="",
        started=passing.started,
        error=f"request: {decoded.fault}" if decoded.fault else "",
    )


def answered(exchange: Exchange, passing: Passing, chunks: list[bytes]) -> Exchange:
    """The exchange with its response, as far as these chunks go."""
    headers = passing.response_headers
    decoded = codec.decode(b"".join(chunks), _header(headers, "content-encoding"))
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


def _unfinished(exchange: Exchange) -> Exchange:
    faults = filter(None, (exchange.error, UNFINISHED))
    return replace(exchange, error="; ".join(faults))


def _size(passing: Passing) -> int:
    return sum(map(len, passing.chunks))


def _header(headers: Headers, name: str) -> str:
    return ", ".join(value for key, value in headers if key.lower() == name)
