"""Where two texts part: whole words, what was there and what is there now."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_NEAR = 3
"""Equal code points between two edits up to which they are told as one."""
LARGEST = 40_000
"""Words in the changed part of a text beyond which it is told as one edit."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One stretch that changed; code points into the two texts."""

    start_a: int
    end_a: int
    start_b: int
    end_b: int


def edits(a: str, b: str) -> list[Edit]:
    """The stretches in which two texts part, in order; none for equal ones."""
    if a == b:
        return []
    head = _shared(a, b)
    tail = min(_shared(a[::-1], b[::-1]), len(a) - head, len(b) - head)
    # An edit holds whole words, so that it can be read.
    while head and (_inside_word(a, head) or _inside_word(b, head)):
        head -= 1
    while tail and (_inside_word(a, len(a) - tail) or _inside_word(b, len(b) - tail)):
        tail -= 1
    left, right = a[head : len(a) - tail], b[head : len(b) - tail]
    found = _joined(_moved(edit, head) for edit in _between(left, right))
    return [_from_line_start(edit, a, b) for edit in found]


def _between(a: str, b: str) -> Iterator[Edit]:
    words = _WORDS.findall(a), _WORDS.findall(b)
    if max(map(len, words)) > LARGEST:
        yield Edit(0, len(a), 0, len(b))
        return
    starts = _starts(words[0]), _starts(words[1])
    for code in Indel.opcodes(*words):
        if code.tag != "equal":
            yield Edit(
                starts[0][code.src_start],
                starts[0][code.src_end],
                starts[1][code.dest_start],
                starts[1][code.dest_end],
            )


def _joined(found: Iterator[Edit]) -> Iterator[Edit]:
    """Edits that next to nothing stands between as one."""
    last: Edit | None = None
    for edit in found:
        if last is not None and edit.start_a - last.end_a <= _NEAR:
            last = Edit(last.start_a, edit.end_a, last.start_b, edit.end_b)
            continue
        if last is not None:
            yield last
        last = edit
    if last is not None:
        yield last


def _from_line_start(edit: Edit, a: str, b: str) -> Edit:
    """The same edit told from the start of its line, where only lines came or went.

    What stands before such a stretch and ends it, too, may be told as either.
    """
    came = edit.start_a == edit.end_a
    if not came and edit.start_b != edit.end_b:
        return edit
    text, start, end = (b, edit.start_b, edit.end_b) if came else (a, edit.start_a, edit.end_a)
    by = 0
    while start - by > 0 and text[start - by - 1] != "\n":
        if text[start - by - 1] != text[end - by - 1]:
            return edit
        by += 1
    return _moved(edit, -by)


def _moved(edit: Edit, by: int) -> Edit:
    return Edit(edit.start_a + by, edit.end_a + by, edit.start_b + by, edit.end_b + by)


def _starts(words: Sequence[str]) -> list[int]:
    """Where each word starts, and where the last one ends."""
    found: list[int] = []
    at = 0
    for word in words:
        found.append(at)
        at += len(word)
    return [*found, at]


def _inside_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and _word(text[at - 1]) and _word(text[at])


def _word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _shared(a: str, b: str) -> int:
    """How many code points two texts share from their start."""
    low, high = 0, min(len(a), len(b)) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if a[low:middle] == b[low:middle] else (low, middle)
    return low
