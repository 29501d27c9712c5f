"""A description as one visible line: what skills and commands say in a listing.

Terminal sequences go, each run of characters that cannot be seen becomes one blank, but for joiners
and selectors that spell an emoji or a letter. Witness: Claude Code 2.1.332's own function on every
code point and on generated strings (tests/clients/claude_code/test_judged.py).
"""

import re
from functools import cache

from inspector.clients.claude_code.unicode17 import category, combining

_SEQUENCE = re.compile(
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|\Z)"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1b(?:[ -/].?|[0-~]?)",
    re.DOTALL,
)
_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
_NO_INK = frozenset(
    chr(code)
    for code in (
        *(0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164),
        *(*range(0xFE00, 0xFE10), 0xFFA0, 0x16FE4, *range(0xE0100, 0xE01F0)),
    )
)
_APART, _JOINER = "\u200c", "\u200d"
_SPELLS = re.compile(f"[{_APART}{_JOINER}\ufe0f\U000e007f]")
# Wide signs that are no emoji.
_SQUARES = frozenset(map(chr, (*range(0x2E80, 0x3030), *range(0x3031, 0x3297), 0x3298)))


def shown(string: str) -> str:
    """One line, without invisible characters, angle brackets escaped."""
    plain = _SEQUENCE.sub(_half, string)
    kept = _spelling(plain) if _SPELLS.search(plain) else frozenset[int]()
    out: list[str] = []
    blank = False
    for place, char in enumerate(plain):
        if place in kept or not _invisible(char):
            out.append(char)
            blank = False
        elif not blank:
            out.append(" ")
            blank = True
    return "".join(out).replace("<", "&lt;").replace(">", "&gt;")


def visible(string: str) -> str:
    """A text without its invisible characters: what `/output-style` says of a style."""
    return "".join(char for char in string if char == " " or not _unseen(char))


def _unseen(char: str) -> bool:
    return category(char) in _UNSEEN or char in _NO_INK


def _half(sequence: re.Match[str]) -> str:
    """What a sequence leaves: the half of a pair whose other half ended it."""
    return "\u200b" if sequence[0][-1] > "\uffff" else ""


def _invisible(char: str) -> bool:
    return not " " <= char <= "~" and (category(char) in _CATEGORIES or char in _NO_INK)


def _spelling(string: str) -> frozenset[int]:
    """Places of characters that are part of an emoji or join letters."""
    kept = {place for found in _emoji().finditer(string) for place in range(*found.span())}
    for place, char in enumerate(string):
        if char in {_APART, _JOINER} and _joins(string, place):
            kept.add(place)
    return frozenset(kept)


@cache
def _emoji() -> re.Pattern[str]:
    """Emoji of several characters; which of them are really in use is a named gap."""
    from wcwidth import wcswidth, wcwidth

    codes = (*range(0xA9, 0x32A0), *range(0x1F000, 0x1FB00))
    signs = [char for char in map(chr, codes) if category(char) in {"So", "Po", "Sm"}]
    found = [char for char in signs if wcswidth(char + "\ufe0f") == 2]
    wide = "".join(char for char in found if wcwidth(char) == 2 and char not in _SQUARES)
    narrow = "".join(char for char in found if wcwidth(char) == 1)
    one = f"(?:[{wide}{narrow}][\U0001f3fb-\U0001f3ff]|[{narrow}]\ufe0f|[{wide}])"
    tags = "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"
    return re.compile(f"[0-9#*]\ufe0f\u20e3|{tags}|{one}(?:\u200d{one})*")


def _joins(string: str, place: int) -> bool:
    before, after = string[place - 1 : place], string[place + 1 : place + 2]
    if not before or not after or not category(after).startswith("L"):
        return False
    if combining(before) == 9:
        return True
    arabic = all("\u0620" <= char <= "\u08ff" for char in (before, after))
    return arabic and string[place] == _APART
