"""The store keeps every byte, also while others write, and after a kill."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector import redact
from inspector.errors import BadInput
from inspector.session import Exchange, ExchangeKind, FileVersion, Recording, Session, Snapshot
from inspector.store import Store, zst
from inspector.workspace import Environment

EXCHANGE = Exchange(
    id="e1", session="s1", number=1, method="POST", url="https://h/v1", request_headers=(("a", "b"),),
    request_wire=b"{}", request=b"{}", request_sha256="0", wire_sha256="1",
)  # fmt: skip
SESSION = Session("s1", "codex", "0.171.0", "tls", "2026-11-29T10:00:00.000+00:00")
SNAPSHOT = Snapshot(
    Environment(
        client="codex", version="1", cwd="/w", home="/h", config_home="/h/.codex", date="2026-11-29"
    ),
    {
        "/w/AGENTS.md": (
            FileVersion("", b"# R\n"),
            FileVersion("2026-11-29T10:00:00.000+00:00", None),
        )
    },
)

# A writer of its own process: puts exchanges until it is killed, and says each one it has put.
WRITER = """
import sys
from pathlib import Path
from inspector.session import Exchange
from inspector.store import Store
name, path = sys.argv[1:]
with Store.open(Path(path)) as store:
    for number in range(1, 100000):
        body = f"{name} {number} ".encode() * 2000
        store.put(Exchange(f"{name}-{number}", name, number, "POST", "u", (), body, body, "0", "0"))
        print(number, flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "deep" / "store.db") as opened:
        yield opened


headers = st.lists(
    st.tuples(st.text(), st.binary().map(lambda raw: raw.decode(errors="surrogateescape"))),
    max_size=3,
)
exchanges = st.builds(
    Exchange,
    id=st.just("e1"),
    session=st.just("s1"),
    number=st.integers(1, 2**40),
    method=st.text(),
    url=st.text(),
    request_headers=headers.map(tuple),
    request_wire=st.binary(),
    request=st.binary(),
    request_sha256=st.text(),
    wire_sha256=st.text(),
    status=st.none() | st.integers(100, 599),
    response_headers=headers.map(tuple),
    response=st.binary(),
    started=st.text(),
    first_byte=st.text(),
    ended=st.text(),
    error=st.text(),
    replaced=st.integers(0, 9),
    kind=st.sampled_from(ExchangeKind),
)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(exchange=exchanges)
def test_what_is_put_comes_back(store: Store, exchange: Exchange) -> None:
    store.put(exchange)
    assert store.get("e1") == exchange


def test_a_session_comes_back_with_all_that_was_kept(store: Store) -> None:
    second = replace(EXCHANGE, id="e0", number=2, request_wire=b"\x1f\x8b")
    store.put_session(SESSION)
    store.put(second)
    store.put(EXCHANGE)
    store.put_snapshot("s1", SNAPSHOT)
    assert store.recording("s1") == Recording(SESSION, (EXCHANGE, second), SNAPSHOT)


def test_putting_again_replaces_and_keeps_the_place(store: Store) -> None:
    other = replace(SESSION, id="s2")
    for session in (SESSION, other, replace(SESSION, exit_code=0, conversation="c")):
        store.put_session(session)
    store.put(EXCHANGE)
    store.put(replace(EXCHANGE, status=200))
    assert store.sessions() == [replace(SESSION, exit_code=0, conversation="c"), other]
    assert store.exchanges("s1") == (replace(EXCHANGE, status=200),)


def test_sessions_are_found_by_id_prefix_and_last(store: Store) -> None:
    for name, source in (
        ("abc1", "run"),
        ("abc2", "import"),
        ("abc", "proxy"),
        ("b", "replay"),
        ("c", "demo"),
    ):
        store.put_session(replace(SESSION, id=name, source=source))
        store.put(replace(EXCHANGE, id=f"of-{name}", session=name))
    store.put_session(replace(SESSION, id="empty", source="run"))
    assert [store.find(name).id for name in ("abc", "abc1", "b", "last")] == [
        "abc",
        "abc1",
        "b",
        "abc",
    ]
    for name, fact in (
        ("ab", "more than one session"),
        ("x", "no such session"),
        ("", "no such session"),
        ("a%", "no such"),
    ):
        with pytest.raises(BadInput, match=fact):
            store.find(name)


def test_an_empty_store_has_no_last_session(store: Store) -> None:
    with pytest.raises(BadInput, match="last: no such session"):
        store.find("last")


def test_exchanges_are_found_by_id_and_prefix(store: Store) -> None:
    store.put(EXCHANGE)
    store.put(replace(EXCHANGE, id="f"))
    assert store.find_exchange("e").id == "e1"
    for name in ("g", ""):
        with pytest.raises(BadInput, match="no such exchange"):
            store.find_exchange(name)
    with pytest.raises(BadInput, match="no such exchange"):
        store.get("e")


def test_the_newest_session_of_a_conversation_is_found(store: Store) -> None:
    for name in ("s1", "s2", "s3"):
        store.put_session(replace(SESSION, id=name, conversation="c"))
    found = store.find_conversation("c", other_than="s3")
    assert found is not None
    assert found.id == "s2"
    assert store.find_conversation("d") is None


