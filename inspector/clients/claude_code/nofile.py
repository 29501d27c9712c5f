"""What the client says where a path leads to no file it can show (`results_errors`)."""

import re

from inspector.clients.claude_code import links
from inspector.clients.claude_code.phrase import phrase
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import EntryKind, World

_SUFFIX = re.compile(r"(\.[\w+~#-]{1,32})?")


def meant(profile: Profile, world: World, path: str) -> Text:
    """The file somebody may have meant; nothing where none is like it."""
    name = _below(world, path) or _sibling(world, path)
    origin = Origin(Kind.COMPUTED, "a file of a like name")
    return phrase(profile, "read.meant", name=text(name, origin)) if name else EMPTY


def circular(world: World, path: str) -> bool:
    """Whether links lead on and on."""
    return links.is_link(world.tree, links.resolved(world.tree, path, (_folder(path),)))


def below_a_file(world: World, path: str) -> bool:
    """Whether a part of the path that should be a folder is a file."""
    return _kind(world, _folder(path)) is EntryKind.FILE


def _below(world: World, path: str) -> str:
    """The same path below the working directory, where it was given below its parent."""
    cwd = world.environment.cwd
    parent = _folder(cwd)
    if not path.startswith(f"{parent.rstrip('/')}/") or f"{path}/".startswith(f"{cwd}/"):
        return ""
    found = cwd + path[len(parent.rstrip("/")) :]
    return found if _kind(world, found) is not None else ""


def _kind(world: World, path: str) -> EntryKind | None:
    """What stands there, as its folder's listing tells; None for nothing, or where nobody knows."""
    folder, _, name = path.rpartition("/")
    try:
        entries = world.tree.list(folder or "/") or ()
    except NotKept:
        return None
    found = next((entry for entry in entries if entry.name == name), None)
    return None if found is None else found.links_to if found.target else found.kind


def _sibling(world: World, path: str) -> str:
    """The first file beside it of the same name with another suffix."""
    folder, _, name = path.rpartition("/")
    try:
        entries = world.tree.list(folder or "/") or ()
    except NotKept:
        return ""
    own = _parts(name)[0]
    for entry in entries:
        stem, suffix = _parts(entry.name)
        if stem == own and entry.name != name and _SUFFIX.fullmatch(suffix):
            return entry.name
    return ""


def _parts(name: str) -> tuple[str, str]:
    """A name and its suffix; a dot at the beginning begins none."""
    dot = name.rfind(".")
    return (name[:dot], name[dot:]) if dot > 0 else (name, "")


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "/"
