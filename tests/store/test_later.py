"""A store that cannot be written yet: opened all the same, written as soon as it can be."""

import contextlib
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from inspector.errors import BadInput
from inspector.session import Exchange, Session
from inspector.store import Busy, Store

SESSION = Session("s1", "codex", "0.171.0", "tls", "2026-11-29T10:00:00.000+00:00")
EXCHANGE = Exchange("e1", "s1", 1, "POST", "u", (), b"{}", b"{}", "0", "1", ended="x")


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.store.link.LOOK_SECONDS", 0)


@pytest.fixture
def mounted(tmp_path: Path) -> Generator[Path]:
    """A file system of its own, to be made read-only or filled."""
    place = tmp_path / "disk"
    place.mkdir()
    mount("tmpfs", place, "size=256k")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def mount(kind: str, place: Path, options: str) -> None:
    done = subprocess.run(
        ["mount", "-t", kind, "-o", options, "none", str(place)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.fail("nothing can be mounted here; run as root")


def put(store: Store) -> None:
    store.put_session(SESSION)
    store.put(EXCHANGE)


@pytest.mark.parametrize("there", [False, True])
def test_one_on_a_read_only_disk_is_written_once_the_disk_can_be(
    mounted: Path, there: bool
) -> None:
    path = mounted / "deep" / "s.db"
    if there:
        Store.open(path).close()
    mount("tmpfs", mounted, "remount,ro")
    with pytest.raises(BadInput, match="cannot be"):
        Store.open(path)
    with Store.open(path, later=True) as store:
        assert store.sessions() == []
        for _ in range(2):
            with pytest.raises(BadInput, match="cannot be"):
                put(store)
        mount("tmpfs", mounted, "remount,rw")
        store.put(EXCHANGE)
    with Store.open(path, create=False) as store:
        assert (store.sessions(), store.exchanges("s1")) == ([SESSION], (EXCHANGE,))


def test_one_on_a_full_disk_leaves_no_empty_file_and_is_written_once_there_is_room(
    mounted: Path,
) -> None:
    path, ballast = mounted / "s.db", mounted / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    with Store.open(path, later=True) as store:
        with pytest.raises(BadInput, match="full"):
            put(store)
        assert not path.exists()
        ballast.unlink()
        store.put(EXCHANGE)
    with Store.open(path, create=False) as store:
        assert (store.sessions(), store.exchanges("s1")) == ([SESSION], (EXCHANGE,))


def test_one_who_will_not_wait_does_not_wait_for_the_file_to_open(mounted: Path) -> None:
    mount("tmpfs", mounted, "remount,ro")
    with (
        Store.open(mounted / "s.db", later=True) as store,
        pytest.raises(Busy),
        store.together(False),
    ):
        pass


@pytest.mark.parametrize("path", ["file/s.db", "text", "."])
def test_a_path_that_no_disk_can_mend_is_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "text").write_text("no store, and more than sixteen bytes of it")
    with pytest.raises(BadInput):
        Store.open(tmp_path / path, later=True)