def test_ids_are_short_unique_and_sort_by_time() -> None:
    ids = [Store.new_id() for _ in range(2000)]
    assert sorted(set(ids)) == ids
    assert {len(name) for name in ids} == {13}


def test_several_processes_write_while_one_is_killed_and_one_reads(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, name, str(path)], stdout=subprocess.PIPE, text=True
        )
        for name in ("first", "second")
    ]
    said = {"first": 0, "second": 0}
    try:
        with Store.open(path) as reader:
            for _ in range(30):
                for name, writer in zip(said, writers, strict=True):
                    assert writer.stdout is not None
                    said[name] = int(writer.stdout.readline())
                    # A reader sees at once what a writer says it has put.
                    assert reader.get(f"{name}-{said[name]}").number == said[name]
            os.kill(writers[0].pid, signal.SIGKILL)
            writers[0].wait()
            for _ in range(10):
                assert writers[1].stdout is not None
                said["second"] = int(writers[1].stdout.readline())
    finally:
        for writer in writers:
            writer.kill()
            rest = writer.communicate()[0].split()
            name = ("first", "second")[writers.index(writer)]
            said[name] = max(said[name], *map(int, rest), 0)
    with Store.open(path) as store:
        for name, last in said.items():
            numbers = [exchange.number for exchange in store.exchanges(name)]
            assert numbers == list(range(1, len(numbers) + 1))
            assert last <= len(numbers) <= last + 1
            for exchange in store.exchanges(name):
                assert exchange.request == f"{name} {exchange.number} ".encode() * 2000
    with sqlite3.connect(path) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    plain.close()


def test_no_planted_secret_is_in_the_files_bytes(tmp_path: Path) -> None:
    secret = "sk-ant-api03-" + "Zq9_" * 12
    planted = replace(
        EXCHANGE, url=f"https://h/v1?key={secret}", request_headers=(("authorization", f"Bearer {secret}"),),
        request=json.dumps({"a": secret, "b": "x" * 5000}).encode(), request_wire=json.dumps({"a": secret, "b": "x" * 5000}).encode(),
        response=b"".join(
            f'data: {json.dumps({"type": "content_block_delta", "index": 0, "delta": {"text": secret[a : a + 7]}})}\n\n'.encode()
            for a in range(0, len(secret), 7)
        ),
        error=f"refused {secret}",
    )  # fmt: skip
    with Store.open(tmp_path / "store.db") as store:
        for number in range(1, 40):
            store.put(redact.exchange(replace(planted, id=f"e{number}", number=number)))
        written = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        for name, data in store._rows("SELECT 'frame ' || id, data FROM frame"):
            written[name] = zst.plain(data)
        held = repr(store.exchanges("s1")).encode()
        assert {"store.db-wal", "frame 1"} <= set(written)
        written["rows"] = held
        for data in written.values():
            assert secret.encode() not in data
            assert secret[13:].encode() not in data
    said = store_text(tmp_path / "store.db")
    assert redact.stand_in(secret) in said


def store_text(path: Path) -> str:
    with Store.open(path) as store:
        return repr(store.get("e1"))


def test_a_write_that_fails_says_so_and_the_store_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        store.put(EXCHANGE)
        with sqlite3.connect(path) as connection:
            connection.execute(
                "CREATE TRIGGER full BEFORE INSERT ON exchange BEGIN SELECT RAISE(FAIL, 'disk full'); END"
            )
        with pytest.raises(BadInput, match="writing failed"):
            store.put(replace(EXCHANGE, id="e2"))
        connection.execute("DROP TRIGGER full")
        connection.commit()
        connection.close()
        store.put(replace(EXCHANGE, id="e3"))
        assert [exchange.id for exchange in store.exchanges("s1")] == ["e1", "e3"]


def test_a_damaged_row_is_refused_with_one_line(store: Store) -> None:
    store.put(EXCHANGE)
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE exchange SET data = '{'")
    connection.close()
    with pytest.raises(BadInput, match="damaged"):
        store.get("e1")


def test_what_was_seen_later_joins_the_snapshot_until_a_whole_one_is_put(store: Store) -> None:
    seen = [
        Snapshot(SNAPSHOT.environment, {"/w/AGENTS.md": (FileVersion(at, data),)}, notes=(at,))
        for at, data in (
            ("2026-11-29T11:00:00.000+00:00", b"# two\n"),
            ("2026-11-29T12:00:00.000+00:00", b"# three\n"),
        )
    ]
    assert not store.put_later("s1", seen[0])
    assert store.snapshot("s1") is None
    store.put_snapshot("s1", SNAPSHOT)
    assert [store.put_later("s1", one) for one in seen] == [True, True]
    whole = SNAPSHOT.joined(seen[0]).joined(seen[1])
    assert store.snapshot("s1") == whole
    assert [one.data for one in whole.files["/w/AGENTS.md"]] == [
        b"# R\n",
        None,
        b"# two\n",
        b"# three\n",
    ]
    store.put_snapshot("s1", SNAPSHOT)
    assert store.snapshot("s1") == SNAPSHOT
    store.put_later("s1", seen[0])
    store.remove("s1")
    assert store._rows("SELECT count(*) FROM later") == [(0,)]
