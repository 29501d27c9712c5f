"""The rows of exchanges: how one is written, and written again (`looking` reads them)."""

import sqlite3
from collections import OrderedDict
from dataclasses import dataclass

from inspector import record
from inspector.session import Exchange
from inspector.store import frames, refs
from inspector.store.bodies import Bodies, Form, Row
from inspector.store.cutting import entries, pieces
from inspector.store.looking import Looking
from inspector.store.zst import QUICK, Press, words

_INSERT = (
    "INSERT INTO exchange (id, session, number, data, words, response, wire, form, request, base,"
    " head, tail) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE ?"
)
_COLUMNS = 12
_LARGE = 4 * 1024 * 1024
"""Bytes from which on a copy of a row is not left in memory."""
_OPEN_BYTES = 64 * 1024 * 1024
"""Requests remembered of exchanges that have not ended; of others the row is made anew."""
_SHARED = 4096
"""Bytes of an answer that later ones are written in terms of."""
_SESSIONS = 8


@dataclass(slots=True)
class _Words:
    """What a session's headers and answers have in common."""

    ended: int = 0
    frame: int | None = None
    press: Press | None = None


@dataclass(frozen=True, slots=True)
class _Told:
    """An exchange's facts and answer, compressed."""

    data: bytes
    response: bytes
    words: int | None


class Rows:
    """Writes exchanges; remembers what later ones can build on."""

    def __init__(self, level: int = QUICK) -> None:
        """Nothing is remembered yet."""
        self._press = Press(level)
        self._level = level
        self._bodies = Bodies(self._press)
        self._words: OrderedDict[str, _Words] = OrderedDict()
        self._open: dict[str, Exchange] = {}
        """Exchanges that were put and have not ended."""

    def forget(self, session: str | None = None) -> None:
        """Build on nothing of a session, or of any."""
        self._bodies.forget(session)
        self._words.clear()
        self._open.clear()

    def put(self, connection: sqlite3.Connection, exchange: Exchange) -> None:
        """Insert an exchange, or replace the one with its id; inside a transaction."""
        before = self._open.pop(exchange.id, None)
        if not exchange.ended:
            self._remember(exchange)
        known = before is not None and _same_request(before, exchange)
        if known and self._again(connection, exchange):
            return
        try:
            self._insert(connection, exchange)
        except sqlite3.IntegrityError:
            self._take_out(connection, exchange.id)
            self._insert(connection, exchange)

    def put_snapshot(self, connection: sqlite3.Connection, session: str, data: bytes) -> None:
        """Insert a session's snapshot, or replace it; inside a transaction."""
        found = pieces(data, 0, entries(data))
        named = refs.packed(frames.kept(connection, found, self._press))
        connection.execute(
            "INSERT OR REPLACE INTO snapshot (session, data, form) VALUES (?, ?, ?)",
            (session, named, Form.PIECES),
        )

    def pressed(self, data: bytes) -> bytes:
        """Data that else begins as JSON, compressed."""
        return self._press(data)

    def _remember(self, exchange: Exchange) -> None:
        self._open[exchange.id] = exchange
        while sum(len(one.request) for one in self._open.values()) > _OPEN_BYTES:
            del self._open[next(iter(self._open))]

    def _insert(self, connection: sqlite3.Connection, exchange: Exchange) -> None:
        wire = None if exchange.request_wire == exchange.request else exchange.request_wire
        written = self._bodies.write(connection, exchange.session, exchange.request)
        told, row = self._told(connection, exchange), written.row
        start = (exchange.id, exchange.session, exchange.number, told.data, told.words)
        rest = (told.response, wire, row.form, row.data, row.base, row.head, row.tail)
        connection.execute(_INSERT, (*start, *rest, True))
        if len(row.data) + len(wire or b"") + len(told.response) > _LARGE:
            # SQLite keeps a copy of the last values until others come; these insert nothing.
            connection.execute(_INSERT, (*[None] * _COLUMNS, False))
        self._bodies.remember(exchange.session, exchange.id, exchange.request, written)

    def _told(self, connection: sqlite3.Connection, exchange: Exchange) -> _Told:
        data = record.dump(record.exchange_data(exchange))
        shared = self._shared(connection, exchange, data)
        press = shared.press or self._press
        answer = press(exchange.response) if exchange.response else b""
        return _Told(press(data), answer, shared.frame)

    def _shared(self, connection: sqlite3.Connection, exchange: Exchange, data: bytes) -> _Words:
        """What a session's rows are written in terms of: from the second that ended on, that one.

        One that another process removed with its session is made anew.
        """
        found = self._words.pop(exchange.session, None) or _Words()
        if found.frame is not None and not _is_frame(connection, found.frame):
            found = _Words(1)
        found.ended += bool(exchange.ended)
        if found.ended > 1 and found.frame is None:
            text = exchange.response[:_SHARED] + data
            found.frame = frames.add(connection, [text], self._press)
            found.press = Press(self._level, words(text))
        self._words[exchange.session] = found
        while len(self._words) > _SESSIONS:
            self._words.popitem(last=False)
        return found

    def _again(self, connection: sqlite3.Connection, exchange: Exchange) -> bool:
        """Write what is new of an exchange that is there; whether it still is."""
        if not exchange.ended:
            cursor = connection.execute(
                "INSERT OR REPLACE INTO partial (id, data, response)"
                " SELECT id, ?, ? FROM exchange WHERE id = ?",
                (record.dump(record.exchange_data(exchange)), exchange.response, exchange.id),
            )
            return cursor.rowcount > 0
        connection.execute("DELETE FROM partial WHERE id = ?", (exchange.id,))
        told = self._told(connection, exchange)
        cursor = connection.execute(
            "UPDATE exchange SET session = ?, number = ?, data = ?, response = ?, words = ?"
            " WHERE id = ?",
            (exchange.session, exchange.number, told.data, told.response, told.words, exchange.id),
        )
        return cursor.rowcount > 0

    def _take_out(self, connection: sqlite3.Connection, exchange_id: str) -> None:
        """Delete a row, those that build on it made whole before."""
        self._bodies.forget()  # they may build on it
        looking = Looking(connection)
        query = "SELECT id FROM exchange WHERE base = ?"
        for (name,) in connection.execute(query, (exchange_id,)).fetchall():
            rewrite(connection, name, looking.alone(name))
        connection.execute("DELETE FROM partial WHERE id = ?", (exchange_id,))
        connection.execute("DELETE FROM exchange WHERE id = ?", (exchange_id,))


def rewrite(connection: sqlite3.Connection, name: str, row: Row) -> None:
    """Let a row hold its request another way."""
    connection.execute(
        "UPDATE exchange SET form = ?, request = ?, base = ?, head = ?, tail = ? WHERE id = ?",
        (row.form, row.data, row.base, row.head, row.tail, name),
    )


def _is_frame(connection: sqlite3.Connection, number: int) -> bool:
    query = "SELECT 1 FROM frame WHERE id = ?"
    return connection.execute(query, (number,)).fetchone() is not None


def _same_request(one: Exchange, other: Exchange) -> bool:
    return one.request == other.request and one.request_wire == other.request_wire
