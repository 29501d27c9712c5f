"""`inspector rm` and `inspector purge`."""

import json
import os
import pty
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import quota
from inspector.errors import BadInput
from inspector.session import Session
from inspector.store import Store
from tests import made
from tests.commands import Run

NOW = datetime.now(UTC)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of this test's own."""
    folder = tmp_path / "data"
    monkeypatch.setenv("INSPECTOR_DATA", str(folder))
    return folder


def document(out: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)
    return found


def fill(data: Path, *ages: timedelta, size: int = 2000) -> None:
    """Sessions s1, s2 … whose only exchange ended so long ago."""
    with Store.open(data / "store.db") as store:
        for number, age in enumerate(ages, start=1):
            name, at = f"s{number}", (NOW - age).isoformat()
            store.put_session(Session(name, "codex", "0.171.0", "tls", at))
            body = os.urandom(size)
            store.put(replace(made.exchange(name, 1, body), started=at, ended=at))


def left(data: Path) -> list[str]:
    with Store.open(data / "store.db") as store:
        return [session.id for session in store.sessions()]


def test_rm_removes_sessions_with_their_bytes(run: Run, data: Path) -> None:
    fill(data, timedelta(), timedelta(), timedelta())
    with Store.open(data / "store.db") as store:
        body = store.exchanges("s2")[0].request
    code, out, _ = run("rm", "s2", "last", "s2", "--json")
    assert (code, document(out)["removed"]) == (0, ["s2", "s3"])
    assert document(out)["bytes_freed"] > 0
    assert left(data) == ["s1"]
    assert not any(body in path.read_bytes() for path in data.iterdir())


def test_rm_removes_nothing_unless_every_name_is_found(run: Run, data: Path) -> None:
    fill(data, timedelta(), timedelta())
    code, out, err = run("rm", "s1", "nope")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert left(data) == ["s1", "s2"]


@pytest.mark.parametrize(
    ("age", "gone"),
    [("30", ["s1"]), ("30d", ["s1"]), ("36h", ["s1", "s2"]), ("1w", ["s1"]), ("90m", ["s1", "s2"])],
)
def test_purge_removes_what_is_older_by_its_last_exchange(
    run: Run, data: Path, age: str, gone: list[str]
) -> None:
    fill(data, timedelta(days=31), timedelta(days=2), timedelta(minutes=5))
    with Store.open(data / "store.db") as store:
        old = (NOW - timedelta(days=90)).isoformat()
        store.put_session(replace(store.session("s3"), started=old))
    code, out, _ = run("purge", "--older-than", age, "--json")
    assert (code, document(out)["removed"]) == (0, gone)
    assert left(data) == [name for name in ("s1", "s2", "s3") if name not in gone]


def test_a_session_of_unknown_time_stays(run: Run, data: Path) -> None:
    with Store.open(data / "store.db") as store:
        store.put_session(Session("s1", "other", "", "unknown", ""))
    run("purge", "--older-than", "1")
    assert left(data) == ["s1"]


def test_a_quota_removes_the_oldest_and_never_the_newest(run: Run, data: Path) -> None:
    fill(data, *[timedelta()] * 5, size=100_000)
    code, out, err = run("purge", "--max-size", "300KB", "--json")
    assert (code, document(out)["removed"], err) == (0, ["s1", "s2", "s3"], "")
    assert (data / "store.db").stat().st_size <= 300_000
    code, out, err = run("purge", "--max-size", "1KB", "--json")
    assert (code, document(out)["removed"]) == (0, ["s4"])
    assert err.endswith("the newest session alone takes more than 1KB; it stays\n")
    assert left(data) == ["s5"]


def test_purge_all_deletes_what_is_ours_and_nothing_else(run: Run, data: Path) -> None:
    from inspector import words
    from inspector.capture import ca

    fill(data, timedelta())
    ca.authority(data, {})
    words.save(["a learned text"])
    foreign = [data / "notes.txt", data / "ca" / "company.pem", data / "texts" / "mine.txt"]
    for path in foreign:
        path.write_text("mine", encoding="utf-8")
    code, out, err = run("purge", "--all", "--yes", "--json")
    assert code == 0
    assert sorted(path for path in data.rglob("*") if path.is_file()) == sorted(foreign)
    assert str(data / "store.db") in document(out)["deleted"]
    assert err.count("holds something that is not ours, and stays") == 3
    for path in foreign:
        path.unlink()
    assert run("purge", "--all", "--yes")[0] == 0
    assert not data.exists()


