"""The trees of the edge: the real disk, one that notes what was looked at, and a kept one.

Rule: credential files are never opened, whatever name or link leads to them.
"""

import math
import os
import posixpath
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from inspector import paths
from inspector.errors import NotKept
from inspector.session import FileVersion, FolderVersion, Snapshot
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
    if not item.is_symlink():
        return Entry(item.name, _kind(item.stat(follow_symlinks=False).st_mode))
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
        done, rest, followed = "/", path.strip("/").split("/"), 0
        while rest:
            name, *rest = rest
            here = posixpath.join(done, name)
            version = _latest(self._folders.get(done, ()), self._at)
            if version is None:
                done = here
                continue
            entry = next((entry for entry in version.entries or () if entry.name == name), None)
            if entry is None or (rest and entry.kind in {EntryKind.FILE, EntryKind.OTHER}):
                return None
            if entry.kind is not EntryKind.LINK or entry.target is None:
                done = here
                continue
            followed += 1
            if entry.links_to is None or followed > _LINKS_FOLLOWED:
                return None
            target = posixpath.normpath(posixpath.join(done, entry.target))
            done, rest = "/", [*target.strip("/").split("/"), *rest]
        return done

    def _entry(self, path: str) -> Entry | None:
        folder, name = posixpath.split(path)
        version = _latest(self._folders.get(folder, ()), self._at)
        entries = version.entries if version is not None else None
        return next((entry for entry in entries or () if entry.name == name), None)


def _latest[Version: (FileVersion, FolderVersion)](
    versions: tuple[Version, ...], at: str
) -> Version | None:
    found = None
    for version in versions:
        if moment(version.at) <= moment(at):
            found = version
    return found


def moment(at: str) -> float:
    """An ISO 8601 time as seconds; the start, which is empty, before all others."""
    return -math.inf if not at else datetime.fromisoformat(at).timestamp()
