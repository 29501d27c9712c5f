"""What keeps a store small: texts nobody names go, texts that stay are packed closer.

Each step is one transaction, so a kill at any moment leaves a whole store. Rows are written anew
only here; `Form.PACKED` tells processes that remember how a row was that it is so no more.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

from inspector.store import frames, refs
from inspector.store.bodies import Bodies, Form, Row
from inspector.store.cutting import entries, pieces
from inspector.store.frames import Pieces
from inspector.store.looking import Looking
from inspector.store.rows import rewrite
from inspector.store.zst import QUICK, THOROUGH, Press, words

_FRAME = 512 * 1024
"""Bytes of text in a packed frame."""
_NAMED = (
    "SELECT session, request FROM exchange WHERE form IN (:pieces, :packed)"
    " UNION ALL SELECT session, data FROM snapshot WHERE form = :pieces"
)
_FORMS = {"pieces": Form.PIECES, "packed": Form.PACKED}
_WORDS = "SELECT DISTINCT session, words FROM exchange WHERE words IS NOT NULL"


def named(connection: sqlite3.Connection) -> dict[str, set[int]]:
    """By session, the pieces that it names."""
    out: dict[str, set[int]] = {}
    for session, data in connection.execute(_NAMED, _FORMS):
        out.setdefault(session, set()).update(refs.unpacked(data))
    for session, number in connection.execute(_WORDS):
        out.setdefault(session, set()).add(number)
    return out


def sweep(connection: sqlite3.Connection) -> int:
    """Delete the frames of which no piece is named; how many went."""
    live = set[int]().union(*named(connection).values())
    dead: list[int] = []
    gone: set[int] = set()
    for first, lengths in connection.execute("SELECT id, sizes FROM frame"):
        held = range(first, first + len(refs.read_sizes(lengths)))
        if live.isdisjoint(held):
            dead.append(first)
            gone.update(held)
    if not dead:
        return 0
    lost = [row for row in connection.execute("SELECT digest, piece FROM known") if row[1] in gone]
    connection.executemany("DELETE FROM known WHERE digest = ?", [(row[0],) for row in lost])
    connection.executemany("DELETE FROM frame WHERE id = ?", [(first,) for first in dead])
    return len(dead)


def weights(connection: sqlite3.Connection) -> dict[str, int]:
    """By session, oldest first, the bytes that go with it once all older ones are gone."""
    order = [row[0] for row in connection.execute("SELECT id FROM session ORDER BY place")]
    sizes: dict[str, int] = dict.fromkeys(order, 0)
    query = (
        "SELECT session, sum(length(data) + length(request) + length(response)"
        " + coalesce(length(wire), 0)) FROM exchange GROUP BY session"
        " UNION ALL SELECT session, length(data) FROM snapshot"
        " UNION ALL SELECT session, sum(length(data)) FROM later GROUP BY session"
    )
    for session, size in connection.execute(query):
        sizes[session] = sizes.get(session, 0) + size
    held = {
        first: (len(refs.read_sizes(lengths)), size)
        for first, lengths, size in connection.execute("SELECT id, sizes, length(data) FROM frame")
    }
    frame_of = {
        first + place: first for first, (count, _) in held.items() for place in range(count)
    }
    by_session, kept = named(connection), set[int]()
    for session in reversed(order):
        used = {frame_of[number] for number in by_session.get(session, ()) if number in frame_of}
        sizes[session] += sum(held[first][1] for first in used - kept)
        kept |= used
    return sizes


@dataclass(slots=True)
class Packing:
    """Packs one session after the other."""

    settled: set[int] = field(default_factory=set[int])
    """Pieces that stand in packed frames."""
    moved: dict[int, int] = field(default_factory=dict[int, int])
    """Where pieces went."""
    _quick: Press = field(default_factory=lambda: Press(QUICK))
    _thorough: Press = field(default_factory=lambda: Press(THOROUGH))

    def session(self, connection: sqlite3.Connection, session: str) -> None:
        """Pack what a session names; inside a transaction."""
        if not self.settled:
            for first, lengths in connection.execute("SELECT id, sizes FROM frame WHERE packed"):
                self.settled.update(range(first, first + len(refs.read_sizes(lengths))))
        self._take_over(connection, session)
        query = (
            "SELECT id, form, base, head, tail, request FROM exchange"
            " WHERE session = ? AND form = ? ORDER BY number, id"
        )
        found = connection.execute(query, (session, Form.PIECES))
        rows = [(name, Row(*row)) for name, *row in found]
        lists = {name: refs.unpacked(row.data) for name, row in rows}
        query = "SELECT data FROM snapshot WHERE session = ? AND form = ?"
        snapshot = connection.execute(query, (session, Form.PIECES)).fetchone()
        kept = refs.unpacked(snapshot[0]) if snapshot else []
        self._move(connection, [number for own in (*lists.values(), kept) for number in own])
        self._told(connection, session)
        for name, row in rows:
            data = refs.packed([self.moved.get(number, number) for number in lists[name]])
            rewrite(connection, name, row._replace(form=Form.PACKED, data=data))
        if snapshot:
            data = refs.packed([self.moved.get(number, number) for number in kept])
            connection.execute("UPDATE snapshot SET data = ? WHERE session = ?", (data, session))

    def _move(self, connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
        """Write pieces anew in packed frames, in this order."""
        group: list[tuple[int, bytes]] = []
        size, read, seen = 0, Pieces(), set[int]()
        for number in numbers:
            if number in seen or number in self.settled or number in self.moved:
                continue
            seen.add(number)
            piece = read.joined(connection, [number])
            group.append((number, piece))
            size += len(piece)
            if size >= _FRAME:
                self._frame(connection, group)
                group, size = [], 0
        if group:
            self._frame(connection, group)

    def _frame(self, connection: sqlite3.Connection, group: list[tuple[int, bytes]]) -> None:
        texts = [piece for _, piece in group]
        first = frames.add(connection, texts, self._thorough, packed=True)
        for place, (number, piece) in enumerate(group):
            self.moved[number] = first + place
            if len(piece) >= frames.WORTH:
                values = (first + place, frames.digest(piece))
                connection.execute("UPDATE known SET piece = ? WHERE digest = ?", values)
        self.settled.update(range(first, first + len(group)))

    def _take_over(self, connection: sqlite3.Connection, session: str) -> None:
        """Write rows of earlier formats as pieces."""
        bodies, looking = Bodies(self._quick), Looking(connection)
        query = (
            "SELECT id, form, base, head, tail, request, data, response FROM exchange"
            " WHERE session = ? AND form = ? ORDER BY number, id"
        )
        found = connection.execute(query, (session, Form.PLAIN)).fetchall()
        for name, *row, data, response in found:
            body = looking.request(name, Row(*row))
            written = bodies.write(connection, session, body)
            rewrite(connection, name, written.row)
            answer = self._quick(response) if response else b""
            query = "UPDATE exchange SET data = ?, response = ? WHERE id = ?"
            connection.execute(query, (self._quick(data), answer, name))
            bodies.remember(session, name, body, written)
        query = "SELECT data FROM snapshot WHERE session = ? AND form = ?"
        for (data,) in connection.execute(query, (session, Form.PLAIN)).fetchall():
            numbers = frames.kept(connection, pieces(data, 0, entries(data)), self._quick)
            query = "UPDATE snapshot SET data = ?, form = ? WHERE session = ?"
            connection.execute(query, (refs.packed(numbers), Form.PIECES, session))

    def _told(self, connection: sqlite3.Connection, session: str) -> None:
        """Compress facts and answers once more, in terms of the same words."""
        query = (
            "SELECT id, form, words, data, response FROM exchange WHERE session = ?"
            " AND form IN (?, ?)"
        )
        looking, presses = Looking(connection), dict[int | None, Press]({None: self._thorough})
        found = connection.execute(query, (session, Form.PIECES, Form.INLINE)).fetchall()
        for name, form, shared, data, response in found:
            if shared not in presses:
                text = Pieces().joined(connection, [shared])
                presses[shared] = Press(THOROUGH, words(text))
            facts = presses[shared](looking.text(data, form, shared))
            answer = presses[shared](looking.text(response, form, shared)) if response else b""
            query = "UPDATE exchange SET data = ?, response = ? WHERE id = ?"
            connection.execute(query, (facts, answer, name))
