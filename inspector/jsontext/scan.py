"""Tokens of JSON text, the check of a whole document, and the end of a value.

Two speeds. `check` first asks pydantic's Rust parser (200 times faster than Python) and only
when that refuses runs the exact grammar here, which alone decides: the fast one refuses lone
surrogates and deep nesting. `Source.value_end` assumes checked text.
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum, auto
from functools import cache

_TOKEN = re.compile(
    rb"""[ \t\n\r]*+(?:
    (?P<string>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+")
    |(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
    |(?P<word>true|false|null)
    |(?P<mark>[\]\[{},:])
    )""",
    re.VERBOSE,
)
_BLANK = re.compile(rb"[ \t\n\r]*+")
_SCALAR = re.compile(rb"[^\]\[{},:\s]++")
_REST = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_DULL = frozenset({b":", b",", b": ", b", "})
_BACKSLASH = ord("\\")

type Token = tuple[str, int, int]
"""What it is (`string`, `number`, `word`, or the mark itself), start and end."""


class _Want(Enum):
    VALUE = auto()
    VALUE_OR_END = auto()
    KEY = auto()
    KEY_OR_END = auto()
    COLON = auto()
    COMMA_OR_END = auto()


def tokens(source: bytes) -> Iterator[Token]:
    """The tokens of one JSON document, checked against the whole grammar as they pass."""
    source.decode()
    grammar = _Grammar()
    at, size = 0, len(source)
    while True:
        match = _TOKEN.match(source, at)
        if match is None:
            break
        kind = match.lastgroup or ""
        start, at = match.span(kind)
        if kind == "mark":
            kind = chr(source[start])
        if not grammar.takes(kind):
            raise ValueError(f"invalid JSON: unexpected {kind} at byte {start}")
        yield kind, start, at
    at = blank_end(source, at)
    if at < size:
        raise ValueError(f"invalid JSON: unexpected text at byte {at}")
    if not grammar.done:
        raise ValueError(f"invalid JSON: ends too early, at byte {size}")


class _Grammar:
    """What may come next, with the open brackets on a stack of its own."""

    __slots__ = ("_open", "_want", "done")

    def __init__(self) -> None:
        self._open: list[str] = []
        self._want = _Want.VALUE
        self.done = False

    def takes(self, kind: str) -> bool:
        """Move on over a token; false when it cannot stand here."""
        if self.done:
            return False
        if kind in "[{":
            return self._opens(kind)
        if kind in "]}":
            return self._closes(kind)
        if kind == ",":
            return self._separates()
        if kind == ":":
            return self._moves(_Want.COLON, _Want.VALUE)
        return self._scalar(kind)

    def _moves(self, want: _Want, then: _Want) -> bool:
        if self._want is not want:
            return False
        self._want = then
        return True

    def _separates(self) -> bool:
        inside = self._open[-1] if self._open else ""
        return self._moves(_Want.COMMA_OR_END, _Want.KEY if inside == "{" else _Want.VALUE)

    def _opens(self, kind: str) -> bool:
        if self._want not in {_Want.VALUE, _Want.VALUE_OR_END}:
            return False
        self._open.append(kind)
        self._want = _Want.KEY_OR_END if kind == "{" else _Want.VALUE_OR_END
        return True

    def _closes(self, kind: str) -> bool:
        empty = _Want.KEY_OR_END if kind == "}" else _Want.VALUE_OR_END
        if self._want not in {empty, _Want.COMMA_OR_END}:
            return False
        if self._open.pop() != ("{" if kind == "}" else "["):
            return False
        return self._ends()

    def _scalar(self, kind: str) -> bool:
        if self._want in {_Want.KEY, _Want.KEY_OR_END}:
            self._want = _Want.COLON
            return kind == "string"
        if self._want not in {_Want.VALUE, _Want.VALUE_OR_END}:
            return False
        return self._ends()

    def _ends(self) -> bool:
        self._want = _Want.COMMA_OR_END
        self.done = not self._open
        return True


def check(source: bytes) -> None:
    """Raise `ValueError` unless the bytes are exactly one valid JSON document in UTF-8."""
    try:
        _parser()(source, allow_inf_nan=False, cache_strings="none")
    except ValueError:
        for _ in tokens(source):
            pass


@cache
def _parser() -> Callable[..., object]:
    from pydantic_core import from_json

    return from_json


def blank_end(source: bytes, at: int) -> int:
    """Where the white space from `at` on ends."""
    match = _BLANK.match(source, at)
    return match.end() if match else at


class Source:
    """Checked JSON bytes; where its strings and brackets end is found once, when first asked."""

    __slots__ = ("_ends", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._ends: dict[int, int] | None = None

    @property
    def fast(self) -> bool:
        """Whether a parser in C has found all that was asked so far."""
        return self._ends is None

    def value_end(self, start: int) -> int:
        """Where the value that starts at `start` ends."""
        if self._ends is None:
            self._ends = _ends(self.data)
        end = self._ends.get(start)
        if end is None:
            match = _SCALAR.match(self.data, start)
            end = match.end() if match else start
        return end


def _ends(data: bytes) -> dict[int, int]:
    """The ends of all strings, arrays and objects by their starts.

    Hops from quote to quote with `bytes.find`, which is thirty times faster than matching what
    stands between; only a string with an escaped quote is matched on from there, and only the
    few bytes between two strings are looked at one by one.
    """
    ends: dict[int, int] = {}
    opened: list[int] = []
    find = data.find
    at = 0
    while True:
        quote = find(b'"', at)
        between = data[at:quote] if quote >= 0 else data[at:]
        if between not in _DULL:
            for place, char in enumerate(between, at):
                if char in b"[{":
                    opened.append(place)
                elif char in b"]}":
                    ends[opened.pop()] = place + 1
        if quote < 0:
            return ends
        at = find(b'"', quote + 1)
        at += 1
        if data[at - 2] == _BACKSLASH and _is_escaped(data, at - 1):
            match = _REST.match(data, at)
            at = match.end() if match else len(data)
        ends[quote] = at


def _is_escaped(data: bytes, at: int) -> bool:
    start = at
    while data[start - 1] == _BACKSLASH:
        start -= 1
    return (at - start) % 2 == 1
