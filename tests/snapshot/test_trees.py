"""What the trees of the edge answer, and what they refuse."""

import os
from pathlib import Path

import pytest

from inspector.errors import NotKept
from inspector.session import FileVersion, FolderVersion, Snapshot
from inspector.snapshot import DiskTree, KeepingTree, RecordingTree, SnapshotTree
from inspector.workspace import Entry, EntryKind, Environment

ENVIRONMENT = Environment(
    client="codex", version="1", cwd="/w", home="/h", config_home="/h/.codex", date="2026-11-29"
)
T1, T2 = "2026-11-29T10:00:00.000+00:00", "2026-11-29T11:00:00.000+00:00"
FOLDER = EntryKind.DIRECTORY
FILE = EntryKind.FILE
LINK = EntryKind.LINK


def test_the_disk_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff\x00")
    (tmp_path / "link").symlink_to("a")
    os.mkfifo(tmp_path / "pipe")
    tree = DiskTree()
    assert [tree.read(str(tmp_path / name)) for name in ("a", "link", "pipe", "none", ".")] == [
        b"\xff\x00", b"\xff\x00", None, None, None,
    ]  # fmt: skip
    assert tree.read("/nul\0") is None
    assert tree.list("/nul\0") is None


def test_a_folder_is_listed_in_the_file_systems_order_with_link_targets(tmp_path: Path) -> None:
    for name in ("z", "a", "m", "B"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "d").mkdir()
    (tmp_path / "to-d").symlink_to("d")
    (tmp_path / "to-z").symlink_to(tmp_path / "z")
    (tmp_path / "broken").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    found = DiskTree().list(str(tmp_path))
    assert found is not None
    with os.scandir(tmp_path) as raw:
        assert [entry.name for entry in found] == [entry.name for entry in raw]
    assert set(found) == {
        *(Entry(name, FILE) for name in ("z", "a", "m", "B")),
        Entry("d", FOLDER),
        Entry("to-d", LINK, "d", FOLDER),
        Entry("to-z", LINK, str(tmp_path / "z"), FILE),
        Entry("broken", LINK, "nowhere", None),
        Entry("pipe", EntryKind.OTHER),
    }
    assert DiskTree().list(str(tmp_path / "z")) is None
    assert DiskTree().list(str(tmp_path / "none")) is None


@pytest.mark.parametrize(
    "name", [".credentials.json", "auth.json", "login.keychain-db", "id_ed25519", ".netrc"]
)
def test_credential_files_are_not_there_under_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"secret")
    (tmp_path / "notes.md").symlink_to(name)
    (tmp_path / "folder").symlink_to(tmp_path)
    for path in (name, "notes.md", f"folder/{name}"):
        assert DiskTree().read(str(tmp_path / path)) is None


def test_our_own_files_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECTOR_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("INSPECTOR_STORE", str(tmp_path / "my.db"))
    (tmp_path / "data").mkdir()
    for name in ("data/x.md", "my.db", "my.db-wal", "ours.md"):
        (tmp_path / name).write_bytes(b"x")
    tree = DiskTree()
    assert [tree.read(str(tmp_path / name)) for name in ("data/x.md", "my.db", "my.db-wal", "ours.md")] == [
        None, None, None, b"x",
    ]  # fmt: skip
    assert tree.list(str(tmp_path / "data")) is None


def test_a_recording_tree_notes_answers_and_repeats_them(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    tree = RecordingTree(KeepingTree(DiskTree(), lambda path, data: data + path[-1:].encode()))
    paths = [str(tmp_path / name) for name in ("a", "none")]
    first = [tree.read(path) for path in paths]
    (tmp_path / "a").write_bytes(b"2")
    assert first == [tree.read(path) for path in paths] == [b"1a", None]
    assert tree.list(str(tmp_path)) == (Entry("a", FILE),)
    assert tree.list(str(tmp_path / "x")) is None
    assert (tree.files, tree.folders) == (
        {paths[0]: b"1a", paths[1]: None},
        {str(tmp_path): (Entry("a", FILE),), str(tmp_path / "x"): None},
    )


SNAPSHOT = Snapshot(
    ENVIRONMENT,
    files={
        "/w/a": (FileVersion("", b"0"), FileVersion(T1, b"1"), FileVersion(T2, None)),
        "/w/late": (FileVersion(T1, b"late"),),
        "/w/real/f": (FileVersion("", b"f"),),
    },
    folders={
        "/w": (
            FolderVersion(
                "",
                (
                    Entry("a", FILE), Entry("d", FOLDER), Entry("unread", FILE), Entry("pipe", EntryKind.OTHER),
                    Entry("link", LINK, "real", FOLDER), Entry("up", LINK, "../w/real/f", FILE),
                    Entry("real", FOLDER), Entry("broken", LINK, "gone", None), Entry("loop", LINK, "loop", FOLDER),
                ),
            ),
            FolderVersion(T1, (Entry("a", FILE), Entry("late", FILE))),
        ),
        "/w/real": (FolderVersion("", (Entry("f", FILE),)),),
        "/none": (FolderVersion("", None),),
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("", b"0"),
        ("2026-11-29T09:59:59.999+00:00", b"0"),
        (T1, b"1"),
        ("2026-11-29T11:30:00+01:00", b"1"),
        (T2, None),
    ],
)
def test_a_file_is_what_it_was_at_the_moment(at: str, expected: bytes | None) -> None:
    assert SnapshotTree(SNAPSHOT, at).read("/w/a") == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/w/missing", None), ("/w/missing/x/y", None), ("/w/a/below", None), ("/w/d", None), ("/w/pipe", None),
        ("/none/x", None), ("/w/broken", None), ("/w/loop", None), ("/w/loop/x", None), ("/w/real/none", None),
        ("/w/link/f", b"f"), ("/w/up", b"f"), ("/w//real/./f", b"f"), ("/w/link/none", None),
    ],
)  # fmt: skip
def test_what_kept_listings_settle_is_answered(path: str, expected: bytes | None) -> None:
    assert SnapshotTree(SNAPSHOT).read(path) == expected


@pytest.mark.parametrize("path", ["/w/unread", "/w/d/x", "/elsewhere", "/"])
def test_what_nobody_looked_at_is_not_kept(path: str) -> None:
    with pytest.raises(NotKept, match="not in the snapshot"):
        SnapshotTree(SNAPSHOT).read(path)


def test_a_file_kept_only_later_is_not_there_before() -> None:
    assert SnapshotTree(SNAPSHOT, T1).read("/w/late") == b"late"
    assert SnapshotTree(SNAPSHOT).read("/w/late") is None  # the first listing does not hold it


def test_folders_are_listed_as_they_were_and_derived() -> None:
    start, later = SnapshotTree(SNAPSHOT), SnapshotTree(SNAPSHOT, T1)
    assert [entry.name for entry in later.list("/w") or ()] == ["a", "late"]
    assert start.list("/w/link") == start.list("/w/real") == (Entry("f", FILE),)
    assert [
        start.list(path)
        for path in ("/w/a", "/w/missing", "/none", "/none/x", "/w/broken", "/w/up")
    ] == [None] * 6
    for path in ("/w/d", "/elsewhere"):
        with pytest.raises(NotKept):
            start.list(path)
