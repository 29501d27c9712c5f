"""Opening the store's file: what it must be, and making it."""

import errno
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from inspector.errors import BadInput

FORMAT = 4
PATIENCE_MS = 30_000
"""How long a write waits for another process."""
_PAGE = 1024
"""Bytes of a page of a new file: most rows are small, and a page that changes is logged whole."""
_LOG_PAGES = 16_000
"""Pages of the log after which they go into the file: those written again and again go once."""
_APPLICATION = 0x496E7370  # "Insp"
_TABLES = """
CREATE TABLE session (
  place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, source TEXT NOT NULL,
  conversation TEXT, data BLOB NOT NULL);
CREATE INDEX session_conversation ON session (conversation);
CREATE TABLE exchange (
  id TEXT PRIMARY KEY NOT NULL, session TEXT NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL,
  request BLOB NOT NULL, wire BLOB, response BLOB NOT NULL, base TEXT,
  head INTEGER NOT NULL DEFAULT 0, tail INTEGER NOT NULL DEFAULT 0);
CREATE INDEX exchange_session ON exchange (session, number);
CREATE TABLE snapshot (session TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL);
CREATE TABLE partial (id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, response BLOB NOT NULL);
"""
_LATER = """
CREATE TABLE later (
  place INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX later_session ON later (session);
"""
_FROM_1 = """
ALTER TABLE exchange ADD COLUMN base TEXT;
ALTER TABLE exchange ADD COLUMN head INTEGER NOT NULL DEFAULT 0;
ALTER TABLE exchange ADD COLUMN tail INTEGER NOT NULL DEFAULT 0;
CREATE TABLE partial (id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, response BLOB NOT NULL);
"""
_PIECES = """
ALTER TABLE exchange ADD COLUMN form INTEGER NOT NULL DEFAULT 0;
ALTER TABLE exchange ADD COLUMN words INTEGER;
ALTER TABLE snapshot ADD COLUMN form INTEGER NOT NULL DEFAULT 0;
CREATE TABLE frame (
  id INTEGER PRIMARY KEY, sizes BLOB NOT NULL, data BLOB NOT NULL,
  packed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE known (digest BLOB PRIMARY KEY, piece INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE counter (next INTEGER NOT NULL);
INSERT INTO counter VALUES (1);
"""
"""Rows of earlier formats stay as they are: `form` 0."""
_STEPS = {
    0: _TABLES + _LATER + _PIECES,
    1: _FROM_1 + _LATER + _PIECES,
    2: _LATER + _PIECES,
    3: _PIECES,
    FORMAT: "",
}
"""What makes a store of each format one of ours; 0: of an empty file."""


_TYPOS = (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EINVAL, errno.ELOOP)
"""What only another path mends."""
_PASSING = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


class Unwritable(BadInput):
    """A store that cannot be written now; once the disk or its rights are mended, it may."""


def connected(path: Path, *, create: bool) -> sqlite3.Connection:
    """A connection to a store. Raises `BadInput` for another file, which stays as it is."""
    try:
        _check_file(path, create=create)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        made = not path.exists()
        if made:
            # What agents read is private; the log beside the file takes its mode from it.
            path.touch(mode=0o600)
        connection = sqlite3.connect(
            path, timeout=30, isolation_level=None, check_same_thread=False
        )
    except (sqlite3.Error, OSError) as error:
        typo = isinstance(error, OSError) and error.errno in _TYPOS
        raise (BadInput if typo else Unwritable)(
            f"{path}: the store cannot be opened ({error}); give another --store"
        ) from error
    try:
        _prepare(path, connection)
    except sqlite3.Error as error:
        connection.close()
        if not create and (still := _still(path)) is not None:
            return still
        if made:
            _take_back(path)
        raise (Unwritable if passing(error) else BadInput)(
            f"{path}: the store cannot be used ({error}); give another --store"
        ) from error
    except BadInput:
        connection.close()
        raise
    return connection


def passing(error: sqlite3.Error) -> bool:
    """Whether a fault is one of the place, not of what the file holds."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _PASSING


def _take_back(path: Path) -> None:
    """Remove the file that was just made and holds nothing, so that it is not taken for a store."""
    with suppress(OSError):
        if not path.stat().st_size:
            path.unlink()


def nowhere() -> sqlite3.Connection:
    """A store without a file, in which nothing stands: for one that cannot be opened yet."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.executescript(_STEPS[0])
    return connection


def _still(path: Path) -> sqlite3.Connection | None:
    """A store where nothing can be written, read as it stands; None where its log is not in it."""
    log = path.with_name(f"{path.name}-wal")
    if os.access(path.parent, os.W_OK) or (log.exists() and log.stat().st_size):
        return None
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    try:
        if _format(path, connection) == FORMAT:
            return connection
    except sqlite3.Error:
        pass
    connection.close()
    return None


def _check_file(path: Path, *, create: bool) -> None:
    if path.is_dir():
        raise BadInput(f"{path}: a folder, not a store; give a file")
    if not path.exists():
        if create:
            return
        raise BadInput(
            f"{path}: no store there; capture with `inspector run` first, or give --store"
        )
    try:
        with path.open("rb") as file:
            start = file.read(16)
    except OSError as error:
        raise Unwritable(
            f"{path}: the store cannot be read ({error.strerror}); give another --store"
        ) from error
    if not start and not create:
        raise BadInput(f"{path}: an empty file, not a store; give another --store")
    if start and start != b"SQLite format 3\x00":
        raise BadInput(f"{path}: not a store; give another --store")


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
    before = _format(path, connection)
    if not before:
        # The journal mode is changed outside a transaction; only one of two makers gets to do it.
        connection.execute(f"PRAGMA page_size = {_PAGE}")
        _insist(lambda: connection.execute("PRAGMA journal_mode = WAL"))
    if before != FORMAT:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _STEPS[_format(path, connection)].split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")


def _format(path: Path, connection: sqlite3.Connection) -> int:
    """The format of a store; 0 for an empty file. Raises `BadInput` for any other."""
    application, version, anything = _header(connection)
    if application == _APPLICATION and version > FORMAT:
        raise BadInput(
            f"{path}: store format {version}, this inspector reads up to {FORMAT};"
            " update it, or give another --store"
        )
    if application == _APPLICATION and version > 0:
        return int(version)
    if application or version or anything:
        raise BadInput(f"{path}: an SQLite database of another program; give another --store")
    return 0


def _header(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Application id, user version and number of schema entries, all of one moment.

    Read one after the other, they could stand before and after another process makes the store.
    """
    row = connection.execute(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    return int(row[0]), int(row[1]), int(row[2])


def _insist(act: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            act()
        except sqlite3.OperationalError as error:
            busy = (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
