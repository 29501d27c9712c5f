"""The link to a store's file: one short transaction a call, and what to do where the file is gone.

Strategy: write-ahead log, so that several processes write at once, readers never wait, and
`kill -9` loses at most the call it interrupted.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from inspector.errors import BadInput
from inspector.store.file import PATIENCE_MS, connected

LOOK_SECONDS = 0.5
"""Between two looks whether the file is still there."""


class Busy(BadInput):
    """Another process writes, and the caller would not wait."""


class Renewed(BadInput):
    """The store's file went away while it was in use; a new one stands in its place."""


class Link:
    """An open file; safe to share between threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Use `Store.open`."""
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()
        self._place = _place(path)
        self._look = 0.0
        """When to see next whether the file is there."""
        self._waits = ""
        """Why the file cannot be written; it is opened anew when it can."""
        self._patient = True
        """Whether SQLite waits for other processes; to say so anew each time costs a statement."""

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

    def _rows(self, query: str, *values: object) -> list[Any]:
        if any(isinstance(value, str) and not _is_text(value) for value in values):
            return []  # bytes of a command line that are no text: nothing here has such a name
        with self._lock:
            self._wait(patient=True)
            return self._read(lambda: self._connection.execute(query, values).fetchall())

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
                self._find_again(patient=patient)
                self._begin(patient=patient)
                try:
                    yield self._connection
                except BaseException:
                    self._undo()
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._undo()
                fault = f"{self.path}: writing failed ({error}); check space and permissions"
                if _read_only(error):
                    self._waits = fault
                raise BadInput(fault) from error

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        """One moment of the store, whatever other processes write meanwhile."""
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            self._wait(patient=True)
            self._read(lambda: self._connection.execute("BEGIN"))
            try:
                yield self._connection
            finally:
                with suppress(sqlite3.Error):
                    self._connection.execute("COMMIT")

    def _begin(self, *, patient: bool) -> None:
        self._wait(patient=patient)
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if patient or error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise Busy(f"{self.path}: another process writes; try again") from error

    def _wait(self, *, patient: bool) -> None:
        """Whether SQLite is to wait for other processes from here on."""
        if patient is not self._patient:
            self._connection.execute(f"PRAGMA busy_timeout = {PATIENCE_MS if patient else 0}")
            self._patient = patient

    def _undo(self) -> None:
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        self._forget()

    def check(self) -> None:
        """Raises `BadInput` where nothing can be written, `Renewed` where the file went away."""
        with self._lock:
            self._look = 0.0
            with self._writing():
                pass

    def _find_again(self, *, patient: bool) -> None:
        """Begin a new file where ours was deleted or replaced; raises `Renewed` then, once.

        One that could not be written is opened anew.
        """
        clock = time.monotonic()
        if clock < self._look:
            if self._waits:
                raise BadInput(self._waits)
            return
        if self._waits and not patient:
            raise Busy(self._waits)  # to open a file may take a while
        self._look = clock + LOOK_SECONDS
        if self._waits:
            self._open_anew()
        elif _place(self.path) != self._place:
            self._open_anew()
            raise Renewed(f"{self.path}: deleted while in use; a new store was begun there")

    def _open_anew(self) -> None:
        """Open the file in place of what was open, and write there what every file must hold."""
        try:
            connection = connected(self.path, create=True)
            with suppress(sqlite3.Error):
                self._connection.close()
            self._forget()
            self._connection, self._place, self._waits = connection, _place(self.path), ""
            self._patient = True
            self._renew()
        except BadInput as error:
            self._waits = str(error)
            raise

    def _forget(self) -> None:
        """Nothing that was written before can be relied on any more."""

    def _renew(self) -> None:
        """A new file has been begun."""


def _read_only(error: sqlite3.Error) -> bool:
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) == sqlite3.SQLITE_READONLY


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _place(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
