"""Workspace files that the client reads otherwise than their author meant, each with the reason."""

from collections.abc import Iterator

from inspector import profiles
from inspector.clients.claude_code import mcp, rules, skills
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.left_out import Reason
from inspector.clients.claude_code.looking import entries, kept, markdown
from inspector.clients.claude_code.settings import Settings, known
from inspector.clients.claude_code.unreadable import unreadable
from inspector.clients.claude_code.why_not import configured
from inspector.profiles import Profile
from inspector.text import Kind, Origin, text
from inspector.workspace import EntryKind, Tree, World, spelled

_READ = {"agents": "left out by the client", "rules": "read by the client as text"}
"""What becomes of a file whose frontmatter cannot be mended."""


def faults(world: World) -> Iterator[str]:
    """Files the client cannot read as what they are: configuration, frontmatter, names."""
    environment = world.environment
    profile = profiles.resolve(profiles.find(environment.client, environment.version), {})
    chosen = known(world, profile)
    yield from _configuration(world, profile, chosen)
    for skill in skills.survey(world.tree, environment, chosen, skills.manner(profile)).skills:
        yield from _told(world.tree, skill.path, "read by the client without it")
    if rules.reads_nothing(environment):
        return
    for base in _bases(world, chosen):
        for kind, unread in _READ.items():
            for path in markdown(world.tree, f"{base}/{kind}"):
                yield from _told(world.tree, path, unread)
        for kind in ("agents", "commands", "rules", "skills"):
            for path in _odd(world.every, f"{base}/{kind}", deep=kind != "skills"):
                yield f"{path!a}: its name is no UTF-8; left out by the client"


def _configuration(world: World, profile: Profile, chosen: Settings) -> Iterator[str]:
    """What cannot be read, and what configuration asks for and nobody switched off."""
    for item in unreadable(world, chosen):
        yield f"{item.path}: {item.words}; left out by the client"
    for item in configured(world, profile):
        if item.reason in {Reason.NO_JSON, Reason.FOLDER}:
            yield f"{item.path}: {item.words}; the client goes on without it"
        elif item.kind == "permission" and item.reason is not Reason.UNTRUSTED:
            yield f"{item.path}: permission rule {item.name}: {item.words}; it holds for nothing"
        elif item.reason is Reason.MALFORMED:
            yield f"{item.path}: MCP server {item.name}: {item.words}; passed over by the client"


def listed(world: World) -> Iterator[str]:
    """Servers whose answer is no list of tools; `missing` has them with reasons of their own."""
    for listing in world.listings:
        if mcp.entries(listing) is None:
            words = "what it answered holds no list of tools that the client can read"
            yield f"MCP server {listing.server}: {words}; its tools are left out"


def _bases(world: World, chosen: Settings) -> Iterator[str]:
    """Folders whose agents, rules, skills and commands the client reads at start."""
    if "user" in chosen.sources:
        yield world.environment.config_home
    if "project" in chosen.sources:
        yield f"{world.environment.cwd}/.claude"


def _odd(tree: Tree, folder: str, *, deep: bool) -> Iterator[str]:
    for entry in entries(tree, folder):
        path = f"{folder}/{entry.name}"
        if not spelled(entry.name):
            yield path
        elif deep and entry.kind is EntryKind.DIRECTORY:
            yield from _odd(tree, path, deep=deep)


def _told(tree: Tree, path: str, unread: str) -> Iterator[str]:
    front = document(text(decode(kept(tree, path) or b""), Origin(Kind.FILE, path)))
    if front.problem:
        said = "mended and read by the client" if front.values else unread
        yield f"{path}: its frontmatter is no YAML ({front.problem}); {said}"
