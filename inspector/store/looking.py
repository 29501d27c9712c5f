"""Reading the rows of exchanges, of all formats."""

import json
import sqlite3
from typing import Any

from inspector import record
from inspector.session import Exchange
from inspector.store import earlier, refs
from inspector.store.bodies import Form, Lists, Row
from inspector.store.frames import Pieces
from inspector.store.zst import Words, plain, words

_ROW = "e.form, e.base, e.head, e.tail, e.request"
_COLUMNS = f"e.id, {_ROW}, e.words, e.data, e.wire, e.response, p.data, p.response"
SELECT = f"SELECT {_COLUMNS} FROM exchange e LEFT JOIN partial p ON p.id = e.id"  # noqa: S608


class Looking:
    """One look into the store, inside one transaction: rows that build on one another stay so.

    Pieces and words, whose numbers never change what they mean, may be those of an earlier look.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        pieces: Pieces | None = None,
    ) -> None:
        """Look through a connection."""
        self._connection = connection
        self._pieces = pieces or Pieces()
        self._lists = Lists()
        self._words: dict[int, Words] = {}
        self._plain: tuple[str, bytes] = ("", b"")
        """The request read last, if it stands as bytes: the next one builds on it mostly."""

    def exchange(self, found: tuple[Any, ...]) -> Exchange:
        """The exchange of a row that `SELECT` gave. Raises `ValueError` for a damaged one."""
        name, *row, shared, data, wire, response, later, received = found
        request = self.request(name, Row(*row))
        if later is None:
            data = self.text(data, row[0], shared)
        if received is None:
            received = self.text(response, row[0], shared)
        return record.exchange_from(
            json.loads(data if later is None else later),
            request=request,
            wire=request if wire is None else wire,
            response=received,
        )

    def text(self, data: bytes, form: int, shared: int | None) -> bytes:
        """A row's facts or answer."""
        if form == Form.PLAIN or not data:
            return data
        if shared is None:
            return plain(data)
        if shared not in self._words:
            self._words[shared] = words(self._pieces.joined(self._connection, [shared]))
        return plain(data, self._words[shared])

    def request(self, name: str, row: Row) -> bytes:
        """The body of a row. Raises `ValueError` for a damaged one."""
        if row.form == Form.INLINE:
            return plain(row.data)
        if row.form == Form.PLAIN:
            own = (row.base, row.head, row.tail, row.data)
            self._plain = (name, earlier.whole(own, self._earlier))
            return self._plain[1]
        return self._pieces.joined(self._connection, self.refs(name, row))

    def snapshot(self, data: bytes, form: int) -> bytes:
        """The JSON of a snapshot."""
        if form == Form.PLAIN:
            return data
        return self._pieces.joined(self._connection, refs.unpacked(data))

    def refs(self, name: str, row: Row) -> list[int]:
        """The pieces of a row's body. Raises `ValueError` if it has none."""
        return self._lists.of(name, row, self.row)

    def row(self, name: str) -> Row:
        """What an exchange's row holds of its request. Raises `ValueError` if there is none."""
        query = f"SELECT {_ROW} FROM exchange e WHERE e.id = ?"  # noqa: S608
        found = self._connection.execute(query, (name,)).fetchone()
        if found is None:
            raise ValueError(f"the request it builds on is gone ({name})")
        return Row(*found)

    def alone(self, name: str) -> Row:
        """The same request in a row that builds on no other."""
        row = self.row(name)
        if row.form == Form.PLAIN:
            return Row(Form.PLAIN, None, 0, 0, self.request(name, row))
        return Row(row.form, None, 0, 0, refs.packed(self.refs(name, row)))

    def _earlier(self, name: str) -> earlier.Plain:
        if name == self._plain[0]:
            return None, 0, 0, self._plain[1]
        row = self.row(name)
        if row.form == Form.PLAIN:
            return row.base, row.head, row.tail, row.data
        return None, 0, 0, self.request(name, row)
