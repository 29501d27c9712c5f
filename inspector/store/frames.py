"""The pieces of the store: each distinct text once, many to a frame.

A frame is a row: the number of its first piece, their sizes, their bytes compressed together.
Numbers are given once and never again, so that whoever remembers one is never wrong about what it
names, only about whether it is still there. Pieces worth finding again are known by digest.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType

from inspector.store import refs
from inspector.store.zst import Press, plain

WORTH = 96
"""Bytes from which on a piece is looked for among those that are there."""
DIGEST = 20
"""Bytes of a piece's SHA-256 that are kept."""
_LARGE = 4 * 1024 * 1024
"""Bytes from which on a copy of a row is not left in memory."""
_KEPT = 64 * 1024 * 1024
"""Bytes of pieces read that are remembered."""
_ADD = "INSERT INTO frame (id, sizes, data, packed) SELECT ?, ?, ?, ?"


def digest(piece: bytes | memoryview) -> bytes:
    """What a piece is known by."""
    return sha256(piece).digest()[:DIGEST]


def add(
    connection: sqlite3.Connection,
    pieces: Sequence[bytes],
    press: Press,
    *,
    packed: bool = False,
) -> int:
    """Write a frame; the number of its first piece."""
    query = "UPDATE counter SET next = next + ? RETURNING next"
    first = int(connection.execute(query, (len(pieces),)).fetchone()[0]) - len(pieces)
    data = press(b"".join(pieces))
    values = (first, refs.sizes(map(len, pieces)), data, packed)
    connection.execute(f"{_ADD} WHERE ?", (*values, True))
    if len(data) > _LARGE:
        # SQLite keeps a copy of the last values until others come; these insert nothing.
        connection.execute(f"{_ADD} WHERE ?", (*[None] * 4, False))
    return first


def kept(
    connection: sqlite3.Connection,
    pieces: Sequence[bytes],
    press: Press,
    stood: Mapping[bytes, int] = MappingProxyType({}),
) -> list[int]:
    """The numbers of pieces; those that are not there are written, in one frame.

    `stood` are some that are sure to be there.
    """
    out: list[int | None] = []
    new: dict[bytes, int] = {}
    """By digest, or by the bytes of a small one: its place in the frame."""
    fresh: list[bytes] = []
    places: list[int] = []
    names: list[tuple[bytes, int]] = []
    for piece in pieces:
        if (there := stood.get(piece)) is not None:
            out.append(there)
            continue
        name = digest(piece) if len(piece) >= WORTH else piece
        place = new.get(name)
        if place is None and name is not piece and (there := find(connection, name)) is not None:
            out.append(there)
            continue
        if place is None:
            place = new[name] = len(fresh)
            fresh.append(piece)
            if name is not piece:
                names.append((name, place))
        out.append(None)
        places.append(place)
    first = add(connection, fresh, press) if fresh else 0
    if names:
        connection.executemany(
            "INSERT OR REPLACE INTO known (digest, piece) VALUES (?, ?)",
            [(name, first + place) for name, place in names],
        )
    rest = iter(places)
    return [first + next(rest) if number is None else number for number in out]


def find(connection: sqlite3.Connection, name: bytes) -> int | None:
    """The number of the piece with a digest."""
    row = connection.execute("SELECT piece FROM known WHERE digest = ?", (name,)).fetchone()
    return None if row is None else int(row[0])


class Pieces:
    """Reads pieces; remembers those read last."""

    def __init__(self) -> None:
        """Nothing has been read yet."""
        self._read: dict[int, memoryview] = {}
        self._size = 0

    def joined(self, connection: sqlite3.Connection, wanted: Sequence[int]) -> bytes:
        """The bytes of some pieces, in this order. Raises `ValueError` if one is not there."""
        if self._size > _KEPT:
            self._read.clear()
            self._size = 0
        known = self._read
        missing = [number for number in wanted if number not in known]
        if missing:
            self._load(connection, min(missing), max(missing), len(missing))
            for number in missing:
                if number not in known:
                    self._one(connection, number)
        return b"".join(map(known.__getitem__, wanted))

    def _load(self, connection: sqlite3.Connection, low: int, high: int, count: int) -> None:
        """Read frames that follow one another at once, where most of them are wanted."""
        if count < 2 or high - low > 4 * count:
            return
        query = "SELECT id, sizes, data FROM frame WHERE id BETWEEN ? AND ? ORDER BY id"
        for row in connection.execute(query, (low, high)):
            if row[0] not in self._read:
                self._take(row)

    def _one(self, connection: sqlite3.Connection, number: int) -> None:
        query = "SELECT id, sizes, data FROM frame WHERE id <= ? ORDER BY id DESC LIMIT 1"
        row = connection.execute(query, (number,)).fetchone()
        if row is not None:
            self._take(row)
        if number not in self._read:
            raise ValueError(f"piece {number} is gone")

    def _take(self, row: tuple[int, bytes, bytes]) -> None:
        for number, piece in split(row):
            self._read[number] = piece
            self._size += len(piece)


def split(row: tuple[int, bytes, bytes]) -> Iterable[tuple[int, memoryview]]:
    """The numbers and bytes of a frame's pieces. Raises `ValueError` for a damaged frame."""
    first, lengths, data = row
    text = memoryview(plain(data))
    done = 0
    for place, size in enumerate(refs.read_sizes(lengths)):
        yield first + place, text[done : done + size]
        done += size
    if done != len(text):
        raise ValueError(f"frame {first} does not have the size that it names")
