"""What two bodies share at their start and at their end, compared at memory speed.

Strategy: `startswith` and `endswith` on views compare without copying; only the piece that differs
is halved. The store and the redaction ask about the same pairs, so the last answers are kept.
"""

from collections import deque
from dataclasses import dataclass
from typing import Literal

_PIECE = 256 * 1024
_LAST = 4096
"""Bytes of which the first that differs is found by arithmetic."""
_answers: deque[tuple[bytes, bytes, "Overlap"]] = deque(maxlen=4)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Bytes in common at the start and at the end; together never more than the shorter body."""

    head: int
    tail: int


def overlap(one: bytes, other: bytes) -> Overlap:
    """What two bodies share."""
    for left, right, answer in _answers:
        if left is one and right is other:
            return answer
    head = _head(one, other)
    answer = Overlap(head, _tail(one, other, min(len(one), len(other)) - head))
    _answers.append((one, other, answer))
    return answer


def forget() -> None:
    """Let go of the bodies that were compared last."""
    _answers.clear()


def _head(one: bytes, other: bytes) -> int:
    high, view = min(len(one), len(other)), memoryview(other)
    low, step = 0, _PIECE
    while low < high:
        upto = min(low + step, high)
        if one.startswith(view[low:upto], low):
            low = upto
        elif step <= _LAST:
            differ = _number(one[low:upto], "little") ^ _number(view[low:upto], "little")
            return low + ((differ & -differ).bit_length() - 1) // 8
        else:
            step, high = step // 2, upto
    return low


def _tail(one: bytes, other: bytes, most: int) -> int:
    view, size, first = memoryview(other), len(other), len(one)
    low, high, step = 0, most, _PIECE
    while low < high:
        upto = min(low + step, high)
        if one.endswith(view[size - upto : size - low], 0, first - low):
            low = upto
        elif step <= _LAST:
            mine, theirs = one[first - upto : first - low], view[size - upto : size - low]
            differ = _number(mine, "big") ^ _number(theirs, "big")
            return low + ((differ & -differ).bit_length() - 1) // 8
        else:
            step, high = step // 2, upto
    return low


def _number(piece: bytes | memoryview, order: Literal["little", "big"]) -> int:
    return int.from_bytes(piece, order)


def nearest(body: bytes, others: list[bytes]) -> tuple[int, Overlap]:
    """Which of some bodies, the likeliest last, shares most, and how much; -1 for none."""
    best, most = -1, Overlap(0, 0)
    for place in range(len(others) - 1, -1, -1):
        found = overlap(body, others[place])
        if found.head + found.tail > most.head + most.tail:
            best, most = place, found
        if (most.head + most.tail) * 4 >= len(body) * 3:
            break
    return best, most
