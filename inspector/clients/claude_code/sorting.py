"""Folders as a client sees them whose runtime sorts what a folder lists."""

from dataclasses import dataclass, replace

from inspector.profiles import Profile
from inspector.workspace import Entry, Tree, World


@dataclass(frozen=True, slots=True)
class _Sorted:
    """A tree whose folders list their entries by the bytes of their names (node's `scandir`)."""

    tree: Tree

    def read(self, path: str) -> bytes | None:
        return self.tree.read(path)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        found = self.tree.list(path)
        if found is None:
            return None
        return tuple(sorted(found, key=lambda entry: entry.name.encode("utf-8", "surrogatepass")))


def seen(world: World, profile: Profile) -> World:
    """The world as the client's runtime shows it."""
    if profile.switches["folders"] != "sorted" or isinstance(world.tree, _Sorted):
        return world
    return replace(world, tree=_Sorted(world.tree))
