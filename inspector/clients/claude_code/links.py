"""Where a path leads when every link in it is followed.

The client asks the system. A model has only a tree's listings, so a path is walked from a folder
that is known to be real; a folder nobody listed counts as one without links.
"""

from collections.abc import Sequence

from inspector.clients.claude_code.settings import absolute
from inspector.errors import NotKept
from inspector.workspace import Entry, EntryKind, Tree

_MOST = 40
"""Links the system follows before it gives up."""


def resolved(tree: Tree, path: str, bases: Sequence[str]) -> str:
    """The path without links below the deepest of the folders that are real.

    Where none of them holds the path, its own last part alone is looked at.
    """
    for _ in range(_MOST):
        step = _step(tree, path, bases)
        if step is None:
            return path
        path = step
    return path


def is_link(tree: Tree, path: str) -> bool:
    """Whether the last part of a path is a link itself."""
    found = _entry(tree, path)
    return found is not None and found.kind is EntryKind.LINK


def leads_to(tree: Tree, path: str, bases: Sequence[str]) -> str | None:
    """Where a path leads through links below the bases; None where there is none in it."""
    end = resolved(tree, path, bases)
    return end if end != path else None


def _step(tree: Tree, path: str, bases: Sequence[str]) -> str | None:
    """The path with its first link followed once; None where there is none."""
    start = max((base for base in bases if path.startswith(f"{base}/")), key=len, default=None)
    if start is None:
        start = path.rpartition("/")[0]
    parts = path[len(start) + 1 :].split("/")
    folder = start
    for number, part in enumerate(parts):
        found = _entry(tree, f"{folder}/{part}")
        if found is not None and found.kind is EntryKind.LINK and found.target:
            rest = "/".join(parts[number + 1 :])
            whole = absolute(found.target, folder or "/")
            return f"{whole}/{rest}" if rest else whole
        folder = f"{folder}/{part}"
    return None


def _entry(tree: Tree, path: str) -> Entry | None:
    folder, _, name = path.rpartition("/")
    try:
        entries = tree.list(folder or "/") or ()
    except NotKept:
        return None
    return next((entry for entry in entries if entry.name == name), None)
