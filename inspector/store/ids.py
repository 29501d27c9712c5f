"""Short ids that sort by the time they were made."""

import os
import random
import secrets
import threading
import time

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = tuple(one + two for one in _ALPHABET for two in _ALPHABET)


class _Source:
    """Moments that only go up, and chance seeded once a process: asking the system costs more."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.last = 0
        self.process = 0
        self.chance = random.Random()  # noqa: S311 - names, no secrets

    def next(self) -> tuple[int, int]:
        """A moment in milliseconds, and 20 bits of chance."""
        with self.lock:
            if self.process != os.getpid():  # a fork must not give its parent's ids again
                self.process = os.getpid()
                self.chance.seed(secrets.randbits(128))
            self.last = max(self.last + 1, time.time_ns() // 1_000_000)
            return self.last, self.chance.getrandbits(20)


_source = _Source()


def new() -> str:
    """An id; later ones of one machine sort after earlier ones."""
    moment, chance = _source.next()
    time_part = "".join([_PAIRS[moment >> shift & 1023] for shift in (35, 25, 15, 5)])
    rest = (moment & 31) << 20 | chance
    return time_part + _ALPHABET[rest >> 20] + _PAIRS[chance >> 10] + _PAIRS[chance & 1023]
