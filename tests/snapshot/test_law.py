"""Law: whatever a snapshot answers, the disk answered; else it says that it did not look."""

import tempfile
from itertools import product
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.errors import NotKept
from inspector.session import FileVersion, FolderVersion, Snapshot
from inspector.snapshot import DiskTree, RecordingTree, SnapshotTree
from inspector.workspace import Environment

ENVIRONMENT = Environment(
    client="codex", version="1", cwd="/w", home="/h", config_home="/h", date="2026-11-29"
)
NAMES = ("a", "b", "c")
PATHS = [*NAMES, *("/".join(parts) for size in (2, 3) for parts in product(NAMES, repeat=size))]
TARGETS = [".", "..", "a", "b", "../b", "a/b", "../a/c", "c", "a/..", "b/../c", "nowhere"]
made = st.one_of(st.just(None), st.binary(max_size=3), st.sampled_from(TARGETS))


def make(root: Path, things: dict[str, bytes | str | None]) -> None:
    """Make folders (None), files (bytes) and links (str), leaving out what has no place."""
    for name, thing in sorted(things.items(), key=lambda item: len(item[0])):
        path = root / name
        if (
            not path.parent.is_dir()
            or path.is_symlink()
            or path.exists()
            or path.parent.is_symlink()
        ):
            continue
        if thing is None:
            path.mkdir()
        elif isinstance(thing, bytes):
            path.write_bytes(thing)
        else:
            path.symlink_to(thing)


@settings(max_examples=300, deadline=None)
@given(
    things=st.dictionaries(st.sampled_from(PATHS), made, max_size=14),
    read=st.sets(st.sampled_from(PATHS), max_size=6),
    listed=st.sets(st.sampled_from(["", *PATHS]), max_size=6),
)
def test_a_snapshot_answers_as_the_disk_or_not_at_all(
    things: dict[str, bytes | str | None], read: set[str], listed: set[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make(root, things)
        disk = DiskTree()
        seen = RecordingTree(disk)
        for name in read:
            seen.read(str(root / name))
        for name in listed:
            seen.list(str(root / name))
        snapshot = Snapshot(
            ENVIRONMENT.model_copy(update={"cwd": folder}),
            {path: (FileVersion("", data),) for path, data in seen.files.items()},
            {path: (FolderVersion("", entries),) for path, entries in seen.folders.items()},
        )
        kept = SnapshotTree(snapshot)
        for path in (str(root / name) for name in ("", *PATHS)):
            for ask, truth, looked in (
                (kept.read, disk.read, path in seen.files),
                (kept.list, disk.list, path in seen.folders),
            ):
                try:
                    assert ask(path) == truth(path), path
                except NotKept:
                    assert not looked
