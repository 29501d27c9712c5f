"""How many bytes may wait for the disk, and waiting for it when there are too many."""

import threading
import time

_PENDING_BYTES = 256 * 1024 * 1024
"""Bytes waiting to be stored before the proxy waits for the disk."""
_PATIENCE = 1.0
"""Seconds the proxy waits for it; then an exchange is left out and traffic goes on."""


class Room:
    """Bytes taken in and bytes that need no room any more, counted by two threads."""

    def __init__(self) -> None:
        """All of it is free."""
        self._came = 0
        """Bytes that hooks have taken in; those alone count it up."""
        self._kept = 0
        """Bytes of them that need no room any more; counted up by who stores them."""
        self._freed = threading.Event()
        """Set when there is more of it."""

    def take(self, size: int) -> bool:
        """Take room for so many more bytes; false where there is none, after some patience."""
        if self._came - self._kept >= _PENDING_BYTES and not self._waited():
            return False
        self._came += size
        return True

    def free(self, size: int) -> None:
        """Give room back."""
        self._kept += size
        self._freed.set()

    def _waited(self) -> bool:
        """Whether there is room after some patience."""
        until = time.monotonic() + _PATIENCE
        while (left := until - time.monotonic()) > 0:
            self._freed.clear()
            if self._came - self._kept < _PENDING_BYTES:
                return True
            self._freed.wait(left)
        return False
