"""Looking at a workspace of which a snapshot may not have kept everything."""

from inspector.errors import NotKept
from inspector.workspace import Entry, Tree


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
