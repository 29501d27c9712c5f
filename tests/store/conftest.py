"""Stores as earlier inspectors left them."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import record
from inspector.session import Exchange, FileVersion, Session, Snapshot
from inspector.workspace import Environment

SNAPSHOT = Snapshot(
    Environment(
        client="codex", version="1", cwd="/w", home="/h", config_home="/h/.codex", date="2026-11-29"
    ),
    {"/w/AGENTS.md": (FileVersion("", b"# R\n"),)},
)
TURNS = [b"turn %d;" % turn for turn in range(9)]


def grown(count: int) -> list[bytes]:
    start, end = b"start " * 2000, b" end" * 2000
    return [start + b"".join(b"turn %d;" % turn for turn in range(n)) + end for n in range(count)]


ROW = Exchange("e", "s", 1, "POST", "https://h/v1", (), b"", b"", "", "", ended="later")
EXCHANGES = """
CREATE TABLE session (
  place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, source TEXT NOT NULL,
  conversation TEXT, data BLOB NOT NULL);
CREATE TABLE exchange (
  id TEXT PRIMARY KEY NOT NULL, session TEXT NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL,
  request BLOB NOT NULL, wire BLOB, response BLOB NOT NULL);
CREATE TABLE snapshot (session TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL);
"""
BASES = """
ALTER TABLE exchange ADD COLUMN base TEXT;
ALTER TABLE exchange ADD COLUMN head INTEGER NOT NULL DEFAULT 0;
ALTER TABLE exchange ADD COLUMN tail INTEGER NOT NULL DEFAULT 0;
CREATE TABLE partial (id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, response BLOB NOT NULL);
"""
LATER = (
    "CREATE TABLE later"
    " (place INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, data BLOB NOT NULL);"
)


@pytest.fixture
def earlier(tmp_path: Path) -> Callable[[int], tuple[Path, list[Exchange]]]:
    """Makes a store as an earlier inspector left it."""

    def make(number: int) -> tuple[Path, list[Exchange]]:
        path = tmp_path / f"{number}.db"
        found = [
            replace(ROW, id=f"e{n}", number=n, request=body, request_wire=body, response=b"ok")
            for n, body in enumerate(grown(4))
        ]
        connection = sqlite3.connect(path)
        tables = EXCHANGES + (BASES if number > 1 else "") + (LATER if number > 2 else "")
        connection.executescript(
            f"{tables} PRAGMA application_id = 0x496E7370; PRAGMA user_version = {number}"
        )
        session = record.dump(record.session_data(Session("s", "other", "", "tls", "")))
        connection.execute("INSERT INTO session VALUES (1, 's', 'run', NULL, ?)", (session,))
        snapshot = record.dump(record.snapshot_data(SNAPSHOT))
        connection.execute("INSERT INTO snapshot VALUES ('s', ?)", (snapshot,))
        for place, one in enumerate(found):
            data = record.dump(record.exchange_data(one))
            start = (one.id, "s", place, data)
            whole = (*start, one.request, None, one.response)
            if number == 1:
                connection.execute(f"INSERT INTO exchange VALUES ({','.join('?' * 7)})", whole)
                continue
            head, tail = 12_000 + sum(map(len, TURNS[: place - 1])), 8_000
            middle = one.request[head : len(one.request) - tail]
            base = (None, 0, 0) if not place else (found[place - 1].id, head, tail)
            values = (*start, middle if place else one.request, None, one.response, *base)
            connection.execute(f"INSERT INTO exchange VALUES ({','.join('?' * 10)})", values)
        connection.commit()
        connection.close()
        return path, found

    return make
