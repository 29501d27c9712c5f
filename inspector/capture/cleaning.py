"""Digests and redaction of a conversation's growing bodies, each byte looked at once.

Strategy: the bodies seen last stay in memory as they came, with the places of their secrets and
the digest's state at intervals. What a body shares with one of them, at its start and at its end,
is neither hashed nor searched again, but for a reach longer than any secret. Every look begins and
ends at a quotation mark: no value holds one, so none is cut.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from inspector import redact
from inspector.session import Exchange
from inspector.store.overlap import Overlap, nearest

if TYPE_CHECKING:
    from hashlib import _Hash

REACH = 192
"""Bytes from a secret's name to the start of its value, and some: patterns are no longer."""
WINDOW = 1 << 20
"""Bytes searched at once; between two looks the proxy's thread gets its turn."""
STEP = 32 * 1024
"""Bytes between two kept states of a digest."""
NEAR = 2047
"""The same where a body is new: the next one differs there. Longer pieces give up Python's lock."""
_NEW = 16 * NEAR
_KEPT = 6
"""Bodies remembered: conversations, sub-agents, and small calls between."""
_MOST = 128 * 1024 * 1024
"""Bytes remembered, but for a single larger body."""
_QUOTE = b'"'
_GAP = 32
"""Bytes between a secret's name and its value, and some."""

type Spans = list[tuple[int, int]]


@dataclass(slots=True)
class _Seen:
    """A body as it came."""

    raw: bytes
    spans: Spans
    """Where its secrets stand."""
    states: "list[tuple[int, _Hash]]" = field(default_factory=list["tuple[int, _Hash]"])


