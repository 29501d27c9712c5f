"""The store: one SQLite file with every session, exchange and snapshot, raw bytes as captured.

Strategy: write-ahead log, one short transaction a call, so that several processes write at once,
readers never wait, and `kill -9` loses at most the call it interrupted. A request builds on an
earlier one of its session (`bodies`); an exchange put again before it has ended goes beside its
row, so that a long answer under way costs its own bytes only. Application id and format
version stand in SQLite's own header, so a foreign or newer file is known before it is touched.
Nothing is redacted here: `inspector.redact` runs before `put`.
"""

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from inspector import record
from inspector.errors import BadInput
from inspector.session import Exchange, Recording, Session, Snapshot
from inspector.store.bodies import Row
from inspector.store.file import PATIENCE_MS, connected
from inspector.store.rows import SELECT, Rows, exchange, row_of

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_MADE_BY_USERS = ("run", "proxy", "import")
LOOK_SECONDS = 0.5
"""Between two looks whether the file is still there."""


class Busy(BadInput):
    """Another process writes, and the caller would not wait."""


class Renewed(BadInput):
    """The store's file went away while it was in use; a new one stands in its place."""


class Store:
    """An open store; safe to share between threads."""

    _last_id: ClassVar[int] = 0
    _id_lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `Store.open`."""
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()
        self._place = _place(path)
        self._look = 0.0
        """When to see next whether the file is still there."""
        self._written = Rows()
        self._waiting: dict[str, Exchange] | None = None
        """Inside `together`: what is to be written at its end."""
        self._sessions: dict[str, Session] = {}

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
        return time_part + "".join(_ALPHABET[byte & 31] for byte in secrets.token_bytes(4))

    def put_session(self, session: Session) -> None:
        """Insert a session, or update it under its id."""
        data = record.dump(record.session_data(session))
        with self._writing() as connection:
            self._sessions[session.id] = session
            connection.execute(
                "INSERT INTO session (id, source, conversation, data) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET source = excluded.source,"
                " conversation = excluded.conversation, data = excluded.data",
                (session.id, session.source, session.conversation, data),
            )

    def put(self, exchange: Exchange) -> None:
        """Insert an exchange, or replace the one with its id; redact it before."""
        with self._lock:
            if self._waiting is not None:
                self._waiting[exchange.id] = exchange
                return
            with self._writing() as connection:
                self._written.put(connection, exchange)

    @contextmanager
    def together(self, patient: bool = True) -> Generator[None]:
        """Write all that is put inside in one transaction; a fault inside loses nothing of it.

        Raises `Busy` at once where another process writes and `patient` is false.
        """
        with self._lock:
            if self._waiting is not None:
                yield
                return
            fault: Exception | None = None
            with self._writing(patient=patient) as connection:
                self._waiting = {}
                try:
                    yield
                except Exception as error:  # noqa: BLE001 - raised again when the rest is written
                    fault = error
                finally:
                    waiting, self._waiting = self._waiting, None
                for one in waiting.values():
                    self._written.put(connection, one)
            if fault is not None:
                raise fault

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
            self._written.forget(session_id)
            connection.execute(
                "DELETE FROM partial WHERE id IN (SELECT id FROM exchange WHERE session = ?)",
                (session_id,),
            )
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
        rows = self._rows(f"{SELECT} WHERE e.id = ?", exchange_id)
        if not rows:
            raise BadInput(f"{exchange_id}: no such exchange in {self.path}; see `inspector show`")
        return self._exchange(rows[0])

    def sessions(self) -> list[Session]:
        """All sessions, newest last."""
        return [self._session(row) for row in self._rows("SELECT data FROM session ORDER BY place")]

    def exchanges(self, session_id: str) -> tuple[Exchange, ...]:
        """The exchanges of a session, in order."""
        rows = self._rows(f"{SELECT} WHERE e.session = ? ORDER BY e.number, e.id", session_id)
        found: dict[str, Exchange] = {}

        def base(name: str) -> Row:
            # Mostly the exchange read just before.
            known = found.get(name)
            return (None, 0, 0, known.request) if known else row_of(self._connection, name)

        for row in rows:
            one = self._exchange(row, base)
            found[one.id] = one
        return tuple(found.values())

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

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock:
            return self._read(lambda: self._connection.execute(query, values).fetchall())

    def _session(self, row: tuple[bytes]) -> Session:
        return self._read(lambda: record.session_from(json.loads(row[0])))

    def _exchange(self, row: tuple[Any, ...], base: Callable[[str], Row] | None = None) -> Exchange:
        return self._read(lambda: exchange(row, base or partial(row_of, self._connection)))

    def _read[Value](self, read: Callable[[], Value]) -> Value:
        try:
            return read()
        except (sqlite3.Error, ValueError) as error:
            raise BadInput(
                f"{self.path}: the store is damaged ({error}); capture into another --store"
            ) from error

    @contextmanager
    def _writing(self, *, patient: bool = True) -> Generator[sqlite3.Connection]:
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            try:
                self._find_again()
                self._begin(patient=patient)
                try:
                    yield self._connection
                except BaseException:
                    self._undo()
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._undo()
                raise BadInput(
                    f"{self.path}: writing failed ({error}); check space and permissions"
                ) from error

    def _begin(self, *, patient: bool) -> None:
        if patient:
            self._connection.execute("BEGIN IMMEDIATE")
            return
        self._connection.execute("PRAGMA busy_timeout = 0")
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise Busy(f"{self.path}: another process writes; try again") from error
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")

    def _undo(self) -> None:
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        self._written.forget()

    def _find_again(self) -> None:
        """Begin a new file where ours was deleted or replaced; raises `Renewed` then, once."""
        clock = time.monotonic()
        if clock < self._look:
            return
        self._look = clock + LOOK_SECONDS
        if _place(self.path) == self._place:
            return
        with suppress(sqlite3.Error):
            self._connection.close()
        self._written.forget()
        self._connection = connected(self.path, create=True)
        self._place = _place(self.path)
        for session in tuple(self._sessions.values()):
            self.put_session(session)
        raise Renewed(f"{self.path}: deleted while in use; a new store was begun there")


def _place(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
