"""What a client read along the way and no look kept: nested imports, files that skills mention.

Strategy: at a session's end its conversation is built once over the snapshot; whatever the builder
asks for and the snapshot lacks is read from the disk then.

Rule: what the disk says at the end is kept from the moment it last changed, by contents or in its
inode, and from the start only where that was before the session began: a request from before that
moment finds the path not kept. The notes name every path kept so.
"""

import os
import posixpath
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from inspector import clients, profiles, redact
from inspector.build import Conversation
from inspector.clients import Client, State
from inspector.errors import NotKept
from inspector.session import Recording, Snapshot, moment
from inspector.snapshot.take import Keeper, merged
from inspector.snapshot.trees import DiskTree, KeepingTree, RecordingTree, SnapshotTree
from inspector.workspace import Entry, Tree, World

_TICK = 0.02
"""Seconds by which a file's times may lag behind the clock."""


@dataclass(slots=True)
class _Falling:
    """A snapshot's tree that falls through to the disk."""

    kept: SnapshotTree
    disk: Tree

    def read(self, path: str) -> bytes | None:
        try:
            return self.kept.read(path)
        except NotKept:
            return self.disk.read(path)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        try:
            return self.kept.list(path)
        except NotKept:
            return self.disk.list(path)


def filled(
    chain: Sequence[Recording], client: Client, given: redact.Given = redact.NOTHING_GIVEN
) -> Snapshot:
    """The snapshot of the last recording with all its conversation needs; `chain` is oldest first.

    Where the client model fails, the snapshot ends there: `verify` will say it.
    """
    last = chain[-1]
    assert last.snapshot is not None
    seen = RecordingTree(KeepingTree(DiskTree(), Keeper(client, given)))
    state: State | None = None
    # Any fault: a model that fails must not lose the session, and `verify` folds the same turns
    # and says what failed. What was read until then is kept.
    with suppress(Exception):
        for recording in chain:
            tree = seen if recording is last else None
            state = _folded(clients.labelled(recording), client, state, tree)
    return _with(last, seen)


def _folded(
    recording: Recording, client: Client, earlier: State | None, disk: Tree | None
) -> State | None:
    snapshot = recording.snapshot
    assert snapshot is not None
    session, environment = recording.session, snapshot.environment

    def world(at: str) -> World:
        kept = SnapshotTree(snapshot, at)
        tree = kept if disk is None else _Falling(kept, disk)
        return World(tree, environment, snapshot.listings)

    turns = client.turns(recording.exchanges, environment).turns
    if not turns:
        return earlier
    start = world("")
    found = profiles.find(session.client, session.version)
    profile = profiles.resolve(found, client.axes(start))
    conversation = Conversation.begin(client, start, profile, {}, earlier)
    for turn in turns:
        conversation.step(turn, world(turn.at))
    return conversation.state


def _with(last: Recording, seen: RecordingTree) -> Snapshot:
    """The snapshot with each path that was looked at, and a note that names them."""
    snapshot, began = last.snapshot, moment(last.session.started)
    assert snapshot is not None
    named: list[str] = []
    for path in sorted({**seen.files, **seen.folders}):
        one = replace(seen, files=_only(seen.files, path), folders=_only(seen.folders, path))
        since = changed(path)
        at = "" if since + _TICK < began else datetime.fromtimestamp(since, UTC).isoformat()
        added = merged(snapshot, one, at)
        if added != snapshot:
            named.append(f"{path} ({at or 'unchanged since before the start'})")
        snapshot = added
    if named:
        note = f"read at the end of the session, kept since they last changed: {', '.join(named)}"
        snapshot = replace(snapshot, notes=(*snapshot.notes, note))
    return snapshot


def _only[Kept](values: dict[str, Kept], path: str) -> dict[str, Kept]:
    return {path: values[path]} if path in values else {}


def changed(path: str) -> float:
    """When a path last changed, by contents or inode, in seconds; `now` where nothing tells.

    A path that is not there may have gone when the nearest folder above it last changed.
    """
    while True:
        try:
            stats = (os.stat(path), os.lstat(path))  # noqa: PTH116
        except (FileNotFoundError, NotADirectoryError):
            if path == (path := posixpath.dirname(path)):
                return time.time()
        except (OSError, ValueError):
            return time.time()
        else:
            return max(seconds for stat in stats for seconds in (stat.st_mtime, stat.st_ctime))
