"""Server-sent events, read incrementally: any chunking of the bytes gives the same events.

Follows the WHATWG algorithm: lines end with CR, LF or CRLF, one leading BOM is skipped, an event
needs its blank line. What a stream was cut off in is not an event; `cut` tells.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its type (empty when not named), data and last event id."""

    event: str
    data: str
    id: str = ""


@dataclass(slots=True)
class Reader:
    """Takes chunks, gives events."""

    _pending: bytes = b""
    """An unfinished line; while the stream is young, perhaps a part of a BOM."""
    _started: bool = False
    _event: str = ""
    _data: list[str] = field(default_factory=list[str])
    _id: str = ""

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that this chunk completes."""
        self._pending += chunk
        if not self._begun():
            return []
        return [event for line in self._lines() for event in self._line(line)]

    def close(self) -> list[Event]:
        """The event that the end of the stream completes: a last CR may have waited for its LF."""
        self._started = True
        if not self._pending.endswith(b"\r"):
            return []
        line, self._pending = self._pending[:-1], b""
        return list(self._line(line))

    @property
    def cut(self) -> bool:
        """Whether the bytes so far end inside an event (comments do not count)."""
        return bool(self._pending.strip(b"\r\n")) or bool(self._data) or bool(self._event)

    def _begun(self) -> bool:
        if not self._started:
            if len(self._pending) < len(_BOM) and _BOM.startswith(self._pending):
                return False
            self._pending = self._pending.removeprefix(_BOM)
            self._started = True
        return True

    def _lines(self) -> Iterator[bytes]:
        """Whole lines; a CR at the very end waits, since an LF may belong to it."""
        text = self._pending
        held = text.endswith(b"\r")
        lines = text[: len(text) - held].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._pending = lines.pop() + b"\r" * held
        yield from lines

    def _line(self, line: bytes) -> Iterator[Event]:
        if not line:
            if self._data:
                yield Event(self._event, "\n".join(self._data), self._id)
            self._data, self._event = [], ""
            return
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value


def events(stream: bytes) -> tuple[list[Event], bool]:
    """All events of a whole stream, and whether it ends inside one."""
    reader = Reader()
    found = reader.feed(stream) + reader.close()
    return found, reader.cut