class Cleaner:
    """Redacts exchanges of one stream, one thread at a time."""

    def __init__(self, given: redact.Given) -> None:
        """Begin with secrets known beforehand."""
        self._given = given
        self._seen: list[_Seen] = []
        self._lines: dict[tuple[str, str], tuple[str, int]] = {}
        """Headers and URLs seen before, and what became of them."""

    def request(self, exchange: Exchange) -> Exchange:
        """The request half without secrets, with its digests.

        A key in a header is one wherever it stands later.
        """
        given = self._given.more(redact.header_secrets(exchange.request_headers))
        if given is not self._given:
            self._given = given
            self._seen.clear()
            self._lines.clear()
        body, count, digest = self._body(exchange.request)
        wire, wire_digest = body, digest
        if exchange.request_wire != exchange.request:
            wire_digest = hashlib.sha256(exchange.request_wire).hexdigest()
            # Compressed bytes would give a secret back.
            wire = body if count else redact.data(exchange.request_wire, given)[0]
        url, in_url = self._line("", exchange.url)
        headers, in_headers = self._headers(exchange.request_headers)
        error, in_error = redact.text(exchange.error, given) if exchange.error else ("", 0)
        return replace(
            exchange,
            url=url,
            request_headers=headers,
            request=body,
            request_wire=wire,
            request_sha256=digest,
            wire_sha256=wire_digest,
            error=error,
            replaced=exchange.replaced + count + in_url + in_headers + in_error,
            body_replaced=exchange.body_replaced + count,
        )

    def response(self, exchange: Exchange, request: Exchange) -> Exchange:
        """The exchange without secrets in its response; its request half is clean already."""
        response, count = redact.stream(exchange.response, self._given)
        headers, in_headers = self._headers(exchange.response_headers)
        error, in_error = redact.text(exchange.error, self._given) if exchange.error else ("", 0)
        if not count + in_headers + in_error and exchange.replaced == request.replaced:
            return exchange
        return replace(
            exchange,
            response=response,
            response_headers=headers,
            error=error,
            replaced=request.replaced + count + in_headers + in_error,
            body_replaced=request.body_replaced,
        )

    def settled(self, received: bytes) -> bytes:
        """As much of a stream under way as can be written: no secret may still grow at its end."""
        return redact.settled(received, self._given)

    def _headers(
        self, headers: tuple[tuple[str, str], ...]
    ) -> tuple[tuple[tuple[str, str], ...], int]:
        found = [(name, self._line(name, value)) for name, value in headers]
        return tuple((name, value) for name, (value, _) in found), sum(n for _, (_, n) in found)

    def _line(self, name: str, value: str) -> tuple[str, int]:
        """A header's value, or a URL (which has no name)."""
        known = self._lines.get((name, value))
        if known is None:
            if len(self._lines) > 1000:
                self._lines.clear()
            if name:
                ((_, new),), count = redact.headers(((name, value),), self._given)
            else:
                new, count = redact.url(value, self._given)
            known = self._lines[name, value] = (new, count)
        return known

    def _body(self, raw: bytes) -> tuple[bytes, int, str]:
        place, shared = nearest(raw, [seen.raw for seen in self._seen])
        before = self._seen[place] if place >= 0 else None
        seen = _Seen(raw, self._spans(raw, before, shared))
        digest = _digest(seen, before, shared)
        if before is not None and (shared.head + shared.tail) * 2 > len(before.raw):
            del self._seen[place]  # its successor stands for it
        self._seen = [*self._seen[-_KEPT + 1 :], seen]
        while len(self._seen) > 1 and sum(len(one.raw) for one in self._seen) > _MOST:
            del self._seen[0]
        if not seen.spans:
            return raw, 0, digest
        return redact.without(raw, seen.spans, self._given), len(seen.spans), digest

    def _spans(self, raw: bytes, before: _Seen | None, shared: Overlap) -> Spans:
        if before is None:
            return self._windows(raw, 0, len(raw))
        reach, size = self._reach(), len(raw)
        last = max(0, raw.rfind(_QUOTE, 0, shared.head))
        moved, first = size - len(before.raw), size - shared.tail + reach
        if self._quiet(raw, last, first) and _outside(before.spans, last, first - moved):
            start = end = first
        else:
            first = _next_quote(raw, first)
            start = max(0, raw.rfind(_QUOTE, 0, max(0, last - reach)))
            end = _next_quote(raw, first + reach)
        kept = [span for span in before.spans if span[1] <= last]
        kept += [(a + moved, b + moved) for a, b in before.spans if a + moved >= first]
        return redact.merged([*kept, *self._windows(raw, start, end)])

    def _quiet(self, raw: bytes, last: int, first: int) -> bool:
        """Whether nothing that begins before `first` and ends after `last` can be a secret.

        What announces one holds no space and no quotation mark, but for those between a name and
        its value: a look needs to reach no further than a little behind the next of them.
        """
        reach = self._reach()
        ends = (raw.find(mark, first + reach) + 1 or len(raw) for mark in (b" ", _QUOTE))
        return redact.quiet(raw[max(0, last - reach) : min(ends) + _GAP], self._given)

    def _windows(self, raw: bytes, start: int, end: int) -> Spans:
        """The secrets between two places, found a window at a time."""
        reach, at, found = self._reach(), start, list[tuple[int, int]]()
        while at < end:
            upto = min(end, _next_quote(raw, at + WINDOW)) if at + WINDOW < end else end
            low = max(start, raw.rfind(_QUOTE, start, max(start, at - reach)), 0)
            piece = raw[low:upto] if low or upto < len(raw) else raw
            found += [(a + low, b + low) for a, b in redact.spans(piece, self._given)]
            at = upto
        return redact.merged(found)

    def _reach(self) -> int:
        return REACH + self._given.longest


def _next_quote(raw: bytes, at: int) -> int:
    """The place after the next quotation mark; the end where there is none."""
    return raw.find(_QUOTE, at) + 1 or len(raw)


def _outside(spans: Spans, last: int, first: int) -> bool:
    """Whether each ends by `last` or begins from `first` on."""
    return all(end <= last or start >= first for start, end in spans)


def _digest(seen: _Seen, before: _Seen | None, shared: Overlap) -> str:
    states = [state for state in before.states if state[0] <= shared.head] if before else []
    at, state = states[-1] if states else (0, hashlib.sha256())
    states = [state for state in states if state[0] % STEP == 0]
    state, view = state.copy(), memoryview(seen.raw)
    new = (shared.head, len(seen.raw) - shared.tail) if before else (0, 0)
    for low, high in _steps(at, len(seen.raw), new):
        state.update(view[low:high])
        if high % STEP == 0 or new[0] <= high <= new[1]:
            states.append((high, state.copy()))
    seen.states = states
    return state.hexdigest()


def _steps(at: int, size: int, new: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Pieces to hash one by one: short ones in what is new, the others up to the next `STEP`."""
    start = max(new[0], new[1] - _NEW)
    while at < size:
        upto = min(size, at - at % STEP + STEP)
        if start <= at < new[1]:
            upto = min(upto, at + NEAR, new[1])
        elif at < start:
            upto = min(upto, start)
        yield at, upto
        at = upto
