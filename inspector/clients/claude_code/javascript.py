"""What JavaScript does to strings, where it differs from Python.

Witness: each function here was compared with node on generated strings (see its tests).
"""

import unicodedata

from inspector.text import Text

SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""The body of a character class that means JavaScript's `\\s`."""

_SPACES = "".join(
    chr(code)
    for code in (
        *range(0x09, 0x0E),
        *(0x20, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF),
        *range(0x2000, 0x200B),
    )
)
# ICU root collation orders ASCII like this; case decides last, small letters first.
_ASCII_ORDER = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"
_RANKS = {char: rank for rank, char in enumerate(" " + _ASCII_ORDER)}


def trim(text: Text) -> Text:
    """`String.prototype.trim`."""
    return text.strip(_SPACES)


def trim_string(string: str) -> str:
    """`String.prototype.trim` for plain strings."""
    return string.strip(_SPACES)


def trim_end(text: Text) -> Text:
    """`String.prototype.trimEnd`."""
    return text.rstrip(_SPACES)


def units(string: str) -> int:
    """`String.prototype.length`: UTF-16 units."""
    return len(string) + sum(1 for char in string if char > "\uffff")


def cut(text: Text, limit: int) -> Text:
    """`text.slice(0, limit)`; a surrogate pair on the edge is left out whole."""
    string = str(text)
    if units(string) <= limit:
        return text
    used = 0
    for index, char in enumerate(string):
        used += 2 if char > "\uffff" else 1
        if used > limit:
            return text[:index]
    return text


def decode(data: bytes) -> str:
    """`TextDecoder` for UTF-8: a byte-order mark is dropped, invalid bytes become U+FFFD."""
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def locale_key(string: str) -> tuple[tuple[tuple[int, str], ...], tuple[str, ...], tuple[int, ...]]:
    """A sort key that orders as `localeCompare` does in the root locale.

    Letters, digits and ASCII signs follow ICU; other characters follow their code points, which is
    a named gap for scripts whose collation is not their code order.
    """
    primary: list[tuple[int, str]] = []
    accents: list[str] = []
    cases: list[int] = []
    for char in unicodedata.normalize("NFD", string):
        if unicodedata.combining(char):
            accents.append(char)
            continue
        accents.append("")
        rank = _RANKS.get(char)
        primary.append((0, chr(rank)) if rank is not None else (1, char.lower()))
        cases.append(int(char != char.lower()))
    return tuple(primary), tuple(accents), tuple(cases)


def width(string: str) -> int:
    """Columns a terminal shows the string in."""
    from wcwidth import wcwidth

    return sum(max(wcwidth(char), 0) for char in string)
