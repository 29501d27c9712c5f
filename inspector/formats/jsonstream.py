"""JSON files of any size, read in pieces: a value at a time, never the whole file.

Strategy: brackets and strings are hopped over at the speed of the regex engine. Only what may
stand between them is let through, so a damaged place is found where it is, with its offset, and
not at the end of the file. Whoever asks for a value gets its bytes.
"""

import re
from collections.abc import Iterator
from typing import Protocol

LARGEST = 256 * 1024 * 1024
"""A value longer than this is no exchange but a sign of damage."""

_CHUNK = 1024 * 1024
_BLANK = re.compile(rb"[ \t\r\n]*+")
_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_BETWEEN = re.compile(rb"[\s,:0-9+\-.eEa-z]*+")
_SCALAR = re.compile(rb"[0-9+\-.eEa-z]*+")
_OPEN, _CLOSE, _QUOTE = frozenset(b"{["), frozenset(b"}]"), ord('"')


class Damaged(Exception):
    """The text is no JSON from this byte on."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at, self.reason = at, reason


class Readable(Protocol):
    """A file opened for bytes, or what unpacks one."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""
        ...


class Reader:
    """A place in a file of JSON text, moving forward."""

    def __init__(self, file: Readable) -> None:
        """Begin at the file's place; a byte order mark is passed over."""
        self._file, self._data, self._base, self._at = file, b"", 0, 0
        self._ended = False
        self._need(3)
        if self._data.startswith(b"\xef\xbb\xbf"):
            self._at = 3

    @property
    def offset(self) -> int:
        """Bytes of the file before this place."""
        return self._base + self._at

    def peek(self) -> int | None:
        """The next byte that is no white space; none at the end."""
        while True:
            match = _BLANK.match(self._data, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._data):
                return self._data[self._at]
            if not self._more(self._at):
                return None

    def take(self, marks: bytes) -> int:
        """Move over one of some marks."""
        found = self.peek()
        if found is None or found not in marks:
            raise Damaged(self.offset, self._unexpected(marks.decode()))
        self._at += 1
        return found

    def value(self) -> bytes:
        """The next value, as it is written."""
        self.peek()
        start = self.offset
        self._skip(keep=start)
        return self._data[start - self._base : self._at]

    def skip(self) -> None:
        """Move over the next value."""
        self.peek()
        self._skip(keep=None)

    def members(self) -> Iterator[bytes]:
        """The names of an object's members, as written; the caller takes each value in turn."""
        yield from self._inside(b"{", b"}", named=True)

    def items(self) -> Iterator[int]:
        """The offsets of an array's items; the caller takes each value in turn."""
        for _ in self._inside(b"[", b"]", named=False):
            yield self.offset

    def find(self, pattern: re.Pattern[bytes], start: int) -> bool:
        """Go on to the next match from a place kept in memory on; its length is at most 4096."""
        self._at = max(start - self._base, 0)
        while True:
            match = pattern.search(self._data, self._at)
            if match is not None:
                self._at = match.start()
                return True
            self._at = max(self._at, len(self._data) - 4096)
            if not self._more(self._at):
                self._at = len(self._data)
                return False

    # --- inside ----------------------------------------------------------------------------------

    def _inside(self, begin: bytes, end: bytes, *, named: bool) -> Iterator[bytes]:
        self.take(begin)
        if self.peek() == end[0]:
            self._at += 1
            return
        while True:
            name = b""
            if named:
                name = self.value()
                self.take(b":")
            self.peek()
            yield name
            if self.take(b"," + end) == end[0]:
                return

    def _skip(self, keep: int | None) -> None:
        start, depth = self.offset, 0
        while True:
            match = _BETWEEN.match(self._data, self._at) if depth else None
            self._at = match.end() if match else self._at
            if self._at == len(self._data):
                self._grow(keep, start)
                continue
            mark = self._data[self._at]
            if mark == _QUOTE:
                self._string(keep, start)
            elif mark in _OPEN:
                self._at, depth = self._at + 1, depth + 1
            elif mark in _CLOSE and depth:
                self._at, depth = self._at + 1, depth - 1
            elif depth or not self._scalar(keep):
                raise Damaged(self.offset, self._unexpected("JSON"))
            if not depth:
                return

    def _string(self, keep: int | None, start: int) -> None:
        self._at += 1
        while True:
            match = _STRING.match(self._data, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._data) and self._data[self._at] == _QUOTE:
                self._at += 1
                return
            self._grow(keep, start)

    def _scalar(self, keep: int | None) -> bool:
        before = self.offset
        while True:
            match = _SCALAR.match(self._data, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._data) or not self._more(self._at, keep):
                return self.offset > before

    def _grow(self, keep: int | None, start: int) -> None:
        if not self._more(self._at, keep):
            raise Damaged(self.offset, f"the file ends inside the value at byte {start}")
        if keep is not None and self.offset - keep > LARGEST:
            raise Damaged(start, f"a value of more than {LARGEST} bytes")

    def _need(self, size: int) -> None:
        while len(self._data) < size and self._more(0):
            pass

    def _more(self, at: int, keep: int | None = None) -> bool:
        """Read on; of what was read, the bytes from `keep` or from `at` on stay."""
        if self._ended:
            return False
        low = at if keep is None else min(at, keep - self._base)
        # As much again as is kept, so that a long value is not copied over and over.
        chunk = self._file.read(max(_CHUNK, len(self._data) - low))
        if not chunk:
            self._ended = True
            return False
        self._data = self._data[low:] + chunk
        self._base, self._at = self._base + low, self._at - low
        return True

    def _unexpected(self, wanted: str) -> str:
        if self._at >= len(self._data):
            return f"the file ends where {wanted} should stand"
        # The byte alone: more of the text might be a piece of a secret.
        return f"byte {self._data[self._at]:#04x} stands where {wanted} should"
