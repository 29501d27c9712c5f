"""Keeping what a client could read: trees over the disk, the snapshot, its later versions."""

from inspector.snapshot.facts import environment
from inspector.snapshot.fill import filled
from inspector.snapshot.take import take
from inspector.snapshot.trees import DiskTree, KeepingTree, RecordingTree, SnapshotTree
from inspector.snapshot.watch import Watch

__all__ = [
    "DiskTree",
    "KeepingTree",
    "RecordingTree",
    "SnapshotTree",
    "Watch",
    "environment",
    "filled",
    "take",
]