def test_purge_all_asks_and_without_a_terminal_refuses(data: Path) -> None:
    fill(data, timedelta())
    command = [sys.executable, "-m", "inspector", "purge", "--all"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr.count(b"\n")) == (2, 1)
    assert left(data) == ["s1"]
    assert answered(command, b"n\n") == 130
    assert left(data) == ["s1"]
    assert answered(command, b"y\n") == 0
    assert not (data / "store.db").exists()


def answered(command: list[str], answer: bytes) -> int:
    """The exit code of a command whose question is answered on a terminal."""
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    ended = subprocess.run(command, stdin=theirs, capture_output=True, check=False)
    os.close(ours)
    os.close(theirs)
    return ended.returncode


def test_purge_all_leaves_a_store_that_is_none(run: Run, data: Path) -> None:
    data.mkdir()
    (data / "store.db").write_bytes(b"somebody's notes")
    code, _, err = run("purge", "--all", "--yes")
    assert (code, err.count("\n")) == (2, 1)
    assert (data / "store.db").read_bytes() == b"somebody's notes"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--all", "--older-than", "3"),
        ("--older-than", "soon"),
        ("--max-size", "much"),
        ("--older-than", "-1"),
    ],
)
def test_a_purge_that_says_nothing_sensible_removes_nothing(
    run: Run, data: Path, words: tuple[str, ...]
) -> None:
    fill(data, timedelta(days=9))
    code, out, err = run("purge", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert left(data) == ["s1"]


def test_purge_without_a_store_has_nothing_to_do(run: Run, data: Path) -> None:
    code, out, _ = run("purge", "--older-than", "1", "--json")
    assert (code, document(out)["removed"]) == (0, [])
    assert not data.exists()


def test_pack_and_gc_keep_every_byte_and_say_what_they_freed(run: Run, data: Path) -> None:
    fill(data, timedelta(), timedelta(), size=9000)
    with Store.open(data / "store.db") as store:
        held = [store.recording(name) for name in ("s1", "s2")]
        store.put_session(Session("s3", "codex", "0.171.0", "tls", ""))
        store.put(made.exchange("s3", 1, os.urandom(90_000)))
        store._written.forget()
        store._rows("DELETE FROM exchange WHERE session = 's3'")
    code, out, _ = run("gc", "--json")
    assert (code, document(out)["bytes_freed"] > 80_000) == (0, True)
    code, out, _ = run("pack", "--json")
    assert (code, set(document(out))) == (0, {"schema", "bytes_before", "bytes_after"})
    with Store.open(data / "store.db") as store:
        assert [store.recording(name) for name in ("s1", "s2")] == held
    size = f"{document(out)['bytes_after']:,}"
    assert run("pack")[2] == f"inspector: {size} bytes packed into {size}\n"


def test_fsck_reads_everything_and_names_what_is_damaged(run: Run, data: Path) -> None:
    fill(data, timedelta(), timedelta(), size=9000)
    code, out, _ = run("fsck", "--json")
    assert (code, document(out)["exchanges"], document(out)["faults"]) == (0, 2, [])
    with Store.open(data / "store.db") as store:
        store._rows("UPDATE exchange SET data = x'00' WHERE session = 's2'")
    code, out, err = run("fsck")
    assert (code, out.split(":")[0], err) == (1, "exchange s2x1", "inspector: 2 sessions and 2 exchanges read, 1 fault\n")  # fmt: skip


def test_a_quota_lets_the_oldest_sessions_go_and_says_so(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(data, *[timedelta(days=day) for day in (5, 4, 3, 0)], size=60_000)
    store = data / "store.db"
    monkeypatch.delenv("INSPECTOR_QUOTA", raising=False)
    assert quota.limit() is None
    for value, there in (("1GB", 4), ("220kb", 3), ("1kb", 1)):
        monkeypatch.setenv("INSPECTOR_QUOTA", value)
        quota.keep_within(store, quota.limit())
        assert left(data) == ["s1", "s2", "s3", "s4"][4 - there :]
    assert capsys.readouterr().err == (
        "inspector: 1 old session removed, to keep within INSPECTOR_QUOTA\n"
        "inspector: 2 old sessions removed, to keep within INSPECTOR_QUOTA\n"
    )
    monkeypatch.setenv("INSPECTOR_QUOTA", "much")
    with pytest.raises(BadInput, match="INSPECTOR_QUOTA: much: no size"):
        quota.limit()
