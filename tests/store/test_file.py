"""A file that is no store of ours is named, and stays as it is."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.errors import BadInput
from inspector.session import Session
from inspector.store import Store

SESSION = Session("s1", "codex", "0.171.0", "tls", "2026-11-29T10:00:00.000+00:00")


def test_a_newer_store_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    Store.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(BadInput) as raised:
        Store.open(path)
    assert str(raised.value) == (
        f"{path}: store format 99, this inspector reads up to 4; update it, or give another --store"
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"hello, this is my diary" * 100, b"{}", b"SQLite format 2\x00" + b"x" * 99]
)
def test_a_file_that_is_no_store_is_refused_and_stays_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "diary.txt"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="not a store"):
        Store.open(path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"diary.txt": content}


def test_another_programs_database_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(BadInput, match="another program"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_truncated_store_is_refused_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        store.put_session(SESSION)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(BadInput, match="store") as raised, Store.open(path) as store:
        store.sessions()
    assert "\n" not in str(raised.value)


def test_a_store_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    with Store.open(tmp_path / "new" / "store.db") as store:
        store.put_session(SESSION)
        modes = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "new").iterdir()}
    assert modes == {"store.db": 0o600, "store.db-wal": 0o600, "store.db-shm": 0o600}
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_a_folder_or_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a folder"):
        Store.open(tmp_path)
    with pytest.raises(BadInput, match="no store there"):
        Store.open(tmp_path / "none.db", create=False)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BadInput, match="cannot be opened"):
        Store.open(tmp_path / "file" / "store.db")


def test_processes_that_make_a_store_at_once_all_get_it(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from inspector.store import Store; sys.stdin.read(1)\n"
        "for number in range(60): Store.open(pathlib.Path(sys.argv[1], f'{number}.db')).close()"
    )
    makers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(4)
    ]
    for maker in makers:
        assert maker.stdin is not None
        maker.stdin.write(b"x")
        maker.stdin.flush()
    assert [maker.communicate(timeout=60)[1] for maker in makers] == [b""] * 4
    assert len(list(tmp_path.glob("*.db"))) == 60
