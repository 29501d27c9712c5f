"""From a flow to the store: decoded, redacted and put, while traffic goes on.

Rule: the proxy is never the reason an agent fails. Hooks only hand over bytes; whatever goes wrong
here is said once and traffic still flows.

Strategy: an exchange is written when it ends, by the hook itself, so that it is kept and its files
are looked at before the client can act on it. A thread writes what would hold the hook up: much at
once, or what waits for another process. An exchange that takes long is written before its end too,
and again while its answer grows, marked as not finished, so that a sudden end keeps what came.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from inspector import redact
from inspector.capture.cleaning import Cleaner
from inspector.capture.passing import (
    UNFINISHED,
    UNKNOWN,
    Origin,
    Passing,
    answered,
    asked,
    now,
    unfinished,
)
from inspector.capture.room import Room
from inspector.errors import reason
from inspector.session import Exchange, Headers
from inspector.store import Busy, Renewed

__all__ = ["UNFINISHED", "UNKNOWN", "Intake", "Origin", "Passing", "Put", "now"]

_EARLY = 0.02
"""Seconds after which a request is written although its answer has not ended."""
_TICK = 0.02
"""Seconds between two looks of the thread while there is something to write."""
_AWAKE = 0.1
"""Seconds the thread goes on looking after it has seen something."""
_GROWING = 0.25
"""Seconds between two writes of an answer under way."""
_COST = 20
"""How many times its own length a write of an answer under way waits for the next."""
_BRIEFLY = 0.5
"""Seconds a hook waits for the thread to end what it is at: seldom long, but on a busy machine."""
_LIGHT = 4 * 1024 * 1024
"""New bytes up to which a hook writes exchanges itself."""
type Put = Callable[[Exchange, bool], None]
"""Stores an exchange; the flag tells whether it is complete."""


class Intake:
    """The thread that stores exchanges in the order they came in."""

    def __init__(  # noqa: PLR0913 - what it needs of the world is passed in
        self,
        session: str,
        put: Put,
        *,
        new_id: Callable[[], str],
        given: redact.Given,
        say: Callable[[str], None],
        together: Callable[[bool], AbstractContextManager[object]] = nullcontext,
        begun: Callable[[str], None] | None = None,
    ) -> None:
        """`given` are secrets known beforehand; `say` tells the user about the first fault.

        `begun` is told the moment of each request as it comes in, and must return at once.

        What is put inside `together` is written at once; told not to be patient, it may be `Busy`.
        """
        self.session = session
        self._put, self._new_id, self._say = put, new_id, say
        self.origins: dict[str, Origin] = {}
        """By exchange, where it came from; whoever sorts exchanges takes it out."""
        self._cleaner = Cleaner(given)
        self._together, self._tell = together, begun
        self._waiting: deque[Passing] = deque()
        """Exchanges that have ended."""
        self._wake = threading.Event()
        self._awake = 0.0
        """Until when the thread looks by itself."""
        self._ended = False
        self._working = threading.Lock()
        """Held while an exchange is cleaned and put."""
        self._begun: dict[str, Passing] = {}
        """Exchanges under way, in the order they came in."""
        self._room = Room()
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
        if self._tell is not None:
            self._tell(passing.started)
        passing.left_out = not self._roomy(len(wire))
        if not passing.left_out:
            self._begun[passing.id] = passing
            if self._awake < passing.born:
                self._rouse(passing.born)
        return passing

    def _rouse(self, clock: float) -> None:
        """Wake the thread, but not while the proxy is about to pass the request on."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._wake.set()
        else:
            loop.call_later(_EARLY, self._wake.set)
            self._awake = clock + _EARLY

    def finish(self, passing: Passing, error: str = "") -> None:
        """Take its response in, whole or broken off; again where more came after its end."""
        if passing.done and passing.counted == len(passing.chunks):
            return
        passing.done, passing.ended, passing.error = True, now(), error
        passing.counted = len(passing.chunks)
        if passing.left_out:
            return
        if not self._roomy(passing.size):
            passing.chunks.clear()
            passing.error = "; ".join(filter(None, (error, "no room to keep its answer")))
        self._waiting.append(passing)
        if not self._at_once():
            self._wake.set()

    def _at_once(self) -> bool:
        """Store what has ended here and now, if nothing is in the way; whether that was done."""
        if sum(map(_new, tuple(self._begun.values()))) > _LIGHT:
            return False
        if not self._working.acquire(timeout=_BRIEFLY):
            return False
        try:
            self._drain(patient=False)
        except Busy:
            return False
        finally:
            self._working.release()
        return True

    def close(self) -> None:
        """Store all that is waiting, then stop."""
        self._ended = True
        self._wake.set()
        self._thread.join()

    def _roomy(self, size: int) -> bool:
        """Whether so many more bytes may wait for the disk."""
        if self._room.take(size):
            return True
        self._fault(OSError("the disk is too slow"))
        return False

    def _run(self) -> None:
        while not (self._ended and not self._waiting):
            self._wake.wait(self._nap())
            self._wake.clear()
            if self._waiting:
                with self._working:
                    self._drain()
            self._sweep(time.monotonic())
        self._sweep(time.monotonic() + _EARLY)

    def _nap(self) -> float | None:
        """How long to sleep; None until woken."""
        clock = time.monotonic()
        if self._begun or self._waiting:
            self._awake = clock + _AWAKE
            return _TICK
        if clock < self._awake:
            return _TICK
        self._awake = 0.0  # from here on `begin` wakes the thread
        return _TICK if self._begun else None

    def _drain(self, *, patient: bool = True) -> None:
        """Store what has ended, all in one transaction; one by one where that fails."""
        batch = tuple(self._waiting)
        size = sum(passing.size for passing in batch)
        try:
            with self._together(patient):
                for passing in batch:
                    self._finished(passing)
        except Busy:
            raise
        except Exception as error:  # noqa: BLE001 - whatever goes wrong must leave the traffic alone
            self._fault(error)
            for passing in batch:
                self._guarded(self._finished, passing)
        for passing in batch:
            self._waiting.popleft()
            self._begun.pop(passing.id, None)
        self._room.free(size)

    def _sweep(self, clock: float) -> None:
        """Write what has been under way for a while."""
        if self._begun:
            with self._working:
                self._written(clock)

    def _written(self, clock: float) -> None:
        for passing in tuple(self._begun.values()):
            if passing.done:
                continue
            if not passing.placed:
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
        stored = self._request(passing)
        with self._together(True):
            self._place(passing, stored)

    def _growing(self, passing: Passing) -> None:
        stored = self._request(passing)
        passing.written = len(passing.chunks)
        half = answered(stored, passing, passing.chunks[: passing.written])
        half = replace(half, response=self._cleaner.settled(half.response), error="", ended="")
        half = self._cleaner.response(half, stored)
        with self._together(True):
            self._place(passing, stored)
            self._put(unfinished(half), False)

    def _finished(self, passing: Passing) -> None:
        for earlier in tuple(self._begun.values()):  # places are given in the order of requests
            if earlier is passing:
                break
            if not earlier.placed:
                self._early(earlier)
        stored = self._request(passing)
        exchange = self._cleaner.response(answered(stored, passing, passing.chunks), stored)
        with self._together(True):
            self._put(exchange, True)
            passing.placed = True

    def _place(self, passing: Passing, stored: Exchange) -> None:
        if not passing.placed:
            self._put(unfinished(stored), False)
            passing.placed = True

    def _request(self, passing: Passing) -> Exchange:
        if passing.stored is None:
            passing.stored = self._cleaner.request(asked(passing, self.session))
            self._room.free(len(passing.request_wire))
        return passing.stored

    def _fault(self, error: Exception) -> None:
        if not self._faulty:
            self._faulty = True
            self._say(
                f"storing failed ({reason(error)}); traffic goes on, later exchanges may be missing"
            )


def _new(passing: Passing) -> int:
    """Bytes of an exchange that storing it has to look at."""
    request = 0 if passing.stored is not None else len(passing.request_wire)
    return request + passing.size if passing.done else request
