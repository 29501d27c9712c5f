"""What a process reads at start, and the messages that tell the model.

At the start of a thread everything is told; later only what changed is appended, never edited.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from inspector.clients.codex import developer, listing, mcp, skills
from inspector.clients.codex.agents import Instructions, instructions
from inspector.clients.codex.config import Config, read
from inspector.clients.codex.environment_context import Surroundings, surroundings
from inspector.clients.codex.fill import fill
from inspector.clients.codex.items import Part
from inspector.clients.codex.loose import Json
from inspector.clients.codex.params import model, output_schema, workspaces
from inspector.clients.codex.prompt import Image, images
from inspector.profiles import Profile
from inspector.text import EMPTY, Raw, Text
from inspector.workspace import World


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a process tells the model about where it is."""

    config: Config
    base: Text
    agents: Instructions
    skills: tuple[skills.Skill, ...]
    skills_block: Text
    permissions: Text
    collaboration: Text
    role: Text
    mode: Text
    own: Text
    surroundings: Surroundings
    namespaces: tuple[mcp.Namespace, ...]
    connected: bool
    """Whether any MCP server answered."""
    images: tuple[Image, ...]
    schema: Raw | None
    """What the answer must look like."""
    workspaces: Text
    """What git says, for the turn's metadata."""
    tools_block: Text = field(default=EMPTY)


def context(world: World, profile: Profile, off: frozenset[str] = frozenset()) -> Context:
    """Read it all; `off` names MCP servers that were not ready."""
    config = read(world.tree, world.environment)
    found = skills.found(world, config, profile)
    shown = config.flag("skills", "include_instructions", default=True)
    roots, measured = skills.roots(world, config, profile), listing.windowed(config, profile)
    block = listing.block(found, roots, measured) if shown else EMPTY
    spaces = tuple(mcp.namespaces(world.listings, off, config, profile))
    return Context(
        config=config,
        base=developer.base(world, config, profile, {}),
        agents=instructions(world, config, profile),
        skills=tuple(found),
        skills_block=block,
        permissions=developer.permissions(world, config, profile),
        collaboration=developer.collaboration(world, config, profile, {}),
        role=developer.role(world, profile, {}),
        mode=developer.mode(profile),
        own=developer.own(config),
        surroundings=surroundings(world.environment, config, profile),
        namespaces=spaces,
        connected=bool(mcp.connected(world.listings, off)),
        images=images(world.tree, config),
        schema=output_schema(world, config),
        workspaces=workspaces(world.environment.git),
        tools_block=mcp.deferred_block(spaces, profile),
    )


def fetched(before: Context, world: World, profile: Profile, found: Json) -> Context:
    """The same context with what a server's catalog says of the model."""
    config = before.config
    return replace(
        before,
        base=developer.base(world, config, profile, found),
        collaboration=developer.collaboration(world, config, profile, found),
        role=developer.role(world, profile, found),
    )


def with_servers(before: Context, world: World, profile: Profile, off: frozenset[str]) -> Context:
    """The same context after MCP servers became ready or failed."""
    spaces = tuple(mcp.namespaces(world.listings, off, before.config, profile))
    return replace(
        before,
        namespaces=spaces,
        connected=bool(mcp.connected(world.listings, off)),
        tools_block=mcp.deferred_block(spaces, profile),
    )


type Message = tuple[str, tuple[Part, ...]]


def opening(now: Context, profile: Profile, *, switched: bool = False) -> list[Message]:
    """The messages before the first prompt of a thread; `switched`: another model began it."""
    parts = {
        "base": now.base,
        "switch": developer.switched(now.base, profile) if switched else EMPTY,
        "own": now.own,
        "skills": now.skills_block,
        "permissions": now.permissions,
        "collaboration": now.collaboration,
        "tools": now.tools_block,
        "role": now.role,
        "mode": now.mode,
        "agents": now.agents.wrapped(profile),
        "environment": _told(now) and now.surroundings.whole(profile),
    }
    made: list[Message] = []
    for slot in profile.lists["opening"]:
        role, _, names = slot.partition(":")
        found = tuple(Part(name, parts[name]) for name in names.split() if parts[name])
        if found:
            made.append((role, found))
    return made


