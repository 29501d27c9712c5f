"""What a client read along the way and no look kept: nested imports, files that skills mention.

Strategy: at a session's end its conversation is built once over the snapshot; whatever the builder
asks for and the snapshot lacks is read from the disk then, and kept from the moment the file last
changed.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from inspector import clients, profiles, redact
from inspector.build import Conversation
from inspector.clients import Client, State
from inspector.errors import NotKept
from inspector.session import Recording, Snapshot
from inspector.snapshot.take import Keeper, merged
from inspector.snapshot.trees import DiskTree, KeepingTree, RecordingTree, SnapshotTree
from inspector.workspace import Entry, Tree, World


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

    A fault of the client model leaves the snapshot as it is: `verify` will say it.
    """
    last = chain[-1]
    assert last.snapshot is not None
    seen = RecordingTree(KeepingTree(DiskTree(), Keeper(client, given)))
    try:
        state: State | None = None
        for recording in chain:
            tree = seen if recording is last else None
            state = _folded(clients.labelled(recording), client, state, tree)
    except Exception:  # noqa: BLE001 - a fault of the model must not lose the session
        return _with(last.snapshot, seen)
    return _with(last.snapshot, seen)


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
    start = world(turns[0].at)
    found = profiles.find(session.client, session.version)
    profile = profiles.resolve(found, client.axes(start))
    conversation = Conversation.begin(client, start, profile, {}, earlier)
    for turn in turns:
        conversation.step(turn, world(turn.at))
    return conversation.state


def _with(snapshot: Snapshot, seen: RecordingTree) -> Snapshot:
    """Each path from the moment it last changed on; what is not there, from the start."""
    for path in {**seen.files, **seen.folders}:
        one = replace(seen, files=_only(seen.files, path), folders=_only(seen.folders, path))
        snapshot = merged(snapshot, one, _changed(path))
    return snapshot


def _only[Kept](values: dict[str, Kept], path: str) -> dict[str, Kept]:
    return {path: values[path]} if path in values else {}


def _changed(path: str) -> str:
    try:
        seconds = os.stat(path).st_mtime  # noqa: PTH116 - one call, no object
    except (OSError, ValueError):
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat()
