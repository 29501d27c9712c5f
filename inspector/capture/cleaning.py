"""Taking secrets out of a conversation's growing bodies without reading the same bytes twice.

Strategy: a body in which nothing was found is kept for a while. What the next one shares with it
needs no second look, but for an overlap longer than any secret: one that goes across the start of
a look lies wholly in what was looked at before. The look starts at a quotation mark, so that the
words after it begin as they do in the whole.
"""

from collections import deque
from dataclasses import replace

from inspector import redact
from inspector.session import Exchange

OVERLAP = 64 * 1024
_KEPT = 4
"""Bodies remembered: a conversation, a subagent, and small calls between."""


class Cleaner:
    """Redacts exchanges of one session, one thread at a time."""

    def __init__(self, given: redact.Given) -> None:
        """Begin with secrets known beforehand."""
        self._given = given
        self._clean: deque[bytes] = deque(maxlen=_KEPT)

    def request(self, exchange: Exchange) -> Exchange:
        """The request half without secrets; a key in a header is one wherever it stands later."""
        given = self._given.more(redact.header_secrets(exchange.request_headers))
        if given is not self._given:
            self._given = given
            self._clean.clear()
        same = exchange.request_wire == exchange.request
        body, count = self._body(exchange.request)
        outer = replace(exchange, request=b"", request_wire=b"" if same else exchange.request_wire)
        clean = redact.exchange(outer, given)
        wire = body if same or count else clean.request_wire
        return replace(
            clean,
            request=body,
            request_wire=wire,
            replaced=clean.replaced + count,
            body_replaced=clean.body_replaced + count,
        )

    def response(self, exchange: Exchange, request: Exchange) -> Exchange:
        """The exchange without secrets in its response; its request half is clean already."""
        half = replace(exchange, request=b"", request_wire=b"", request_headers=(), replaced=0)
        clean = redact.exchange(half, self._given)
        return replace(
            clean,
            request=request.request,
            request_wire=request.request_wire,
            request_headers=request.request_headers,
            replaced=request.replaced + clean.replaced,
            body_replaced=request.body_replaced,
        )

    def _body(self, data: bytes) -> tuple[bytes, int]:
        start = self._start(data)
        tail, count = redact.data(data[start:] if start else data, self._given)
        if count:
            return data[:start] + tail, count
        self._clean.append(data)
        return data, 0

    def _start(self, data: bytes) -> int:
        """Where a look must begin; 0 for the whole."""
        if any(len(form) > OVERLAP // 2 for form in self._given.forms):
            return 0
        longest = max((shared(data, before) for before in self._clean), default=0)
        return max(0, data.rfind(b'"', 0, max(0, longest - OVERLAP)))


def shared(one: bytes, other: bytes) -> int:
    """How many bytes two bodies have in common at the start; compares at memory speed."""
    low, high = 0, min(len(one), len(other))
    left, right = memoryview(one), memoryview(other)
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
