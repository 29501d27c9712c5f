"""The trees of the edge: the real disk, one that notes what was looked at, and a kept one.

Rule: credential files are never opened, whatever name or link leads to them.
"""

import os
import posixpath
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from inspector import paths
from inspector.errors import NotKept
from inspector.session import FileVersion, FolderVersion, Snapshot, moment
from inspector.workspace import Entry, EntryKind, Tree

_CREDENTIALS = frozenset(
    {".credentials.json", "auth.json", ".netrc", "id_rsa", "id_ed25519", "id_ecdsa"}
)
_KEYCHAINS = (".keychain", ".keychain-db")
_LINKS_FOLLOWED = 40
LARGEST = 50_000_000
"""Bytes of one file that are still read; a larger one counts as not readable."""


def is_credential(path: str) -> bool:
    """Whether a path is a credential file, by its name."""
    name = posixpath.basename(path)
    return name in _CREDENTIALS or name.endswith(_KEYCHAINS)


class DiskTree:
    """The real disk. Our own files and credential files are not there."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None for anything but a readable regular file."""
        try:
            found = os.stat(path)  # noqa: PTH116 - bytes of any name, and no exception for odd ones
            if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST or _closed(path):
                return None
            with open(path, "rb") as file:  # noqa: PTH123
                return file.read()
        except (OSError, ValueError):
            return None

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The directory's entries in the order the file system gives them."""
        try:
            if paths.own(path):
                return None
            with os.scandir(path) as found:
                return tuple(_entry(item) for item in found)
        except (OSError, ValueError):
            return None


def _closed(path: str) -> bool:
    return is_credential(path) or is_credential(os.path.realpath(path)) or paths.own(path)


def _entry(item: os.DirEntry[str]) -> Entry:
    # The folder itself tells these apart: no look at each entry.
    if item.is_file(follow_symlinks=False):
        return Entry(item.name, EntryKind.FILE)
    if item.is_dir(follow_symlinks=False):
        return Entry(item.name, EntryKind.DIRECTORY)
    if not item.is_symlink():
        return Entry(item.name, EntryKind.OTHER)
    try:
        links_to = _kind(item.stat().st_mode)
    except OSError:
        links_to = None
    return Entry(item.name, EntryKind.LINK, os.readlink(item.path), links_to)  # noqa: PTH115


def _kind(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return EntryKind.FILE
    return EntryKind.DIRECTORY if stat.S_ISDIR(mode) else EntryKind.OTHER


@dataclass(slots=True)
class RecordingTree:
    """A tree that notes every answer it passes on."""

    tree: Tree
    files: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    folders: dict[str, tuple[Entry, ...] | None] = field(
        default_factory=dict[str, tuple[Entry, ...] | None]
    )

    def read(self, path: str) -> bytes | None:
        """The file's bytes, the same at every call."""
        if path not in self.files:
            self.files[path] = self.tree.read(path)
        return self.files[path]

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The directory's entries, the same at every call."""
        if path not in self.folders:
            self.folders[path] = self.tree.list(path)
        return self.folders[path]


@dataclass(frozen=True, slots=True)
class KeepingTree:
    """A tree whose files pass through `keep` (configuration filtered, secrets replaced)."""

    tree: Tree
    keep: Callable[[str, bytes], bytes]

    def read(self, path: str) -> bytes | None:
        """What may be kept of the file."""
        data = self.tree.read(path)
        return None if data is None else self.keep(path, data)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The directory's entries."""
        return self.tree.list(path)


class SnapshotTree:
    """A snapshot as it was at one moment (empty: at the start).

    Paths nobody looked at raise `NotKept`, unless what was kept settles them: a name that a kept
    listing does not hold is not there, a file has no entries, a link's target answers for the link.
    """

    def __init__(self, snapshot: Snapshot, at: str = "") -> None:
        """Look at a snapshot; `at` is ISO 8601 with an offset."""
        self._files: Mapping[str, tuple[FileVersion, ...]] = snapshot.files
        self._folders: Mapping[str, tuple[FolderVersion, ...]] = snapshot.folders
        self._at = at
        self._places = (snapshot.environment.cwd, snapshot.environment.home)

    def read(self, path: str) -> bytes | None:
        """The file's bytes at that moment. Raises `NotKept`."""
        path = posixpath.normpath(path)
        version = _latest(self._files.get(path, ()), self._at)
        if version is not None:
            return version.data
        return self._read_derived(path)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The directory's entries at that moment. Raises `NotKept`."""
        path = posixpath.normpath(path)
        version = _latest(self._folders.get(path, ()), self._at)
        if version is not None:
            return version.entries
        where = self._resolve(path)
        if where != path:
            return None if where is None else self.list(where)
        entry = self._entry(path)
        if entry is not None and entry.kind is not EntryKind.DIRECTORY:
            return None
        raise NotKept(path)

    def _read_derived(self, path: str) -> bytes | None:
        where = self._resolve(path)
        if where != path:
            return None if where is None else self.read(where)
        entry = self._entry(path)
        if entry is not None and entry.kind in {EntryKind.DIRECTORY, EntryKind.OTHER}:
            return None
        raise NotKept(path)

    def _resolve(self, path: str) -> str | None:
        """The path with kept links followed; None where kept listings say nothing is there."""
        walk = _Walk(path.strip("/").split("/"))
        while walk.rest:
            name = walk.rest.pop(0)
            version = _latest(self._folders.get(walk.done, ()), self._at)
            if name == "..":
                walk.up(path)
            elif version is None:
                walk.down(name)
                walk.sure = walk.sure and self._leads_to_work(walk.done)
            elif not walk.follow(_named(version, name)):
                return None
        return walk.done

    def _leads_to_work(self, path: str) -> bool:
        """Whether a path is the working directory, the home, or above them: real folders."""
        return any(f"{place}/".startswith(f"{path}/") for place in self._places)

    def _entry(self, path: str) -> Entry | None:
        folder, name = posixpath.split(path)
        version = _latest(self._folders.get(folder, ()), self._at)
        return None if version is None else _named(version, name)


@dataclass(slots=True)
class _Walk:
    """A path being followed, from the root on."""

    rest: list[str]
    done: str = "/"
    sure: bool = True
    """Whether no part of `done` can be a link that nobody looked at."""
    followed: int = 0

    def up(self, path: str) -> None:
        """Take a `..`; above a folder that may be a link nobody knows what is."""
        if not self.sure:
            raise NotKept(path)
        self.done = posixpath.dirname(self.done)

    def down(self, name: str) -> None:
        """Take a name."""
        self.done = posixpath.join(self.done, name)

    def follow(self, entry: Entry | None) -> bool:
        """Take a listed name; false where the way ends there."""
        if entry is None or (self.rest and entry.kind in {EntryKind.FILE, EntryKind.OTHER}):
            return False
        if entry.kind is not EntryKind.LINK or entry.target is None:
            self.down(entry.name)
            return True
        if entry.links_to is None or self.followed == _LINKS_FOLLOWED:
            return False
        self.followed += 1
        if entry.target.startswith("/"):
            self.done, self.sure = "/", True
        parts = [part for part in entry.target.split("/") if part not in {"", "."}]
        self.rest = [*parts, *self.rest]
        return True


def _named(version: FolderVersion, name: str) -> Entry | None:
    return next((entry for entry in version.entries or () if entry.name == name), None)


def _latest[Version: (FileVersion, FolderVersion)](
    versions: tuple[Version, ...], at: str
) -> Version | None:
    found = None
    for version in versions:
        if moment(version.at) <= moment(at):
            found = version
    return found
