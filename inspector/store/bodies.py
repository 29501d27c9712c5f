"""Request bodies in the store: what is new in a body is written, the rest is named.

A row names the pieces of its body (`frames`): all of them, or those of an earlier request of its
session (its base) with some in the middle replaced, `head` pieces of the base's start and `tail`
of its end staying. The bytes shared with the base are found by one comparison at memory speed, so
that only what is new is cut and hashed. Law: what was put comes back byte for byte, whatever it is.
Every `_LONGEST` rows the list is whole again, so that reading one never walks far.
"""

import sqlite3
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from inspector.store import frames, refs
from inspector.store.cutting import cuts, pieces
from inspector.store.overlap import forget, nearest
from inspector.store.zst import Press

_LONGEST = 64
_SMALL = 2048
"""Bodies up to this size stand in their row."""
_KEPT = 6
"""Bodies of a session remembered: its conversations, and small calls between."""
_SESSIONS = 8
_MOST = 128 * 1024 * 1024
"""Bytes remembered, unless the newest session alone has more."""


class Form(IntEnum):
    """How a row holds its request."""

    PLAIN = 0
    """As the stores of formats 1 to 3 wrote it: bytes, of a base too (`earlier`)."""
    PIECES = 1
    INLINE = 2
    """A frame of its own."""
    PACKED = 3
    """Pieces that were put in another order since: who remembers the earlier ones knows no more."""


class Row(NamedTuple):
    """What a row holds of its request."""

    form: int
    base: str | None
    head: int
    tail: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """A body as it was written: its row, and all of its pieces with the offsets of their ends."""

    row: Row
    refs: list[int]
    ends: list[int]
    depth: int = 0
    """How many bases there are below it."""
    after: str = ""
    """The request that it takes the place of, for those to come."""


@dataclass(frozen=True, slots=True)
class _Kept:
    id: str
    body: bytes
    written: Written


class Bodies:
    """Writes bodies; remembers those put last, by session."""

    def __init__(self, press: Press) -> None:
        """Nothing is remembered yet."""
        self._press = press
        self._kept: OrderedDict[str, list[_Kept]] = OrderedDict()

    def write(self, connection: sqlite3.Connection, session: str, body: bytes) -> Written:
        """Write what is new of a body; inside a transaction."""
        if len(body) <= _SMALL:
            return Written(Row(Form.INLINE, None, 0, 0, self._press(body)), [], [])
        near, head, tail = self._near(connection, session, body)
        old = near.written if near else Written(Row(Form.PIECES, None, 0, 0, b""), [], [])
        low = old.ends[head - 1] if head else 0
        rest = len(old.refs) - tail
        shift = len(body) - (old.ends[-1] if old.ends else 0)
        high = (old.ends[rest - 1] if rest else 0) + shift if tail else len(body)
        ends = cuts(body, low, high)
        stood = _between(near, head, rest)
        new = frames.kept(connection, pieces(body, low, ends), self._press, stood)
        whole = [*old.refs[:head], *new, *old.refs[rest:]]
        ends = [*old.ends[:head], *ends, *(end + shift for end in old.ends[rest:])]
        # A subagent's request may share a little of the main conversation's, which goes on.
        goes_on = near is not None and (low + len(body) - high) * 2 >= len(near.body)
        after = near.id if near is not None and goes_on else ""
        if near is None or old.depth >= _LONGEST:
            row = Row(Form.PIECES, None, 0, 0, refs.packed(whole))
            return Written(row, whole, ends, after=after)
        row = Row(Form.PIECES, near.id, head, tail, refs.packed(new))
        return Written(row, whole, ends, old.depth + 1, after)

    def _near(
        self, connection: sqlite3.Connection, session: str, body: bytes
    ) -> tuple[_Kept | None, int, int]:
        """The body that shares most, and how many of its pieces at either end."""
        kept = self._kept.get(session)
        if not kept:
            return None, 0, 0
        place, shared = nearest(body, [item.body for item in kept])
        if place < 0 or not _there(connection, session, kept[place].id):
            return None, 0, 0
        near = kept[place]
        ends = near.written.ends
        head = bisect_right(ends, shared.head)
        from_ = len(near.body) - shared.tail
        rest = bisect_left(ends, from_) + 1 if from_ else 0
        tail = len(ends) - min(max(rest, head), len(ends))
        return (near, head, tail) if head + tail else (None, 0, 0)

    def remember(self, session: str, id: str, body: bytes, written: Written) -> None:  # noqa: A002
        """Build later bodies on this one; the one it goes on from is forgotten."""
        if not written.refs:
            return
        kept = self._kept.pop(session, [])
        kept = [item for item in kept if item.id not in (written.after, id)]
        self._kept[session] = [*kept[-_KEPT + 1 :], _Kept(id, body, written)]
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


def _between(near: _Kept | None, head: int, rest: int) -> dict[bytes, int]:
    """The pieces of a base that stand in it where the new body differs: most stand there again."""
    if near is None:
        return {}
    ends, numbers = near.written.ends, near.written.refs
    low = ends[head - 1] if head else 0
    found = pieces(near.body, low, ends[head:rest])
    return dict(zip(found, numbers[head:rest], strict=True))


def _there(connection: sqlite3.Connection, session: str, name: str) -> bool:
    """Whether a row is as this process wrote it: another one may have removed or packed it."""
    query = "SELECT 1 FROM exchange WHERE id = ? AND session = ? AND form = ?"
    return connection.execute(query, (name, session, Form.PIECES)).fetchone() is not None


class Lists:
    """The pieces of bodies; remembers the lists looked up last, on which the next ones build."""

    def __init__(self) -> None:
        """Nothing has been looked up yet."""
        self._last: OrderedDict[str, list[int]] = OrderedDict()

    def of(self, name: str, row: Row, base: Callable[[str], Row]) -> list[int]:
        """A row's pieces; `base` finds the row of an id. Raises `ValueError` if it cannot be."""
        chain: list[tuple[str, Row]] = [(name, row)]
        seen = {name}
        found: list[int] | None = None
        while (lower := chain[-1][1].base) is not None and found is None:
            if lower in seen:
                raise ValueError(f"request builds on itself ({lower})")
            seen.add(lower)
            found = self._last.get(lower)
            if found is None:
                chain.append((lower, base(lower)))
        for _, above in reversed(chain):
            found = _over(found, above)
        listed = found or []
        self._last[name] = listed
        while len(self._last) > _KEPT + 2:
            self._last.popitem(last=False)
        return listed


def _over(below: list[int] | None, row: Row) -> list[int]:
    own = refs.unpacked(row.data)
    if row.form not in (Form.PIECES, Form.PACKED):
        raise ValueError("the request it builds on is of another form")
    if row.base is None:
        return own
    if below is None or row.head + row.tail > len(below):
        raise ValueError("the request it builds on is shorter than it was")
    return [*below[: row.head], *own, *below[len(below) - row.tail :]]
