"""Requests build on one another in the file, and come back byte for byte."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.errors import BadInput
from inspector.session import Exchange, Session
from inspector.store import Busy, Renewed, Store, bodies
from tests.bench import made
from tests.store.conftest import SNAPSHOT, grown

ROW = Exchange("e", "s", 1, "POST", "https://h/v1", (), b"", b"", "", "", ended="later")


def row(number: int, body: bytes, session: str = "s") -> Exchange:
    return replace(ROW, id=f"e{number}", number=number, request=body, request_wire=body, session=session)  # fmt: skip


pieces = st.binary(max_size=20).map(lambda piece: piece * 400)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.lists(pieces, max_size=4), st.integers(0, 5)),
        max_size=12,
    )
)
def test_whatever_is_put_and_put_again_comes_back(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, list[bytes], int]]
) -> None:
    path = tmp_path_factory.mktemp("store") / "s.db"
    held: dict[str, Exchange] = {}
    body = b""
    with Store.open(path) as store:
        for session, more, number in steps:
            half = len(body) // 2
            body = body[:half] + b"".join(more) + body[half:]
            exchange = row(number, body, session)
            store.put(exchange)
            held[exchange.id] = exchange
        assert {name: store.get(name) for name in held} == held
    with Store.open(path) as store:
        for session in "ab":
            wanted = [item for item in held.values() if item.session == session]
            assert store.exchanges(session) == tuple(sorted(wanted, key=lambda item: item.number))


def test_a_growing_conversation_takes_little_more_than_its_last_body(tmp_path: Path) -> None:
    bodies = grown(200)
    with Store.open(tmp_path / "s.db") as store:
        for number, body in enumerate(bodies):
            store.put(row(number, body))
        assert [exchange.request for exchange in store.exchanges("s")] == bodies
        assert store.used() < 20 * len(bodies[-1])
        assert sum(map(len, bodies)) > 100 * len(bodies[-1])


def test_a_request_that_others_build_on_may_be_replaced(tmp_path: Path) -> None:
    bodies = grown(5)
    with Store.open(tmp_path / "s.db") as store:
        for number, body in enumerate(bodies):
            store.put(row(number, body))
        store.put(row(2, b"another"))
        found = [exchange.request for exchange in store.exchanges("s")]
    assert found == [*bodies[:2], b"another", *bodies[3:]]


def test_a_session_removed_by_another_process_is_not_built_on(tmp_path: Path) -> None:
    bodies = grown(3)
    with Store.open(tmp_path / "s.db") as one, Store.open(tmp_path / "s.db") as other:
        one.put(row(0, bodies[0]))
        other.remove("s")
        one.put(row(1, bodies[1]))
        one.put(row(2, bodies[2]))
        assert [item.request for item in other.exchanges("s")] == bodies[1:]


def test_a_lost_base_is_told_and_the_rest_can_be_read(tmp_path: Path) -> None:
    bodies = grown(2)
    with Store.open(tmp_path / "s.db") as store:
        for number, body in enumerate(bodies):
            store.put(row(number, body))
        store._connection.execute("DELETE FROM exchange WHERE id = 'e0'")
        with pytest.raises(BadInput, match="gone"):
            store.get("e1")


def test_an_answer_under_way_is_kept_and_its_end_takes_its_place(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    whole = replace(row(1, b"x" * 9000), response=b"all of it", status=200)
    begun = replace(whole, ended="", response=b"", status=None)
    half = replace(begun, response=b"all", status=200, error="not finished")
    with Store.open(path) as store, Store.open(path) as reader:
        for state in (begun, half, replace(half, response=b"all of"), whole, begun, whole):
            store.put(state)
            assert reader.get("e1") == state
            assert reader.exchanges("s") == (state,)
        assert store._rows("SELECT count(*) FROM partial") == [(0,)]


def test_what_is_put_together_is_written_once_and_a_fault_loses_none_of_it(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store.open(path) as store, Store.open(path) as reader:

        def put_and_fail() -> None:
            with store.together():
                store.put(row(1, b"one"))
                store.put_session(Session("s", "other", "", "tls", ""))
                assert reader.sessions() == []
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            put_and_fail()
        assert reader.get("e1") == row(1, b"one")
        assert [session.id for session in reader.sessions()] == ["s"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_store_of_an_earlier_format_is_read_and_written_on(
    earlier: Callable[[int], tuple[Path, list[Exchange]]], number: int
) -> None:
    path, found = earlier(number)
    more = row(4, grown(5)[-1])
    with Store.open(path) as store:
        assert store.exchanges("s") == tuple(found)
        assert [store.get(one.id) for one in found] == found
        assert store.snapshot("s") == SNAPSHOT
        assert [session.id for session in store.sessions()] == ["s"]
        store.put(more)
        assert store.exchanges("s") == (*found, more)
        store.put(replace(found[1], request=b"other", request_wire=b"other"))
        assert store.get("e2") == found[2]


def test_a_store_deleted_while_in_use_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.store.link.LOOK_SECONDS", 0)
    path = tmp_path / "s.db"
    session = Session("s", "other", "", "tls", "")
    with Store.open(path) as store:
        store.put_session(session)
        store.put(row(1, b"one"))
        path.unlink()
        with pytest.raises(Renewed, match="deleted while in use"):
            store.put(row(2, b"two"))
        store.put(row(2, b"two"))
    with Store.open(path) as store:
        assert store.sessions() == [session]
        assert store.exchanges("s") == (row(2, b"two"),)
        assert path.stat().st_mode & 0o777 == 0o600


def test_who_will_not_wait_is_told_that_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store.open(path) as one, Store.open(path) as other, one.together():
        with pytest.raises(Busy), other.together(patient=False):
            raise AssertionError("not reached")
        one.put(row(1, b"one"))
    with Store.open(path) as store:
        assert store.get("e1") == row(1, b"one")


def test_of_many_bytes_only_the_newest_session_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(body: bytes) -> bool:
        """Nobody but this test holds it, and the call's own names."""
        return sys.getrefcount(body) <= sys.getrefcount(bytes(bytearray(b"a body of its own"))) + 2

    monkeypatch.setattr(bodies, "_MOST", 50_000)
    held = {name: bytes(bytearray(name.encode() * 40_000)) for name in "abc"}
    with Store.open(tmp_path / "s.db") as store:
        for number, (name, body) in enumerate(held.items()):
            store.put(row(number, body, name))
        assert {name: gone(held[name]) for name in held} == {"a": True, "b": True, "c": False}
        assert [store.get(f"e{number}").request for number in range(3)] == list(held.values())


