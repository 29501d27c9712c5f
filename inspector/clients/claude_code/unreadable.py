"""Files and links that stand where the client looks, and that it cannot read."""

from collections.abc import Iterator

from inspector.clients.claude_code import links, rules
from inspector.clients.claude_code.left_out import Kind, LeftOut, Reason
from inspector.clients.claude_code.looking import entries
from inspector.clients.claude_code.settings import Settings
from inspector.errors import NotKept
from inspector.workspace import Entry, EntryKind, World

_MEMORY = ("CLAUDE.md", "CLAUDE.local.md")
_FOLDERS: dict[str, Kind] = {
    "agents": "agent",
    "commands": "command",
    "output-styles": "style",
    "rules": "rule",
    "skills": "skill",
}
_CONFIGURED: dict[str, Kind] = {
    ".mcp.json": "server",
    "settings.json": "settings",
    "settings.local.json": "settings",
    "SKILL.md": "skill",
}


def unreadable(world: World, chosen: Settings) -> Iterator[LeftOut]:
    """Each once, where it stands."""
    environment = world.environment
    cwd, home = environment.cwd, environment.config_home
    found = _named(world, home, ("settings.json",)) if "user" in chosen.sources else iter(())
    yield from found
    if "project" in chosen.sources:
        yield from _named(world, cwd, (".mcp.json",))
        yield from _named(world, f"{cwd}/.claude", ("settings.json", "settings.local.json"))
    if rules.reads_nothing(environment):
        return
    yield from _named(world, home, _MEMORY) if "user" in chosen.sources else ()
    for folder in rules.folders(cwd) if "project" in chosen.sources else ():
        yield from _named(world, folder, _MEMORY)
        yield from _named(world, f"{folder}/.claude", _MEMORY)
    for base in dict.fromkeys(_bases(world, chosen)):
        for entry in entries(world.tree, base):
            if entry.name in _FOLDERS and _is_shut(world, f"{base}/{entry.name}", entry):
                path = f"{base}/{entry.name}"
                yield LeftOut(_FOLDERS[entry.name], entry.name, path, Reason.UNREADABLE)
        for name, kind in _FOLDERS.items():
            yield from _below(world, f"{base}/{name}", kind)


def _bases(world: World, chosen: Settings) -> Iterator[str]:
    if "user" in chosen.sources:
        yield world.environment.config_home
    if "project" in chosen.sources:
        yield f"{world.environment.cwd}/.claude"


def _named(world: World, folder: str, names: tuple[str, ...]) -> Iterator[LeftOut]:
    for entry in entries(world.tree, folder):
        if entry.name in names:
            yield from _entry(world, folder, entry, _CONFIGURED.get(entry.name, "rule"))


def _below(world: World, folder: str, kind: Kind) -> Iterator[LeftOut]:
    for entry in entries(world.tree, folder):
        path = f"{folder}/{entry.name}"
        if _is_shut(world, path, entry):
            yield LeftOut(kind, entry.name, path, Reason.UNREADABLE)
        elif kind == "skill" and entry.name == "SKILL.md":
            yield from _entry(world, folder, entry, kind)
        elif _leads_to(entry) is EntryKind.DIRECTORY:
            yield from _inner(world, folder, entry, kind)
        elif entry.name.endswith(".md") or entry.kind is EntryKind.LINK:
            yield from _entry(world, folder, entry, kind)


def _inner(world: World, folder: str, entry: Entry, kind: Kind) -> Iterator[LeftOut]:
    path = f"{folder}/{entry.name}"
    if entry.kind is not EntryKind.LINK:
        yield from _below(world, path, kind)
    elif f"{folder}/".startswith(f"{links.resolved(world.tree, path, (folder,))}/"):
        yield LeftOut(kind, entry.name, path, Reason.CIRCLE)
    elif kind == "skill":
        yield from _named(world, path, ("SKILL.md",))


def _entry(world: World, folder: str, entry: Entry, kind: Kind) -> Iterator[LeftOut]:
    path, leads_to = f"{folder}/{entry.name}", _leads_to(entry)
    if leads_to is None:
        end = links.resolved(world.tree, path, (folder,))
        circle = links.is_link(world.tree, end)
        yield LeftOut(kind, entry.name, path, Reason.CIRCLE if circle else Reason.LEADS_NOWHERE)
    elif leads_to is EntryKind.OTHER:
        yield LeftOut(kind, entry.name, path, Reason.NO_FILE)
    elif leads_to is EntryKind.DIRECTORY and kind != "rule":  # those `misread` names
        yield LeftOut(kind, entry.name, path, Reason.FOLDER)
    elif leads_to is EntryKind.FILE and _is_closed(world, path):
        yield LeftOut(kind, entry.name, path, Reason.UNREADABLE)


def _is_shut(world: World, path: str, entry: Entry) -> bool:
    """Whether an entry is a folder whose entries nobody may see."""
    try:
        return _leads_to(entry) is EntryKind.DIRECTORY and world.tree.list(path) is None
    except NotKept:
        return False


def _is_closed(world: World, path: str) -> bool:
    try:
        return world.tree.read(path) is None
    except NotKept:
        return False


def _leads_to(entry: Entry) -> EntryKind | None:
    return entry.links_to if entry.kind is EntryKind.LINK else entry.kind
