"""What JavaScript does to strings, where it differs from Python.

Witness: each function here was compared with node on generated strings (see its tests).
"""

import math

from inspector.clients.claude_code.unicode17 import category, combining, normalize
from inspector.jsontext import javascript_number
from inspector.text import Kind, Origin, Piece, Text, text

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

# Letters that do not decompose: what they are sorted with, and after what among their like.
_STROKE, _LIGATURE = "\u0338", "\uffff"
_ALIKE = {
    "æ": (("a", ""), ("e", _LIGATURE)),
    "œ": (("o", ""), ("e", _LIGATURE)),
    "ß": (("s", ""), ("s", _LIGATURE)),
    **{char: ((base, _STROKE),) for char, base in zip("øđħłŧ", "odhlt", strict=True)},
    **{char: ((f"{base}\uffff", ""),) for char, base in zip("ðıŋĸþ", "dinkz", strict=True)},
}


def trim(text: Text) -> Text:
    """`String.prototype.trim`."""
    return text.strip(_SPACES)


def trim_string(string: str) -> str:
    """`String.prototype.trim` for plain strings."""
    return string.strip(_SPACES)


def trim_end_string(string: str) -> str:
    """`String.prototype.trimEnd` for plain strings."""
    return string.rstrip(_SPACES)


def trim_end(text: Text) -> Text:
    """`String.prototype.trimEnd`."""
    return text.rstrip(_SPACES)


def units(string: str) -> int:
    """`String.prototype.length`: UTF-16 units."""
    return len(string) + sum(1 for char in string if char > "\uffff")


def number_text(number: float) -> str:
    """`String(number)`."""
    if math.isfinite(number):
        return javascript_number(repr(number))
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


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


def sliced(text: Text, limit: int) -> Text:
    """`text.slice(0, limit)` as it is sent: half of a pair on the edge becomes U+FFFD."""
    whole = cut(text, limit)
    if units(str(whole)) == limit or len(whole) == len(text):
        return whole
    return whole + Text((Piece("\ufffd", Origin(Kind.COMPUTED, "half of a pair")),))


def cut_string(string: str, limit: int) -> str:
    """`string.slice(0, limit)`; a surrogate pair on the edge is left out whole."""
    if units(string) <= limit:
        return string
    return str(cut(text(string, Origin(Kind.COMPUTED, "cut")), limit))


def decode(data: bytes) -> str:
    """`TextDecoder` for UTF-8: a byte-order mark is dropped, invalid bytes become U+FFFD."""
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


type LocaleKey = tuple[tuple[tuple[int, str], ...], tuple[str, ...], tuple[int, ...]]


def locale_key(string: str) -> LocaleKey:
    """A sort key that orders as `localeCompare` does in the root locale.

    Exact for ASCII, for Latin letters with accents, Greek and a few more scripts; elsewhere letters
    follow their code points, which is a named gap (docs/claude-code.md: names outside ASCII).
    """
    primary: list[tuple[int, str]] = []
    accents: list[str] = []
    cases: list[int] = []
    for char in normalize("NFKD", string):
        if combining(char):
            accents.append(char)
            continue
        for letter, accent in _ALIKE.get(char.lower(), ((char.lower(), ""),)):
            accents.append(accent)
            primary.append(_primary(letter))
            cases.append(int(char != char.lower()))
    return tuple(primary), tuple(accents), tuple(cases)


def _primary(char: str) -> tuple[int, str]:
    rank = _RANKS.get(char)
    if rank is not None:
        return 0, chr(rank)
    # Other signs stand between ASCII's and the digits.
    sign = len(char) == 1 and category(char)[0] in "PSZC"
    return (0, chr(_RANKS["$"]) + char) if sign else (1, char)


def ascii_first_key(string: str) -> tuple[bool, LocaleKey | bytes]:
    """A sort key that orders names as the client orders agents: ASCII first, the rest by unit."""
    if string.isascii():
        return False, locale_key(string)
    return True, string.encode("utf-16-be", "surrogatepass")