def _told(now: Context) -> Text:
    on = now.config.flag("include_environment_context", default=True)
    return now.surroundings.cwd if on else EMPTY


def changes(before: Context, now: Context, profile: Profile) -> list[Message]:
    """The messages before a later prompt: what is no longer as it was told.

    Older versions tell of a part of it only (witness: 0.116, agents_change).
    """
    told = profile.lists["changes"]
    parts = [(role, p) for role, p in _changed(before, now, profile) if p.kind in told]
    made: list[Message] = []
    for role, part in parts:
        if made and made[-1][0] == role:
            made[-1] = (role, (*made[-1][1], part))
        else:
            made.append((role, (part,)))
    return made


def _changed(before: Context, now: Context, profile: Profile) -> Iterator[tuple[str, Part]]:
    moved = str(before.surroundings.cwd) != str(now.surroundings.cwd)
    if str(before.agents.body) != str(now.agents.body) or (moved and now.agents.body):
        yield "user", Part("agents", _agents(before, now, profile))
    if before.skills_block and not now.skills_block:
        yield "developer", Part("skills", profile.literal("skills.gone"))
    for name, old, new in (
        ("skills", before.skills_block, now.skills_block),
        ("permissions", before.permissions, now.permissions),
    ):
        if new and str(old) != str(new):
            yield "developer", Part(name, new)
    mode = _collaboration(before, now, profile)
    if mode:
        yield "developer", Part("collaboration", mode)
    if _told(now) and _differs(before.surroundings, now.surroundings):
        told = now.surroundings
        yield "user", Part("environment", told.whole(profile) if moved else told.partial(profile))
    block = mcp.changed_block(before.namespaces, now.namespaces, profile)
    if block:
        yield "developer", Part("tools", block)


def introduced(before: Context, now: Context, profile: Profile) -> Text:
    """What a model is told first that goes on for another one, or with other words."""
    if not _switched(before, now, profile):
        return EMPTY
    old, new = (model(one.config, profile) for one in (before, now))
    told = profile.literal("model.open")
    if str(old) != str(new):
        told += fill(profile.literal("model.now"), {"model": new})
    if str(before.base) != str(now.base):
        told += fill(profile.literal("model.replaced"), {"base": now.base})
    return told + profile.literal("model.close")


def succeeded(before: Context, now: Context) -> list[Part]:
    """What it is told last, each part by itself: its place among agents, where that is another."""
    if str(before.role) == str(now.role):
        return []
    parts = {"role": now.role, "mode": now.mode}
    return [Part(kind, content) for kind, content in parts.items() if content]


def _switched(before: Context, now: Context, profile: Profile) -> bool:
    """Whether another model goes on, or the same one with other words of a server's catalog."""
    if profile.switches["tools"] == "item" and str(before.base) != str(now.base):
        return True
    return len({str(model(one.config, profile)) for one in (before, now)}) > 1


def _collaboration(before: Context, now: Context, profile: Profile) -> Text:
    """The collaboration mode as the next model must know it; told anew to every other model."""
    new = now.collaboration
    if not _switched(before, now, profile):
        return new if str(new) != str(before.collaboration) else EMPTY
    none = profile.literal("collaboration.open") + profile.literal("collaboration.close")
    return new or (none if before.collaboration else EMPTY)


def _differs(before: Surroundings, now: Surroundings) -> bool:
    old, new = (
        [str(s.cwd), str(s.shell), str(s.date), str(s.timezone), str(s.filesystem)]
        for s in (before, now)
    )
    return old != new


def _agents(before: Context, now: Context, profile: Profile) -> Text:
    if not now.agents.body:
        return now.agents.wrapped(profile, profile.literal("agents.gone"))
    preface = profile.literal("agents.replaced") if before.agents.body else EMPTY
    return now.agents.wrapped(profile, preface)
