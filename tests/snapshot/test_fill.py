"""What is read at a session's end counts from its last change on, and the notes say so."""

import os
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from inspector.clients import Client
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.session import Exchange, Recording, Session, Snapshot
from inspector.snapshot import SnapshotTree, filled
from inspector.snapshot.fill import changed
from inspector.turns import Turn, Turns
from inspector.workspace import Environment, World

HOUR = 3600


class Reader:
    """A client that reads some paths for its only request."""

    id = "codex"

    def __init__(self, at: str, *paths: Path) -> None:
        self.at, self.paths = at, paths

    def kind(self, exchange: Exchange) -> str:
        return exchange.kind

    def axes(self, world: World) -> Mapping[str, str]:
        return {"entry": world.environment.client}

    def sanitise(self, path: str, data: bytes) -> bytes:
        del path
        return data

    def turns(self, exchanges: Sequence[Exchange], environment: Environment) -> Turns:
        assert not exchanges
        return Turns(client="codex", version=environment.version, turns=(Turn(at=self.at),))

    def begin(self, world: World, profile: Profile, earlier: object) -> object:
        del world, profile
        return earlier

    def step(self, state: object, turn: Turn, world: World) -> object:
        del state, turn
        for path in self.paths:
            world.tree.read(str(path))
        raise LookupError("it is only the reading that counts")


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def kept(root: Path, began: float, *paths: Path) -> Snapshot:
    """The snapshot of a session that began then and read these paths an hour later."""
    environment = Environment(
        client="codex", version="0.171.0", cwd=str(root / "ws"), date="2026-11-29",
        home=str(root / "home"), config_home=str(root / "home"),
    )  # fmt: skip
    session = Session("s", "codex", "0.171.0", "base-url", moment(began))
    reader = cast("Client", cast("Any", Reader(moment(began + HOUR), *paths)))
    return filled([Recording(session, (), Snapshot(environment))], reader)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ws" / "notes.md"
    path.parent.mkdir()
    path.write_text("as it is now", encoding="utf-8")
    return path


def test_a_file_unchanged_since_before_the_start_was_so_from_the_start(file: Path) -> None:
    snapshot = kept(file.parents[1], time.time() + HOUR, file)
    assert SnapshotTree(snapshot).read(str(file)) == b"as it is now"
    assert snapshot.notes == (
        f"read at the end of the session, kept since they last changed: {file} (unchanged since"
        " before the start)",
    )


def test_a_file_that_changed_after_it_was_read_is_not_kept_for_that_request(file: Path) -> None:
    began = time.time() - 2 * HOUR
    snapshot = kept(file.parents[1], began, file)
    with pytest.raises(NotKept):
        SnapshotTree(snapshot, moment(began + HOUR)).read(str(file))
    assert SnapshotTree(snapshot, moment(time.time())).read(str(file)) == b"as it is now"
    assert f"{file} ({moment(changed(str(file)))})" in snapshot.notes[0]


def test_a_file_that_was_given_an_old_time_is_no_older_for_it(file: Path) -> None:
    began = time.time() - 2 * HOUR
    os.utime(file, (began - HOUR, began - HOUR))
    snapshot = kept(file.parents[1], began, file)
    for at in ("", moment(began + HOUR)):
        with pytest.raises(NotKept):
            SnapshotTree(snapshot, at).read(str(file))


def test_a_link_is_as_new_as_itself_or_its_target(file: Path) -> None:
    link = file.with_name("link.md")
    link.symlink_to("notes.md")
    os.utime(file, (0, 0))
    assert changed(str(link)) == max(link.lstat().st_ctime, link.stat().st_ctime)


def test_a_file_that_is_gone_by_then_may_have_been_there_before(file: Path) -> None:
    began = time.time() - 2 * HOUR
    file.unlink()
    snapshot = kept(file.parents[1], began, file)
    for at in ("", moment(began + HOUR)):
        with pytest.raises(NotKept):
            SnapshotTree(snapshot, at).read(str(file))


def test_a_file_below_a_folder_unchanged_since_before_the_start_was_never_there(
    file: Path,
) -> None:
    missing = file.parent / "none" / "such.md"
    snapshot = kept(file.parents[1], time.time() + HOUR, missing)
    assert SnapshotTree(snapshot).read(str(missing)) is None
    assert str(missing) in snapshot.notes[0]


def test_a_session_that_asks_for_nothing_more_has_no_note(file: Path) -> None:
    assert kept(file.parents[1], time.time()).notes == ()
