"""The rows of exchanges: how one is written, written again, and read."""

import json
import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any

from inspector import record
from inspector.session import Exchange
from inspector.store.bodies import Packed, Recent, Row, whole

_COLUMNS = "e.data, e.base, e.head, e.tail, e.request, e.wire, e.response, p.data, p.response"
SELECT = f"SELECT {_COLUMNS} FROM exchange e LEFT JOIN partial p ON p.id = e.id"  # noqa: S608
_INSERT = (
    "INSERT INTO exchange (id, session, number, data, response, wire, request, base, head, tail)"
    " SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
)
_ALWAYS = " WHERE ?"
_LARGE = 4 * 1024 * 1024
"""Bytes from which on a copy of a row is not left in memory."""
_OPEN_BYTES = 64 * 1024 * 1024
"""Requests remembered of exchanges that have not ended; of others the row is made anew."""


class Rows:
    """Writes exchanges; remembers what later ones can build on."""

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self._recent = Recent()
        self._open: dict[str, Exchange] = {}
        """Exchanges that were put and have not ended."""

    def forget(self, session: str | None = None) -> None:
        """Build on nothing of a session, or of any."""
        self._recent.forget(session)
        self._open.clear()

    def put(self, connection: sqlite3.Connection, exchange: Exchange) -> None:
        """Insert an exchange, or replace the one with its id; inside a transaction."""
        data = record.dump(record.exchange_data(exchange))
        before = self._open.pop(exchange.id, None)
        if not exchange.ended:
            self._remember(exchange)
        known = before is not None and _same_request(before, exchange)
        if known and _again(connection, exchange, data):
            return
        try:
            self._insert(connection, exchange, data)
        except sqlite3.IntegrityError:
            self._take_out(connection, exchange.id)
            self._insert(connection, exchange, data)

    def _remember(self, exchange: Exchange) -> None:
        self._open[exchange.id] = exchange
        while sum(len(one.request) for one in self._open.values()) > _OPEN_BYTES:
            del self._open[next(iter(self._open))]

    def _insert(self, connection: sqlite3.Connection, exchange: Exchange, data: bytes) -> None:
        wire = None if exchange.request_wire == exchange.request else exchange.request_wire
        packed = self._recent.packed(exchange.session, exchange.request)
        start = (exchange.id, exchange.session, exchange.number, data, exchange.response, wire)
        row = (packed.rest, packed.base, packed.head, packed.tail)
        if packed.base is None:
            connection.execute(_INSERT + _ALWAYS, (*start, *row, True))
        else:
            # Another process may have removed what this one wrote.
            there = " WHERE EXISTS (SELECT 1 FROM exchange WHERE id = ? AND session = ?)"
            values = (*start, *row, packed.base, exchange.session)
            if connection.execute(_INSERT + there, values).rowcount < 1:
                packed = Packed(exchange.request)
                plain = (exchange.request, None, 0, 0)
                connection.execute(_INSERT + _ALWAYS, (*start, *plain, True))
        if len(packed.rest) + len(wire or b"") + len(exchange.response) > _LARGE:
            # SQLite keeps a copy of the last values until others come; these insert nothing.
            connection.execute(_INSERT + _ALWAYS, (*[None] * 10, False))
        self._recent.remember(exchange.session, exchange.id, exchange.request, packed)

    def _take_out(self, connection: sqlite3.Connection, exchange_id: str) -> None:
        """Delete a row, those that build on it made whole before."""
        self._recent.forget()  # they may build on it
        query = "SELECT id FROM exchange WHERE base = ?"
        for (name,) in connection.execute(query, (exchange_id,)).fetchall():
            body = whole(row_of(connection, name), partial(row_of, connection))
            connection.execute(
                "UPDATE exchange SET request = ?, base = NULL, head = 0, tail = 0 WHERE id = ?",
                (body, name),
            )
        connection.execute("DELETE FROM partial WHERE id = ?", (exchange_id,))
        connection.execute("DELETE FROM exchange WHERE id = ?", (exchange_id,))


def exchange(row: tuple[Any, ...], base_of: Callable[[str], Row]) -> Exchange:
    """The exchange of a row that `SELECT` gave. Raises `ValueError` for a damaged one."""
    data, base, head, tail, rest, wire, response, later, received = row
    request = whole((base, head, tail, rest), base_of)
    return record.exchange_from(
        json.loads(data if later is None else later),
        request=request,
        wire=request if wire is None else wire,
        response=response if received is None else received,
    )


def row_of(connection: sqlite3.Connection, name: str) -> Row:
    """What an exchange's row holds of its request. Raises `ValueError` if there is none."""
    query = "SELECT base, head, tail, request FROM exchange WHERE id = ?"
    found = connection.execute(query, (name,)).fetchone()
    if found is None:
        raise ValueError(f"the request it builds on is gone ({name})")
    base, head, tail, rest = found
    return base, head, tail, rest


def _again(connection: sqlite3.Connection, exchange: Exchange, data: bytes) -> bool:
    """Write what is new of an exchange that is there; whether it still is."""
    if not exchange.ended:
        cursor = connection.execute(
            "INSERT OR REPLACE INTO partial (id, data, response)"
            " SELECT id, ?, ? FROM exchange WHERE id = ?",
            (data, exchange.response, exchange.id),
        )
        return cursor.rowcount > 0
    connection.execute("DELETE FROM partial WHERE id = ?", (exchange.id,))
    cursor = connection.execute(
        "UPDATE exchange SET session = ?, number = ?, data = ?, response = ? WHERE id = ?",
        (exchange.session, exchange.number, data, exchange.response, exchange.id),
    )
    return cursor.rowcount > 0


def _same_request(one: Exchange, other: Exchange) -> bool:
    return one.request == other.request and one.request_wire == other.request_wire