def test_a_conversation_is_built_on_whatever_small_requests_come_between(tmp_path: Path) -> None:
    main, other = made.bodies(200_000, 5), made.bodies(20_000, 5)
    with Store.open(tmp_path / "s.db") as store:
        for number, (one, two) in enumerate(zip(main, other, strict=True)):
            store.put(row(number, one))
            store.put(row(number + 100, two))
        rows = store._rows("SELECT id, base FROM exchange ORDER BY id")
    assert [base for name, base in rows if len(name) == 2] == [None, "e0", "e1", "e2", "e3"]


def test_what_stands_between_two_changes_is_not_written_again(tmp_path: Path) -> None:
    def body(number: int) -> bytes:
        tools = b",".join(
            b'{"name":"T%d","description":"%s"}' % (n, b"d" * (n % 40)) for n in range(200)
        )
        return b'{"id":"%d","tools":[%s],"last":"%d"}' % (number, tools, number)

    with Store.open(tmp_path / "s.db") as store:
        for number in range(20):
            store.put(row(number, body(number)))
        sizes = store._rows("SELECT length(sizes) FROM frame ORDER BY id")
        assert [store.get(f"e{number}").request for number in range(20)] == [*map(body, range(20))]
    first, *rest = [size for (size,) in sizes]
    assert first > 40
    assert max(rest) <= 4
