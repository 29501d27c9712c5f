"""Looking at a workspace of which a snapshot may not have kept everything."""

from collections.abc import Iterator

from inspector.errors import NotKept
from inspector.workspace import Entry, EntryKind, Tree


def kept(tree: Tree, path: str) -> bytes | None:
    """A file's bytes; none where the snapshot has not kept it, so that the rest is built."""
    try:
        return tree.read(path)
    except NotKept:
        return None


def entries(tree: Tree, folder: str) -> tuple[Entry, ...]:
    """A folder's entries; none where the client never looked (an older snapshot)."""
    try:
        return tree.list(folder) or ()
    except NotKept:
        return ()


def markdown(tree: Tree, folder: str) -> Iterator[str]:
    """The Markdown files of a folder and of those below it, in the order the disk has."""
    for entry in entries(tree, folder):
        path = f"{folder}/{entry.name}"
        if entry.kind is EntryKind.DIRECTORY:
            yield from markdown(tree, path)
        elif entry.name.endswith(".md"):
            yield path
