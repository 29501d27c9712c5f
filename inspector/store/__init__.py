"""The store: one SQLite file with every session, exchange and snapshot, raw bytes as captured.

Strategy: write-ahead log, one short transaction a call, so that several processes write at once,
readers never wait, and `kill -9` loses at most the call it interrupted (a power cut: the last
seconds, never the file: synchronous NORMAL). Texts are kept once, in compressed frames (`frames`);
a request names them by way of an earlier one of its session (`bodies`). An exchange put again
before it has ended goes beside its row, so that a long answer under way costs its own bytes only.
Application id and format version stand in SQLite's own header, so a foreign or newer file is
known before it is touched. Nothing is redacted here: `inspector.redact` runs before `put`.
"""

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from inspector import record
from inspector.errors import BadInput
from inspector.session import Exchange, Session, Snapshot
from inspector.store import ids
from inspector.store.checking import Checked, check
from inspector.store.file import Unwritable, connected, nowhere
from inspector.store.link import Busy, Renewed
from inspector.store.reading import Reading
from inspector.store.rows import Rows
from inspector.store.upkeep import Packing, sweep, weights

__all__ = ["Busy", "Checked", "Renewed", "Store"]

_LATER = ("files", "folders", "listings", "notes")
"""What a later look can see of a snapshot."""


class Store(Reading):
    """An open store; safe to share between threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `Store.open`."""
        super().__init__(path, connection)
        self._written = Rows()
        self._sessions: dict[str, Session] = {}

    @classmethod
    def open(cls, path: Path, *, create: bool = True, later: bool = False) -> "Store":
        """Open a store, making it when it is not there and `create` says so.

        Raises `BadInput` for a file that is no store or is from a newer version; it stays as it is.
        With `later`, one that only cannot be written now is opened all the same: writing raises
        until it can be.
        """
        path = Path(path)
        try:
            return cls(path, connected(path, create=create))
        except Unwritable as fault:
            if not later:
                raise
            opened = cls(path, nowhere())
            opened._waits = str(fault)
            return opened

    @staticmethod
    def new_id() -> str:
        """A short id; later ones of one machine sort after earlier ones."""
        return ids.new()

    def put_session(self, session: Session) -> None:
        """Insert a session, or update it under its id."""
        data = record.dump(record.session_data(session))
        self._sessions[session.id] = session
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO session (id, source, conversation, data) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET source = excluded.source,"
                " conversation = excluded.conversation, data = excluded.data",
                (session.id, session.source, session.conversation, data),
            )

    def put(self, exchange: Exchange) -> None:
        """Insert an exchange, or replace the one with its id; redact it before."""
        with self._writing() as connection:
            self._written.put(connection, exchange)

    @contextmanager
    def together(self, patient: bool = True) -> Generator[None]:
        """Write all that is put inside in one transaction; a fault inside loses nothing of it.

        Raises `Busy` at once where another process writes and `patient` is false.
        """
        with self._lock:
            if self._connection.in_transaction:
                yield
                return
            fault: Exception | None = None
            with self._writing(patient=patient):
                try:
                    yield
                except sqlite3.Error:  # nothing of it is sure to be there
                    raise
                except Exception as error:  # noqa: BLE001 - raised again when the rest is written
                    fault = error
            if fault is not None:
                raise fault

    def put_snapshot(self, session_id: str, snapshot: Snapshot) -> None:
        """Keep a session's snapshot, in place of the one kept before."""
        data = record.dump(record.snapshot_data(snapshot))
        with self._writing() as connection:
            self._written.put_snapshot(connection, session_id, data)
            connection.execute("DELETE FROM later WHERE session = ?", (session_id,))

    def put_later(self, session_id: str, seen: Snapshot) -> bool:
        """Keep what a later look saw beside a session's snapshot; whether there is one."""
        whole = record.snapshot_data(seen)
        data = self._written.pressed(record.dump({name: whole[name] for name in _LATER}))
        with self._writing() as connection:
            there = "SELECT ?, ? WHERE EXISTS (SELECT 1 FROM snapshot WHERE session = ?)"
            values = (session_id, data, session_id)
            added = connection.execute(f"INSERT INTO later (session, data) {there}", values)
            return added.rowcount > 0

    def remove(self, session_id: str) -> None:
        """Delete a session with its exchanges and its snapshot; none of that name is fine."""
        self._sessions.pop(session_id, None)
        with self._writing() as connection:
            self._written.forget(session_id)
            connection.execute(
                "DELETE FROM partial WHERE id IN (SELECT id FROM exchange WHERE session = ?)",
                (session_id,),
            )
            connection.execute("DELETE FROM exchange WHERE session = ?", (session_id,))
            connection.execute("DELETE FROM snapshot WHERE session = ?", (session_id,))
            connection.execute("DELETE FROM later WHERE session = ?", (session_id,))
            connection.execute("DELETE FROM session WHERE id = ?", (session_id,))

    def weights(self) -> dict[str, int]:
        """By session, oldest first, the bytes that go with it once all older ones are gone."""
        with self._reading() as connection:
            return self._read(lambda: weights(connection))

    def gc(self) -> int:
        """Let go of texts that nothing names any more; how many frames of them went."""
        with self._writing() as connection:
            return self._read(lambda: sweep(connection))

    def pack(self, progress: Callable[[int, int], None] = lambda _done, _all: None) -> None:
        """Write all texts anew, compressed as far as they go; rows of earlier formats too.

        One transaction a session; `progress` is told sessions, done and all.
        """
        found = [session.id for session in self.sessions()]
        stray = self._rows(
            "SELECT DISTINCT session FROM exchange WHERE session NOT IN (SELECT id FROM session)"
        )
        found += [row[0] for row in stray]
        packing = Packing()
        for place, name in enumerate(found):
            with self._writing() as connection:
                self._read(partial(packing.session, connection, name))
            progress(place + 1, len(found))
        self.vacuum()

    def fsck(self, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Checked:
        """Read everything and compute every digest again; `progress` is told exchanges."""
        with self._reading() as connection:
            return self._read(lambda: check(connection, progress))

    def vacuum(self) -> None:
        """Give the space of what was removed back to the file system, and its bytes with it."""
        self.gc()
        with self._lock:
            try:
                self._wait(patient=True)
                self._connection.execute("VACUUM")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                raise BadInput(
                    f"{self.path}: removed, but the file could not shrink ({error}); try again"
                ) from error

    def _forget(self) -> None:
        self._written.forget()

    def _renew(self) -> None:
        for session in tuple(self._sessions.values()):
            self.put_session(session)
