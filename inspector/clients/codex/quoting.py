"""A command as one line a shell would read: words quoted as Rust's `shlex` quotes them."""

import re
from collections.abc import Sequence

_PLAIN = re.compile(r"[-+./:@\]_0-9A-Za-z]+")
_SINGLE = re.compile(r"\^?[^'^\\]*")
_DOUBLE = re.compile(r"[^`$!^]*")
_ESCAPED = re.compile(r'(["\\])')


def line(words: Sequence[str]) -> str:
    """The words with blanks between, each quoted where it must be."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    if not word:
        return "''"
    if _PLAIN.fullmatch(word):
        return word
    made = ""
    while word:
        size, kind = max((len(found), kind) for kind, found in _reaches(word))
        made += _chunk(word[:size], kind)
        word = word[size:]
    return made


def _reaches(word: str) -> list[tuple[int, str]]:
    """How far each way of quoting goes; of two that go equally far the first kind wins."""
    ways = ((2, _PLAIN), (1, _SINGLE), (0, _DOUBLE))
    return [(kind, found[0]) for kind, way in ways if (found := way.match(word)) and found[0]]


def _chunk(chunk: str, kind: int) -> str:
    if kind == 2:
        return chunk
    return f"'{chunk}'" if kind else '"' + _ESCAPED.sub(r"\\\1", chunk) + '"'
