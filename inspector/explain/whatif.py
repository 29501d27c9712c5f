"""What would change in the requests if a file, server or setting were there or not."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from inspector.errors import NotKept
from inspector.explain.items import Item
from inspector.explain.texts import Body
from inspector.jsontext import parse
from inspector.segments.difference import first_difference
from inspector.text.origin import size
from inspector.workspace import Entry, EntryKind, Tree, World


@dataclass(frozen=True, slots=True)
class Change:
    """A world other than it is."""

    added: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Files that are there, too, or with another text; by absolute path."""
    removed: frozenset[str] = frozenset()
    """Files and folders that are not there."""
    servers: frozenset[str] = frozenset()
    """MCP servers that are not there."""

    def of(self, world: World) -> World:
        """The world with the change made."""
        listings = tuple(item for item in world.listings if item.server not in self.servers)
        return replace(world, tree=ChangedTree(world.tree, self), listings=listings)


@dataclass(frozen=True, slots=True)
class ChangedTree:
    """A tree in which files are added or missing; new entries stand last in their folder."""

    tree: Tree
    change: Change

    def read(self, path: str) -> bytes | None:
        """The file's bytes."""
        path = posixpath.normpath(path)
        if path in self.change.added:
            return self.change.added[path]
        return None if self._gone(path) else self.tree.read(path)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The folder's entries."""
        path = posixpath.normpath(path)
        new = self._new(path)
        if self._gone(path) and not new:
            return None
        try:
            found = None if self._gone(path) else self.tree.list(path)
        except NotKept:
            if not new:
                raise
            found = None
        if found is None and not new:
            return None
        kept = [item for item in found or () if not self._gone(posixpath.join(path, item.name))]
        names = {item.name for item in kept}
        return (*kept, *(item for name, item in new.items() if name not in names))

    def _new(self, folder: str) -> dict[str, Entry]:
        """Entries that the added files bring to a folder."""
        base = folder.rstrip("/") + "/"
        below = [path[len(base) :] for path in self.change.added if path.startswith(base)]
        parts = [path.partition("/") for path in below]
        return {
            name: Entry(name, EntryKind.DIRECTORY if rest else EntryKind.FILE)
            for name, rest, _ in parts
        }

    def _gone(self, path: str) -> bool:
        if path in self.change.added:
            return False
        return any(path == gone or path.startswith(f"{gone}/") for gone in self.change.removed)


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of one item; None: it is not there at all."""

    before: Item | None
    after: Item | None

    @property
    def item(self) -> Item:
        """The item, as it is or was."""
        found = self.after or self.before
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Resized:
    """One request before and after."""

    exchange: str
    before: int
    """Bytes."""
    after: int
    same: int
    """Bytes from its start that stay as they are."""
    path: str
    """Where the first change is; empty where there is none."""


def effects(before: Iterable[Item], after: Iterable[Item]) -> list[Effect]:
    """The items that are not as they were, in the order of the requests."""
    old = {_key(item): item for item in before}
    new = {_key(item): item for item in after}
    pairs = [Effect(old.get(key), item) for key, item in new.items()]
    pairs += [Effect(item, None) for key, item in old.items() if key not in new]
    return [pair for pair in pairs if _state(pair.before) != _state(pair.after)]


def resized(before: Sequence[Body], after: Sequence[Body]) -> list[Resized]:
    """The sizes of the requests that are not as they were."""
    found: list[Resized] = []
    for old, new in zip(before, after, strict=True):
        if old.built is not None and new.built is not None and old.built.body != new.built.body:
            a, b = old.built.body, new.built.body
            same = first_difference(a, b)
            kept = size(a[:same])
            found.append(Resized(old.exchange, size(a), size(b), kept, _at(b, same)))
    return found


def document(changes: Iterable[Effect], sizes: Iterable[Resized]) -> dict[str, Any]:
    """What the document of `explain` says of a change."""
    return {
        "changes": [
            {
                "kind": effect.item.kind,
                "name": effect.item.name,
                "path": effect.item.path,
                "before": _row(effect.before),
                "after": _row(effect.after),
            }
            for effect in changes
        ],
        "requests": [asdict(size) for size in sizes],
    }


def _row(item: Item | None) -> dict[str, Any] | None:
    if item is None:
        return None
    reason = "; ".join(item.reasons)
    return {"landed": item.landed, "chars": item.chars, "reason": reason}


def _key(item: Item) -> tuple[str, str, str]:
    return item.kind, item.path, item.name


def _state(item: Item | None) -> tuple[bool, int, tuple[str, ...]] | None:
    return None if item is None else (item.landed, item.chars, tuple(item.reasons))


def _at(body: bytes, offset: int) -> str:
    """The innermost value that holds an offset."""
    inside = [
        (node.end - node.start, path)
        for path, node in parse(body).walk()
        if node.start <= offset < node.end
    ]
    return min(inside)[1] if inside else ""
