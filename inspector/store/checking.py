"""Whether a store holds what was put: every digest computed again, every row read."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from inspector import record
from inspector.store import frames
from inspector.store.looking import SELECT, Looking

_MOST = 100
"""Faults told of one kind."""


@dataclass(slots=True)
class Checked:
    """What was looked at, and what is wrong."""

    sessions: int = 0
    exchanges: int = 0
    frames: int = 0
    pieces: int = 0
    faults: list[str] = field(default_factory=list[str])


def check(connection: sqlite3.Connection, progress: Callable[[int, int], None]) -> Checked:
    """Look at everything; inside one transaction. `progress` is told exchanges, done and all."""
    done = Checked()
    rows = connection.execute(f"PRAGMA integrity_check({_MOST})").fetchall()
    done.faults += [f"the file: {row[0]}" for row in rows if row[0] != "ok"]
    _frames(connection, done)
    total = connection.execute("SELECT count(*) FROM exchange").fetchone()[0]
    looking = Looking(connection)
    query = f"{SELECT} ORDER BY e.session, e.number"
    for row in connection.execute(query):
        done.exchanges += 1
        done.faults += _exchange(looking, row)
        progress(done.exchanges, total)
    _told(connection, looking, done)
    return done


def _frames(connection: sqlite3.Connection, done: Checked) -> None:
    known: dict[int, list[bytes]] = {}
    for name, number in connection.execute("SELECT digest, piece FROM known"):
        known.setdefault(number, []).append(name)
    for row in connection.execute("SELECT id, sizes, data FROM frame"):
        done.frames += 1
        try:
            for number, piece in frames.split(row):
                done.pieces += 1
                if any(name != frames.digest(piece) for name in known.pop(number, ())):
                    done.faults.append(f"piece {number}: not the text that its digest names")
        except ValueError as error:
            done.faults.append(f"frame {row[0]}: {error}")
    done.faults += [f"piece {number}: known, and in no frame" for number in known]


def _exchange(looking: Looking, row: tuple[Any, ...]) -> Iterator[str]:
    try:
        found = looking.exchange(row)
    except ValueError as error:
        yield f"exchange {row[0]}: {error}"
        return
    digest = sha256(found.request).hexdigest()
    sent = found.request_sha256
    if found.intact and len(sent) == len(digest) and sent != digest:
        yield f"exchange {row[0]}: its request is not the one that was sent"


def _told(connection: sqlite3.Connection, looking: Looking, done: Checked) -> None:
    for name, data in connection.execute("SELECT id, data FROM session"):
        done.sessions += 1
        try:
            record.session_from(json.loads(data))
        except ValueError as error:
            done.faults.append(f"session {name}: {error}")
    for name, data, form in connection.execute("SELECT session, data, form FROM snapshot"):
        try:
            record.snapshot_from(json.loads(looking.snapshot(data, form)))
        except ValueError as error:
            done.faults.append(f"snapshot of {name}: {error}")
