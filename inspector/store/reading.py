"""What is read from a store."""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspector import record
from inspector.errors import BadInput
from inspector.session import Exchange, Recording, Session, Snapshot
from inspector.store.frames import Pieces
from inspector.store.link import Link
from inspector.store.looking import SELECT, Looking
from inspector.store.zst import is_frame, plain

_MADE_BY_USERS = ("run", "proxy", "import")


class Reading(Link):
    """Looks sessions, exchanges and snapshots up."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `Store.open`."""
        super().__init__(path, connection)
        self._pieces = Pieces()

    def used(self) -> int:
        """Bytes that the store's content takes, the space of removed things left out."""
        names = ("page_count", "freelist_count", "page_size")
        pages, free, size = (self._rows(f"PRAGMA {name}")[0][0] for name in names)
        return int((pages - free) * size)

    def last_activity(self, session_id: str) -> str:
        """The time of a session's newest exchange, or of its start."""
        query = (
            "SELECT data, form, words FROM exchange WHERE session = ? ORDER BY number DESC LIMIT 1"
        )
        with self._reading() as connection:
            looking = Looking(connection, self._pieces)
            rows = self._rows(query, session_id)
            data: dict[str, Any] = (
                self._read(lambda: json.loads(looking.text(*rows[0]))) if rows else {}
            )
        known: object = data.get("ended") or data.get("started")
        return str(known) if known else self.session(session_id).started

    def get(self, exchange_id: str) -> Exchange:
        """The exchange with this id."""
        with self._reading() as connection:
            rows = self._rows(f"{SELECT} WHERE e.id = ?", exchange_id)
            if not rows:
                raise BadInput(
                    f"{exchange_id}: no such exchange in {self.path}; see `inspector show`"
                )
            looking = Looking(connection, self._pieces)
            return self._read(lambda: looking.exchange(rows[0]))

    def sessions(self) -> list[Session]:
        """All sessions, newest last."""
        return [self._session(row) for row in self._rows("SELECT data FROM session ORDER BY place")]

    def number_of(self, session_id: str) -> int:
        """How many exchanges of a session there are."""
        rows = self._rows("SELECT count(*) FROM exchange WHERE session = ?", session_id)
        return int(rows[0][0]) if rows else 0

    def exchanges(self, session_id: str) -> tuple[Exchange, ...]:
        """The exchanges of a session, in order."""
        with self._reading() as connection:
            looking = Looking(connection, self._pieces)
            rows = self._rows(f"{SELECT} WHERE e.session = ? ORDER BY e.number, e.id", session_id)
            return self._read(lambda: tuple(map(looking.exchange, rows)))

    def snapshot(self, session_id: str) -> Snapshot | None:
        """A session's snapshot, if one was kept, with what was seen later and not joined to it."""
        query = "SELECT data FROM later WHERE session = ? ORDER BY place"
        with self._reading() as connection:
            rows = self._rows("SELECT data, form FROM snapshot WHERE session = ?", session_id)
            if not rows:
                return None
            looking = Looking(connection, self._pieces)
            data = self._read(lambda: looking.snapshot(*rows[0]))
            later = [row[0] for row in self._rows(query, session_id)]
        return self._read(lambda: _whole(data, later))

    def recording(self, session_id: str) -> Recording:
        """A session with all that is kept of it."""
        return Recording(
            self.session(session_id), self.exchanges(session_id), self.snapshot(session_id)
        )

    def session(self, session_id: str) -> Session:
        """The session with this id."""
        rows = self._rows("SELECT data FROM session WHERE id = ?", session_id)
        if not rows:
            raise BadInput(f"{session_id}: no such session in {self.path}; see `inspector ls`")
        return self._session(rows[0])

    def find(self, name: str) -> Session:
        """The session with this id or unique prefix.

        `last` is the newest by run, proxy, import that holds an exchange.
        """
        if name == "last":
            marks = ",".join("?" * len(_MADE_BY_USERS))
            query = (
                f"SELECT data FROM session WHERE source IN ({marks}) AND EXISTS"  # noqa: S608
                " (SELECT 1 FROM exchange WHERE session = session.id) ORDER BY place DESC LIMIT 1"
            )
            rows = self._rows(query, *_MADE_BY_USERS)
        else:
            rows = self._named("session", name)
        if not rows:
            raise BadInput(f"{name}: no such session in {self.path}; see `inspector ls`")
        return self._session(rows[0])

    def find_exchange(self, name: str) -> Exchange:
        """The exchange with this id or unique id prefix."""
        rows = self._named("exchange", name, "id")
        if not rows:
            raise BadInput(f"{name}: no such exchange in {self.path}; see `inspector show`")
        return self.get(rows[0][0])

    def find_conversation(self, conversation: str, *, other_than: str = "") -> Session | None:
        """The newest session of a client's conversation, but for the one with id `other_than`."""
        rows = self._rows(
            "SELECT data FROM session WHERE conversation = ? AND id <> ?"
            " ORDER BY place DESC LIMIT 1",
            conversation,
            other_than,
        )
        return self._session(rows[0]) if rows else None

    def _named(self, table: str, name: str, columns: str = "data") -> list[Any]:
        rows = self._rows(f"SELECT {columns} FROM {table} WHERE id = ?", name)  # noqa: S608
        if rows or not name:
            return rows
        query = f"SELECT {columns} FROM {table} WHERE substr(id, 1, ?) = ? LIMIT 2"  # noqa: S608
        rows = self._rows(query, len(name), name)
        if len(rows) > 1:
            raise BadInput(
                f"{name}: more than one {table} in {self.path} begins so; give more of the id"
            )
        return rows

    def _session(self, row: tuple[bytes]) -> Session:
        return self._read(lambda: record.session_from(json.loads(row[0])))


def _whole(data: bytes, later: Iterable[bytes]) -> Snapshot:
    """A snapshot and what was seen later. Raises `ValueError` for what is damaged."""
    start = json.loads(data)
    found = record.snapshot_from(start)
    for seen in later:
        more = {"environment": start["environment"]}
        more |= json.loads(plain(seen) if is_frame(seen) else seen)
        found = found.joined(record.snapshot_from(more))
    return found
