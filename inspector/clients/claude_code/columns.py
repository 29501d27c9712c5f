"""The columns a string takes in a terminal, as the client's runtime counts them.

Graphemes and widths come from wcwidth; what the runtime counts otherwise is evened out here.
Witness: Claude Code 2.1.332's `Bun.stringWidth` on every code point and on generated strings.
"""

from collections.abc import Iterable
from functools import cache

from inspector.clients.claude_code.unicode17 import category

_KEYCAP, _JOINER, _TEXT, _EMOJI = "\u20e3", "\u200d", "\ufe0e", "\ufe0f"
_SKIN = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_NOTHING = frozenset({"Cc", "Cf", "Cs"})


def width(string: str) -> int:
    """Columns a terminal shows the string in."""
    if string.isascii():
        return sum(" " <= char <= "~" for char in string)
    from wcwidth import iter_graphemes

    return sum(map(_grapheme, iter_graphemes(string)))


def graphemes(string: str) -> Iterable[str]:
    """What a reader takes for one character each."""
    if string.isascii():
        return string
    from wcwidth import iter_graphemes

    return iter_graphemes(string)


@cache
def _grapheme(grapheme: str) -> int:
    if _KEYCAP in grapheme:
        return 2
    if "\U0001f1e6" <= grapheme[0] <= "\U0001f1ff":
        return min(len(grapheme), 2)
    if category(grapheme[0]) == "So" and _can_be_wide(grapheme[0]):
        if not _SKIN.union((_EMOJI, _JOINER)).isdisjoint(grapheme):
            return 2
        if _TEXT in grapheme:
            return 1
    return sum(map(_columns, grapheme))


def _can_be_wide(char: str) -> bool:
    from wcwidth import wcswidth

    return wcswidth(char + _EMOJI) == 2


def _columns(char: str) -> int:
    from wcwidth import wcwidth

    code, kind = ord(char), category(char)
    if 0x900 <= code <= 0xD4F and _hangs(code & 0x7F):
        return 0
    if kind in {"Mc", "Zl", "Zp"}:
        return 1
    return 0 if kind in _NOTHING else max(wcwidth(char), 0)


def _hangs(place: int) -> bool:
    """Whether a place in a block of an Indic script holds a sign that takes no column."""
    return (
        place <= 0x02
        or (0x3A <= place <= 0x4D and place != 0x3D)
        or 0x51 <= place <= 0x57
        or place in {0x62, 0x63}
    )
