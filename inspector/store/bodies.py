"""Request bodies in the store: what an earlier request of the session holds is not written again.

A row holds a body, or names its base: `head` bytes of the base's start, the row's own bytes, `tail`
bytes of the base's end. Law: what was put comes back byte for byte, whatever it is. Every
`_LONGEST` rows a body is whole again, so that reading one never walks far.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inspector.store.overlap import forget, nearest

_LONGEST = 64
_SMALL = 4096
"""Bodies up to this size are always whole."""
_KEPT = 6
"""Bodies of a session remembered: its conversations, and small calls between."""
_SESSIONS = 8
_MOST = 128 * 1024 * 1024
"""Bytes remembered, unless the newest session alone has more."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A body as a row holds it."""

    rest: bytes
    base: str | None = None
    """Id of the exchange whose request it builds on."""
    head: int = 0
    tail: int = 0
    depth: int = 0
    """How many bases there are below it."""


@dataclass(frozen=True, slots=True)
class _Kept:
    id: str
    body: bytes
    depth: int


class Recent:
    """The requests put last, by session."""

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self._kept: OrderedDict[str, list[_Kept]] = OrderedDict()

    def packed(self, session: str, body: bytes) -> Packed:
        """The body as it is to be written."""
        kept = self._kept.get(session)
        if len(body) <= _SMALL or not kept:
            return Packed(body)
        place, shared = nearest(body, [item.body for item in kept])
        near = kept[place] if place >= 0 else None
        if near is None or near.depth >= _LONGEST or (shared.head + shared.tail) * 2 < len(body):
            return Packed(body)
        rest = body[shared.head : len(body) - shared.tail]
        return Packed(rest, near.id, shared.head, shared.tail, near.depth + 1)

    def remember(self, session: str, id: str, body: bytes, packed: Packed) -> None:  # noqa: A002
        """Build later bodies on this one; the one it builds on itself is forgotten."""
        if len(body) <= _SMALL:
            return
        kept = self._kept.pop(session, [])
        kept = [item for item in kept if item.id not in (packed.base, id)]
        self._kept[session] = [*kept[-_KEPT + 1 :], _Kept(id, body, packed.depth)]
        while len(self._kept) > _SESSIONS or (len(self._kept) > 1 and self._size() > _MOST):
            self._kept.popitem(last=False)
        forget()  # large bodies live no longer than they must: fresh memory costs more than a look

    def _size(self) -> int:
        return sum(len(item.body) for kept in self._kept.values() for item in kept)

    def forget(self, session: str | None = None) -> None:
        """Build on nothing of a session, or of any."""
        if session is None:
            self._kept.clear()
        else:
            self._kept.pop(session, None)


type Row = tuple[str | None, int, int, bytes]
"""Base, head, tail, the row's own bytes."""


def whole(row: Row, base: Callable[[str], Row]) -> bytes:
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
