"""Workspace files that the client reads otherwise than their author meant, each with the reason."""

from collections.abc import Iterator

from inspector.clients.claude_code import rules, skills
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.plain import is_mapping
from inspector.clients.claude_code.settings import Settings, settings
from inspector.errors import NotKept
from inspector.jsontext import read
from inspector.text import Kind, Origin, text
from inspector.workspace import Entry, EntryKind, Tree, World, spelled

_MEMORY = ("CLAUDE.md", "CLAUDE.local.md")
_READ = {"agents": "left out by the client", "rules": "read by the client as text"}
"""What becomes of a file whose frontmatter cannot be mended."""


def faults(world: World) -> Iterator[str]:
    """Files the client cannot read as what they are: configuration, frontmatter, names."""
    environment = world.environment
    chosen = settings(world.tree, environment)
    yield from _configuration(world, chosen)
    for skill in skills.found(world.tree, environment, chosen):
        yield from _told(world.tree, skill.path, "read by the client without it")
    if rules.reads_nothing(environment):
        return
    for base in _bases(world, chosen):
        for kind, unread in _READ.items():
            for path in _below(world.tree, f"{base}/{kind}"):
                yield from _told(world.tree, path, unread)
        for kind in ("agents", "commands", "rules", "skills"):
            for path in _odd(world.every, f"{base}/{kind}", deep=kind != "skills"):
                yield f"{path!a}: its name is no UTF-8; left out by the client"


def _configuration(world: World, chosen: Settings) -> Iterator[str]:
    """Settings and MCP servers that are no JSON object, and memory that is a folder."""
    environment = world.environment
    names = ["user"] if "user" in chosen.sources else []
    places = {"user": f"{environment.config_home}/settings.json"}
    for source, name in (("project", "settings.json"), ("local", "settings.local.json")):
        places[source] = f"{environment.cwd}/.claude/{name}"
        names += [source] if source in chosen.sources else []
    paths = [places[name] for name in names]
    for path in [*paths, f"{environment.cwd}/.mcp.json"]:
        data = _bytes(world.tree, path)
        if data and not _is_object(decode(data)):
            yield f"{path}: no JSON object; the client goes on without it"
    for folder in (environment.cwd, f"{environment.cwd}/.claude", environment.config_home):
        for entry in _entries(world.tree, folder):
            if entry.name in _MEMORY and entry.kind is EntryKind.DIRECTORY:
                yield f"{folder}/{entry.name}: a folder, not a file; the client goes on without it"


def _is_object(source: str) -> bool:
    try:
        return is_mapping(read(source))
    except ValueError:
        return False


def _bytes(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path)
    except NotKept:
        return None


def _bases(world: World, chosen: Settings) -> Iterator[str]:
    """Folders whose agents, rules, skills and commands the client reads at start."""
    if "user" in chosen.sources:
        yield world.environment.config_home
    if "project" in chosen.sources:
        yield f"{world.environment.cwd}/.claude"


def _below(tree: Tree, folder: str) -> Iterator[str]:
    for entry in _entries(tree, folder):
        path = f"{folder}/{entry.name}"
        if entry.kind is EntryKind.DIRECTORY:
            yield from _below(tree, path)
        elif entry.name.endswith(".md"):
            yield path


def _odd(tree: Tree, folder: str, *, deep: bool) -> Iterator[str]:
    for entry in _entries(tree, folder):
        path = f"{folder}/{entry.name}"
        if not spelled(entry.name):
            yield path
        elif deep and entry.kind is EntryKind.DIRECTORY:
            yield from _odd(tree, path, deep=deep)


def _entries(tree: Tree, folder: str) -> tuple[Entry, ...]:
    """A folder's entries; none where the client never looked."""
    try:
        return tree.list(folder) or ()
    except NotKept:
        return ()


def _told(tree: Tree, path: str, unread: str) -> Iterator[str]:
    data = _bytes(tree, path)
    front = document(text(decode(data or b""), Origin(Kind.FILE, path)))
    if front.problem:
        kept = "mended and read by the client" if front.values else unread
        yield f"{path}: its frontmatter is no YAML ({front.problem}); {kept}"
