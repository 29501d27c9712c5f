"""Letting go of what nothing names, packing what stays, and finding what is damaged."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from inspector.session import Exchange, Session
from inspector.store import Store
from tests.bench import made

ROW = Exchange("e", "s", 1, "POST", "https://h/v1", (("a", "b" * 400),), b"", b"", "", "", ended="later")  # fmt: skip


def row(number: int, body: bytes, session: str = "s") -> Exchange:
    return replace(
        ROW, id=f"{session}{number}", number=number, request=body, request_wire=body,
        session=session, request_sha256=sha256(body).hexdigest(), response=body[:700] * (number % 3),
    )  # fmt: skip


def put(store: Store, session: str, bodies: list[bytes]) -> tuple[Exchange, ...]:
    store.put_session(Session(session, "other", "", "tls", ""))
    found = tuple(row(number, body, session) for number, body in enumerate(bodies, 1))
    for one in found:
        store.put(one)
    return found


def count(store: Store, table: str) -> int:
    return int(store._rows(f"SELECT count(*) FROM {table}")[0][0])


def test_texts_that_only_a_removed_session_named_go_with_it(tmp_path: Path) -> None:
    bodies = made.bodies(60_000, 6)
    other = made.bodies(70_000, 6)
    with Store.open(tmp_path / "s.db") as store:
        kept = put(store, "a", bodies)
        alone, frames = store.used(), count(store, "frame")
        put(store, "b", bodies)
        assert store.used() < alone + 16_000  # nothing but its rows
        put(store, "c", other)
        assert store.weights()["c"] > store.weights()["b"] > 0
        store.remove("c")
        store.remove("b")
        before = count(store, "frame")
        assert store.gc() == before - frames
        assert store.gc() == 0
        assert store.exchanges("a") == kept
        assert store.fsck().faults == []
        store.vacuum()
        assert store.used() <= alone + 1024
        store.remove("a")
        store.vacuum()
        assert (count(store, "frame"), count(store, "known")) == (0, 0)


def test_packing_changes_no_byte_and_takes_less(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store.open(path) as store:
        held = {
            "a": put(store, "a", made.bodies(60_000, 90)),
            "b": put(store, "b", made.bodies(60_000, 3)),
        }
        held["c"] = put(
            store, "c", [b"{}", b"x" * 5000, bytes(range(256)) * 900, b"", b'"' * 70_000]
        )
        before = store.used()
        told: list[tuple[int, int]] = []
        store.pack(lambda done, all_: told.append((done, all_)))
        assert told == [(1, 3), (2, 3), (3, 3)]
        assert {name: store.exchanges(name) for name in held} == held
        assert store.used() < before
        first = store.used()
        store.pack()
        assert store.used() <= first
        assert store.fsck().faults == []
        later = row(91, held["a"][-1].request + b" and more", "a")
        store.put(later)
        assert store.exchanges("a") == (*held["a"], later)
        assert store.used() < first + 12_000
    with Store.open(path) as store:
        assert {name: store.exchanges(name) for name in held if name != "a"} == {
            name: held[name] for name in "bc"
        }


def test_a_process_that_writes_on_after_another_packed_names_what_is_there_now(
    tmp_path: Path,
) -> None:
    bodies = made.bodies(60_000, 9)
    with Store.open(tmp_path / "s.db") as one, Store.open(tmp_path / "s.db") as other:
        kept = put(one, "a", bodies[:4])
        other.pack()
        more = tuple(row(number, body, "a") for number, body in enumerate(bodies[4:], 5))
        for exchange in more:
            one.put(exchange)
        other.gc()
        assert one.exchanges("a") == other.exchanges("a") == (*kept, *more)
        other.remove("a")
        other.vacuum()
        one.put(more[-1])
        assert other.exchanges("a") == (more[-1],)
        assert other.fsck().faults == []


def damage(store: Store, statement: str) -> None:
    connection = sqlite3.connect(store.path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE frame SET data = CAST(substr(data, 1, 40) || x'00' || substr(data, 42) AS BLOB) WHERE id = (SELECT max(id) FROM frame)", "frame .* damaged"),
        ("DELETE FROM frame WHERE id = (SELECT min(id) FROM frame)", "exchange a1: piece 1 is gone"),
        ("UPDATE known SET piece = piece + 1 WHERE piece = (SELECT min(piece) FROM known)", r"piece \d+: not the text"),
        ("DELETE FROM exchange WHERE id = 'a2'", "exchange a3: the request it builds on is gone"),
        ("UPDATE exchange SET data = x'00' WHERE id = 'a2'", "exchange a2: a frame is damaged"),
        ("UPDATE exchange SET head = head - 1 WHERE id = 'a4'", "exchange a4: its request is not the one"),
        ("UPDATE session SET data = '[]'", "session a:"),
    ],
)  # fmt: skip
def test_what_is_damaged_is_named(tmp_path: Path, statement: str, told: str) -> None:
    with Store.open(tmp_path / "s.db") as store:
        put(store, "a", made.bodies(60_000, 5))
        assert store.fsck().faults == []
        damage(store, statement)
    with Store.open(tmp_path / "s.db") as store:
        faults = store.fsck().faults
        assert any(re.match(told, fault) for fault in faults), faults


PACKER = """
import sys
from pathlib import Path
from inspector.store import Store
with Store.open(Path(sys.argv[1])) as store:
    print("ready", flush=True)
    while True:
        store.pack(lambda *_: print("packed", flush=True))
        with store._writing() as connection:
            connection.execute("UPDATE exchange SET form = 1 WHERE form = 3")
            connection.execute("UPDATE frame SET packed = 0")
"""


def test_a_kill_while_packing_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store.open(path) as store:
        held = {
            name: put(store, name, made.bodies(size, 4))
            for name, size in (("a", 9_000), ("b", 12_000))
        }
    chance = random.Random(7)
    for _ in range(6):
        packer = subprocess.Popen([sys.executable, "-c", PACKER, str(path)], stdout=subprocess.PIPE)
        assert packer.stdout is not None
        for _ in range(chance.randint(1, 5)):
            packer.stdout.readline()
        os.kill(packer.pid, signal.SIGKILL)
        packer.communicate()
        with Store.open(path) as store:
            assert {name: store.exchanges(name) for name in held} == held
            assert store.fsck().faults == []


def test_a_store_of_an_earlier_format_is_packed(
    earlier: Callable[[int], tuple[Path, list[Exchange]]],
) -> None:
    path, found = earlier(3)
    with Store.open(path) as store:
        snapshot = store.snapshot("s")
        store.pack()
        assert store._rows("SELECT DISTINCT form FROM exchange ORDER BY form") == [(3,)]
        assert store.exchanges("s") == tuple(found)
        assert store.snapshot("s") == snapshot
        assert store.fsck().faults == []
