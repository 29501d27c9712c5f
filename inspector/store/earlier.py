"""Requests as stores of formats 1 to 3 wrote them; `inspector pack` writes them anew.

A row holds a body, or names its base: `head` bytes of the base's start, the row's own bytes, `tail`
bytes of the base's end.
"""

from collections.abc import Callable, Sequence

type Plain = tuple[str | None, int, int, bytes]
"""Base, head, tail, the row's own bytes."""


def whole(row: Plain, base: Callable[[str], Plain]) -> bytes:
    """The body of a row; `base` finds the row of an id. Raises `ValueError` if it cannot be."""
    chain, seen = [row], set[str]()
    while (name := chain[-1][0]) is not None:
        if name in seen:
            raise ValueError(f"request builds on itself ({name})")
        seen.add(name)
        chain.append(base(name))
    rope: list[memoryview] = [memoryview(chain.pop()[3])]
    for _, head, tail, rest in reversed(chain):
        rope = [*_start(rope, head), memoryview(rest), *_end(rope, tail)]
    return b"".join(rope)


def _start(rope: Sequence[memoryview], size: int) -> list[memoryview]:
    out: list[memoryview] = []
    for piece in rope:
        if size <= 0:
            break
        out.append(piece[:size])
        size -= len(out[-1])
    if size:
        raise ValueError("the request it builds on is shorter than it was")
    return out


def _end(rope: Sequence[memoryview], size: int) -> list[memoryview]:
    out: list[memoryview] = []
    for piece in reversed(rope):
        if size <= 0:
            break
        out.append(piece[max(0, len(piece) - size) :])
        size -= len(out[-1])
    if size:
        raise ValueError("the request it builds on is shorter than it was")
    return out[::-1]
