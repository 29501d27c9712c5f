"""A session's changed files in its turns file, and the trees that such a file describes.

Rule: a path is in the file only where its state changed between two requests; all else is read
from the disk, so that a workspace may still be changed and built again.
"""

import base64
import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from inspector.errors import BadInput, NotKept
from inspector.session import Snapshot
from inspector.snapshot.trees import SnapshotTree
from inspector.turns import HeldFile, HeldFolder, Turn, Turns
from inspector.workspace import Entry, EntryKind, Tree


def with_changes(turns: Turns, snapshot: Snapshot) -> Turns:
    """The turns with what files and folders held at the start and what changed before each."""
    moments = [SnapshotTree(snapshot, at) for at in ("", *(turn.at for turn in turns.turns))]
    files: list[list[HeldFile]] = [[] for _ in moments]
    folders: list[list[HeldFolder]] = [[] for _ in moments]
    for path in sorted(snapshot.files):
        for number, data in _changes(moments, partial(SnapshotTree.read, path=path)):
            files[number].append(_file(path, data))
    for path in sorted(snapshot.folders):
        for number, entries in _changes(moments, partial(SnapshotTree.list, path=path)):
            folders[number].append(_folder(path, entries))
    return turns.model_copy(
        update={
            "files": tuple(files[0]),
            "folders": tuple(folders[0]),
            "turns": tuple(
                turn.model_copy(update={"files": tuple(held), "folders": tuple(listed)})
                for turn, held, listed in zip(turns.turns, files[1:], folders[1:], strict=True)
            ),
        }
    )


def _changes[State](
    moments: Sequence[SnapshotTree], look: Callable[[SnapshotTree], State]
) -> list[tuple[int, State]]:
    """The moments from which a path was in another state, where it was in several."""
    found: list[tuple[int, State]] = []
    for number, tree in enumerate(moments):
        try:
            state = look(tree)
        except NotKept:
            continue
        if not found or state != found[-1][1]:
            found.append((number, state))
    return found if len(found) > 1 else []


def _file(path: str, data: bytes | None) -> HeldFile:
    if data is None:
        return HeldFile(path=path)
    try:
        return HeldFile(path=path, text=data.decode())
    except UnicodeDecodeError:
        return HeldFile(path=path, base64=base64.b64encode(data).decode())


def _folder(path: str, entries: tuple[Entry, ...] | None) -> HeldFolder:
    if entries is None:
        return HeldFolder(path=path)
    return HeldFolder(path=path, entries=tuple(_entry_data(entry) for entry in entries))


def _entry_data(entry: Entry) -> tuple[str | None, ...]:
    plain = (entry.name, entry.kind.value)
    return (*plain, entry.target, entry.links_to) if entry.kind is EntryKind.LINK else plain


@dataclass(frozen=True, slots=True)
class HeldTree:
    """A tree in which some paths hold what a turns file says."""

    tree: Tree
    files: dict[str, bytes | None]
    folders: dict[str, tuple[Entry, ...] | None]

    def read(self, path: str) -> bytes | None:
        """The file's bytes."""
        path = posixpath.normpath(path)
        return self.files[path] if path in self.files else self.tree.read(path)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The directory's entries; a file held in a folder that is not held is listed last."""
        path = posixpath.normpath(path)
        if path in self.folders:
            return self.folders[path]
        below = {
            posixpath.basename(file): data
            for file, data in self.files.items()
            if posixpath.dirname(file) == path
        }
        return self._listed(self.tree.list(path), below)

    def _listed(
        self, entries: tuple[Entry, ...] | None, below: dict[str, bytes | None]
    ) -> tuple[Entry, ...] | None:
        there = [name for name, data in below.items() if data is not None]
        if entries is None and not there:
            return None
        kept = [
            entry
            for entry in entries or ()
            if entry.kind is not EntryKind.FILE or below.get(entry.name, b"") is not None
        ]
        named = {entry.name for entry in kept}
        return (*kept, *(Entry(name, EntryKind.FILE) for name in there if name not in named))


def trees(tree: Tree, turns: Turns) -> Iterator[Tree]:
    """The tree at the start, then as each turn finds it. Raises `BadInput` naming the place."""
    at = HeldTree(tree, {}, {})
    yield (at := _after(at, turns, ""))
    for number, turn in enumerate(turns.turns):
        yield (at := _after(at, turn, f"turns.{number}."))


def _after(tree: HeldTree, held: Turn | Turns, where: str) -> HeldTree:
    if not held.files and not held.folders:
        return tree
    files, folders = dict(tree.files), dict(tree.folders)
    for number, file in enumerate(held.files):
        files[posixpath.normpath(file.path)] = _bytes(file, f"{where}files.{number}")
    for number, folder in enumerate(held.folders):
        place = f"{where}folders.{number}.entries"
        folders[posixpath.normpath(folder.path)] = _entries(folder, place)
    return replace(tree, files=files, folders=folders)


def _bytes(file: HeldFile, place: str) -> bytes | None:
    if file.text is not None:
        return file.text.encode("utf-8", "surrogatepass")
    try:
        return None if file.base64 is None else base64.b64decode(file.base64, validate=True)
    except ValueError as error:
        raise BadInput(f"{place}.base64: no base64; see docs/turns-format.md") from error


def _entries(folder: HeldFolder, place: str) -> tuple[Entry, ...] | None:
    if folder.entries is None:
        return None
    return tuple(_entry(item, f"{place}.{n}") for n, item in enumerate(folder.entries))


def _entry(item: tuple[str | None, ...], place: str) -> Entry:
    name, kind, target, links_to = (*item, None, None, None, None)[:4]
    try:
        assert name is not None
        leads = None if links_to is None else EntryKind(links_to)
        return Entry(name, EntryKind(kind or "file"), target, leads)
    except (AssertionError, ValueError) as error:
        kinds = ", ".join(EntryKind)
        raise BadInput(f"{place}: it is no name and kind ({kinds}); mend it") from error
