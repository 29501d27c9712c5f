"""The store: one SQLite file with every session, exchange and snapshot, raw bytes as captured.

Strategy: write-ahead log, one short transaction a call, so that several processes write at once,
readers never wait, and `kill -9` loses at most the call it interrupted. Application id and format
version stand in SQLite's own header, so a foreign or newer file is known before it is touched.
Nothing is redacted here: `inspector.redact` runs before `put`.
"""

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from inspector import record
from inspector.errors import BadInput
from inspector.session import Exchange, Recording, Session, Snapshot
from inspector.store.file import connected

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_MADE_BY_USERS = ("run", "proxy", "import")
_EXCHANGE = "SELECT data, request, wire, response FROM exchange"


class Store:
    """An open store; safe to share between threads."""

    _last_id: ClassVar[int] = 0
    _id_lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `Store.open`."""
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> "Store":
        """Open a store, making it when it is not there and `create` says so.

        Raises `BadInput` for a file that is no store or is from a newer version; it stays as it is.
        """
        return cls(Path(path), connected(Path(path), create=create))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @classmethod
    def new_id(cls) -> str:
        """A short id; later ones of one machine sort after earlier ones."""
        with cls._id_lock:
            cls._last_id = max(cls._last_id + 1, time.time_ns() // 1_000_000)
            moment = cls._last_id
        time_part = "".join(_ALPHABET[moment >> shift & 31] for shift in range(40, -1, -5))
        return time_part + "".join(secrets.choice(_ALPHABET) for _ in range(4))

    def put_session(self, session: Session) -> None:
        """Insert a session, or update it under its id."""
        data = record.dump(record.session_data(session))
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO session (id, source, conversation, data) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET source = excluded.source,"
                " conversation = excluded.conversation, data = excluded.data",
                (session.id, session.source, session.conversation, data),
            )

    def put(self, exchange: Exchange) -> None:
        """Insert an exchange, or replace the one with its id; redact it before."""
        data = record.dump(record.exchange_data(exchange))
        wire = None if exchange.request_wire == exchange.request else exchange.request_wire
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO exchange (id, session, number, data, request, wire,"
                " response) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    exchange.id,
                    exchange.session,
                    exchange.number,
                    data,
                    exchange.request,
                    wire,
                    exchange.response,
                ),
            )

    def put_snapshot(self, session_id: str, snapshot: Snapshot) -> None:
        """Keep a session's snapshot, in place of the one kept before."""
        data = record.dump(record.snapshot_data(snapshot))
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO snapshot (session, data) VALUES (?, ?)", (session_id, data)
            )

    def remove(self, session_id: str) -> None:
        """Delete a session with its exchanges and its snapshot; none of that name is fine."""
        with self._writing() as connection:
            connection.execute("DELETE FROM exchange WHERE session = ?", (session_id,))
            connection.execute("DELETE FROM snapshot WHERE session = ?", (session_id,))
            connection.execute("DELETE FROM session WHERE id = ?", (session_id,))

    def vacuum(self) -> None:
        """Give the space of what was removed back to the file system, and its bytes with it."""
        with self._lock:
            try:
                self._connection.execute("VACUUM")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                raise BadInput(
                    f"{self.path}: removed, but the file could not shrink ({error}); try again"
                ) from error

    def used(self) -> int:
        """Bytes that the store's content takes, the space of removed things left out."""
        names = ("page_count", "freelist_count", "page_size")
        pages, free, size = (self._rows(f"PRAGMA {name}")[0][0] for name in names)
        return int((pages - free) * size)

    def last_activity(self, session_id: str) -> str:
        """The time of a session's newest exchange, or of its start."""
        query = "SELECT data FROM exchange WHERE session = ? ORDER BY number DESC LIMIT 1"
        rows = self._rows(query, session_id)
        data: dict[str, Any] = self._read(lambda: json.loads(rows[0][0])) if rows else {}
        known: object = data.get("ended") or data.get("started")
        return str(known) if known else self.session(session_id).started

    def get(self, exchange_id: str) -> Exchange:
        """The exchange with this id."""
        rows = self._rows(f"{_EXCHANGE} WHERE id = ?", exchange_id)
        if not rows:
            raise BadInput(f"{exchange_id}: no such exchange in {self.path}; see `inspector show`")
        return self._exchange(rows[0])

    def sessions(self) -> list[Session]:
        """All sessions, newest last."""
        return [self._session(row) for row in self._rows("SELECT data FROM session ORDER BY place")]

    def exchanges(self, session_id: str) -> tuple[Exchange, ...]:
        """The exchanges of a session, in order."""
        rows = self._rows(f"{_EXCHANGE} WHERE session = ? ORDER BY number, id", session_id)
        return tuple(self._exchange(row) for row in rows)

    def snapshot(self, session_id: str) -> Snapshot | None:
        """A session's snapshot, if one was kept."""
        rows = self._rows("SELECT data FROM snapshot WHERE session = ?", session_id)
        return self._read(lambda: record.snapshot_from(json.loads(rows[0][0]))) if rows else None

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
        """The session with this id or unique prefix; `last` is the newest by run, proxy, import."""
        if name == "last":
            marks = ",".join("?" * len(_MADE_BY_USERS))
            query = (
                f"SELECT data FROM session WHERE source IN ({marks}) ORDER BY place DESC LIMIT 1"  # noqa: S608
            )
            rows = self._rows(query, *_MADE_BY_USERS)
        else:
            rows = self._named("session", name)
        if not rows:
            raise BadInput(f"{name}: no such session in {self.path}; see `inspector ls`")
        return self._session(rows[0])

    def find_exchange(self, name: str) -> Exchange:
        """The exchange with this id or unique id prefix."""
        rows = self._named("exchange", name, "data, request, wire, response")
        if not rows:
            raise BadInput(f"{name}: no such exchange in {self.path}; see `inspector show`")
        return self._exchange(rows[0])

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

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock:
            return self._read(lambda: self._connection.execute(query, values).fetchall())

    def _session(self, row: tuple[bytes]) -> Session:
        return self._read(lambda: record.session_from(json.loads(row[0])))

    def _exchange(self, row: tuple[bytes, bytes, bytes | None, bytes]) -> Exchange:
        data, request, wire, response = row
        whole = request if wire is None else wire
        return self._read(
            lambda: record.exchange_from(
                json.loads(data), request=request, wire=whole, response=response
            )
        )

    def _read[Value](self, read: Callable[[], Value]) -> Value:
        try:
            return read()
        except (sqlite3.Error, ValueError) as error:
            raise BadInput(
                f"{self.path}: the store is damaged ({error}); capture into another --store"
            ) from error

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise BadInput(
                    f"{self.path}: writing failed ({error}); check space and permissions"
                ) from error
