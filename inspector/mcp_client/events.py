"""Server-sent events on their way through the tee, byte for byte but for the messages."""

from collections.abc import Callable


class Events:
    """Passes a stream on, with each message's data replaced by what the tee gives for it."""

    def __init__(
        self, through: Callable[[bytes], bytes | None], opened: Callable[[bytes], object]
    ) -> None:
        """`opened` gets the address that takes messages, where the stream tells one."""
        self._through, self._opened = through, opened
        self._parts: list[bytes] = []
        self._fields: list[tuple[bytes, bytes]] = []

    def feed(self, chunk: bytes) -> bytes:
        """What of a chunk can be passed on: whole events."""
        self._parts.append(chunk)
        if b"\n" not in chunk:
            return b""
        *lines, rest = b"".join(self._parts).split(b"\n")
        self._parts = [rest]
        return b"".join(self._line(line) for line in lines)

    def end(self) -> bytes:
        """What is left when the stream ends."""
        rest = b"".join(self._parts)
        return (self._line(rest) if rest else b"") + self._event()

    def _line(self, line: bytes) -> bytes:
        line = line.rstrip(b"\r")
        if not line:
            return self._event()
        name, _, value = line.partition(b":")
        self._fields.append((name, value.removeprefix(b" ")))
        return b""

    def _event(self) -> bytes:
        fields, self._fields = self._fields, []
        lines = [value for name, value in fields if name == b"data"]
        data = b"\n".join(lines)
        kind = next((value for name, value in reversed(fields) if name == b"event"), b"message")
        if kind == b"endpoint":
            self._opened(data)
        if data and kind == b"message":
            data = self._through(data) or data
        rest = [b"%s: %s\n" % field for field in fields if field[0] not in {b"data", b""}]
        rest += [b"data: %s\n" % line for line in data.split(b"\n")] if lines else []
        return b"".join(rest) + b"\n"
