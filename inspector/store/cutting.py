"""Where bodies are cut into pieces: the same text is the same piece wherever it stands.

Strategy: a long string of a JSON body is a piece, and so is what stands between two of them, cache
marks and all: a mark that moves, or a message that turns from a list into a string, leaves its
text the piece it was. Only a guess about the bytes is made, nothing is parsed: any cutting gives
the body back, also of bodies that are no JSON.
"""

import re
from collections.abc import Iterator, Sequence

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_ENTRY = re.compile(rb'\],"')
LONG = 256
"""Bytes from which on a string is a piece of its own."""
_MOST = 16 * 1024
_LEAST = 256
"""Between long strings, pieces begin where an object does, when they are this large."""


def cuts(body: bytes, start: int, end: int) -> list[int]:
    """The offsets where the pieces of `body[start:end]` end."""
    found: list[int] = []
    done = start
    for match in _STRING.finditer(body, start, end):
        low, high = match.span()
        if high - low < LONG:
            continue
        found += _between(body, done, low)
        found.append(high)
        done = high
    found += _between(body, done, end)
    return found


def entries(data: bytes) -> list[int]:
    """The same of a snapshot's JSON, where each file of some size is a piece."""
    found: list[int] = []
    done = 0
    for match in _ENTRY.finditer(data):
        if match.start() + 2 - done >= LONG:
            done = match.start() + 2
            found.append(done)
    return [*found, len(data)] if done < len(data) else found


def _between(body: bytes, start: int, end: int) -> Iterator[int]:
    while end - start > _LEAST:
        at = body.find(b'{"', start + _LEAST, min(start + _MOST, end))
        if at < 0 and end - start <= _MOST:
            break
        start = at if at > 0 else start + _MOST
        yield start
    if end > start:
        yield end


def pieces(body: bytes, start: int, ends: Sequence[int]) -> list[bytes]:
    """The pieces between offsets."""
    return [body[low:high] for low, high in zip((start, *ends), ends, strict=False)]
