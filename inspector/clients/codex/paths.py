"""Absolute paths as text, and what a tree says about them.

Between folders stands `/`, on Windows too: so the client itself writes `C:/…/SKILL.md`.
"""

import re
from posixpath import normpath

from inspector.workspace import EntryKind, Tree

_ABSOLUTE = re.compile("/|[A-Za-z]:/")


def join(folder: str, name: str) -> str:
    """The path of `name` below `folder`; an absolute name stands alone."""
    return normpath(name if _ABSOLUTE.match(name) else f"{folder.rstrip('/')}/{name}")


def parent(path: str) -> str:
    """The folder a path stands in; the root is its own parent."""
    return path.rstrip("/").rpartition("/")[0] or "/"


def name(path: str) -> str:
    """The last part of a path."""
    return path.rstrip("/").rpartition("/")[2]


def ancestors(path: str) -> list[str]:
    """The path itself and every folder above it, nearest first."""
    found = [path]
    while found[-1] != "/":
        found.append(parent(found[-1]))
    return found


def exists(tree: Tree, path: str) -> bool:
    """Whether a folder or a readable file stands at the path."""
    return tree.list(path) is not None or tree.read(path) is not None


def leads_to(kind: EntryKind, links_to: EntryKind | None) -> EntryKind | None:
    """What an entry is once links are followed; None for a broken link."""
    return links_to if kind is EntryKind.LINK else kind


def project_root(tree: Tree, cwd: str, markers: tuple[str, ...]) -> str:
    """The nearest folder from `cwd` upwards that holds a marker; `cwd` where none does."""
    for folder in ancestors(cwd):
        if any(exists(tree, join(folder, marker)) for marker in markers):
            return folder
    return cwd


def from_root(root: str, cwd: str) -> list[str]:
    """The folders from the project root down to `cwd`, both included."""
    chain = ancestors(cwd)
    return chain[: chain.index(root) + 1][::-1]
