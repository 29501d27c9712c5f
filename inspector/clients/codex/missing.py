"""What `explain` asks of this client: what a file is to it, and what it left out."""

from collections.abc import Sequence

from inspector.clients import Called, Meter, Missing
from inspector.clients.codex import agents, listing, skills
from inspector.clients.codex.config import broken, read
from inspector.clients.codex.paths import parent
from inspector.clients.codex.unoffered import unoffered
from inspector.profiles import Profile
from inspector.workspace import World

_OVER = "the listing is over its budget"
_MEMORY = ("AGENTS.md", "AGENTS.override.md")


def called(path: str) -> Called:
    """What a file is to the client, by where it stands."""
    *folders, file = path.split("/")
    if file == "SKILL.md" and folders:
        return Called("skill", folders[-1])
    if folders and folders[-1] == "prompts":
        return Called("command", file.removesuffix(".md"))
    return Called("rule" if file in _MEMORY else "file", file)


def meters(world: World, profile: Profile) -> Sequence[Meter]:
    """What the chain of AGENTS.md and the skill listing take of their budgets."""
    config = read(world.tree, world.environment)
    size, room = agents.asked(world.tree, config, profile)
    rules = Meter("AGENTS.md", size, room, "bytes", f"project_doc_max_bytes={size}")
    ready, roots = skills.found(world, config, profile), skills.roots(world, config, profile)
    cost, limit, unit = listing.asked(ready, roots, profile)
    # The window of a model is what it is; fewer or shorter descriptions make room.
    return rules, Meter("skill listing", cost, limit, unit, "")


def below(world: World, path: str) -> Sequence[Missing]:
    """Why an AGENTS.md below the working directory is not read."""
    known = called(path)
    cwd = world.environment.cwd.rstrip("/")
    if known.kind != "rule" or not parent(path).startswith(f"{cwd}/"):
        return ()
    words = "the client reads from the project's root down to the working directory, not below it"
    return (Missing(known.kind, known.name, path, words, code="below"),)


def missing(world: World, profile: Profile) -> Sequence[Missing]:
    """Rules that are hidden or cut; skills, servers and tools that are refused or kept back."""
    config = read(world.tree, world.environment)
    parts = [line.partition(": ") for line in skills.faults(world, config, profile)]
    refused = [
        Missing("skill", called(path).name, path, why, code="refused") for path, _, why in parts
    ]
    held = [
        Missing("skill", str(skill.name), skill.path, why, code="kept-back")
        for skill, why in skills.kept_back(world, config, profile)
    ]
    ready, roots = skills.found(world, config, profile), skills.roots(world, config, profile)
    cut = [
        Missing("skill", str(skill.name), skill.path, f"{_OVER}: {left}", code="over-budget")
        for skill, left in listing.shortened(ready, roots, profile)
        if skill.root.scope != "system"
    ]
    unread = [
        Missing("settings", path.rpartition("/")[2], path, why, code="no-toml")
        for path, why in broken(world.tree, world.environment)
    ]
    return (
        *unread,
        *agents.untold(world.tree, config, world.environment.config_home, profile),
        *refused,
        *held,
        *cut,
        *unoffered(world, config, profile),
    )
