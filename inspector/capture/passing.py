"""An exchange under way: what the hooks fill in, and the exchange it becomes."""

import re
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from urllib.parse import urlsplit

from inspector.capture import codec
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

_LAST = re.compile(
    rb"\n*(?:event: ?(?:message_stop|response\.(?:completed|failed|incomplete)|error)\n"
    rb"|data: ?\[DONE\]"
    rb"|data: ?\{\"type\": ?\"(?:message_stop|response\.(?:completed|failed|incomplete))\")"
)
"""The start of such an event."""

UNFINISHED = "not finished: under way when this was written"
"""The error of an exchange that was written before its end."""


def now() -> str:
    """Local time with offset."""
    second, rest = divmod(time.time_ns() // 1000, 1_000_000)
    start, offset = _second(second)
    return f"{start}.{rest:06d}{offset}"


@lru_cache(maxsize=2)
def _second(number: int) -> tuple[str, str]:
    """A second's local time and its offset."""
    text = datetime.fromtimestamp(number, UTC).astimezone().isoformat(timespec="seconds")
    return text[:19], text[19:]


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
    counted: int = 0
    """Chunks of the answer there were when it was done."""
    stored: Exchange | None = None
    """Its request half as stored, so that it is decoded and redacted once."""
    born: float = field(default_factory=time.monotonic)
    written: int = 0
    """Chunks of the answer that have been written."""
    next_write: float = 0.0
    placed: bool = False
    """Its request has been put."""
    left_out: bool = False
    """There was no room to keep it."""

    @property
    def size(self) -> int:
        """Bytes of the answer so far."""
        return sum(map(len, self.chunks))

    def chunk(self, data: bytes) -> bytes:
        """Keep a chunk and pass it on (mitmproxy's stream callable)."""
        if data:
            if not self.first_byte:
                self.first_byte = now()
            self.chunks.append(data)
        return data


def is_last(chunk: bytes) -> bool:
    """Whether a chunk brings the last event of a stream to its end, begun in it."""
    if not chunk.endswith(b"\n\n"):
        return False
    return _LAST.match(chunk, chunk.rfind(b"\n\n", 0, -2) + 1) is not None


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
    # Who has read the last event may hang up [codex 0.171.0, over HTTP/2].
    broken = "" if _has_ended(passing, decoded.data) else passing.error
    faults = [exchange.error, broken, decoded.fault]
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
    return not _has_ended(passing, data)


def _has_ended(passing: Passing, data: bytes) -> bool:
    """Whether an event stream holds its last event."""
    kind = _header(passing.response_headers, "content-type")
    tail = data[-65536:]
    return kind.startswith("text/event-stream") and any(end in tail for end in _ENDS)


def unfinished(exchange: Exchange) -> Exchange:
    """The exchange as it is written before its end."""
    faults = filter(None, (exchange.error, UNFINISHED))
    return replace(exchange, error="; ".join(faults))


def _header(headers: Headers, name: str) -> str:
    return ", ".join(value for key, value in headers if key.lower() == name)
