"""What surrounds a conversation: tools, servers, agents, skills and manners, told at its start."""

from inspector.clients.claude_code import (
    agents,
    briefing,
    listing,
    service,
    unreached,
    usage,
)
from inspector.clients.claude_code.phrase import paragraphs, phrase
from inspector.clients.claude_code.state import State
from inspector.text import Text
from inspector.workspace import World


def around(state: State, world: World) -> list[Text]:
    """The paragraphs of a session's start that stand before the skills."""
    profile, environment = state.profile, world.environment
    process, pool = state.process, state.process.pool
    parts = {
        "environment": briefing.surroundings(profile, world),
        "model": briefing.powered(profile, process.given),
        "style": briefing.styled(profile, process.style),
        "language": briefing.language(profile, process.settings),
        "deep": briefing.deep(profile, environment, state.asked),
        "deferred": _waiting(state, world),
        "agents": agents.listing(profile, environment, process.settings, process.agents)
        if pool.has("Agent")
        else None,
        "servers": briefing.servers(profile, world.listings),
        "dropped": briefing.dropped(profile, world.listings, service.named(world)),
    }
    if profile.switches["attachments"] == "no":
        parts = {name: parts[name] for name in ("agents", "environment", "model")}
    return briefing.present({name: part for name, part in parts.items() if profile.told(name)})


def _waiting(state: State, world: World) -> Text | None:
    """Tools that wait, and servers that have none to give: one reminder on older models."""
    profile, pool = state.profile, state.process.pool
    # What was loaded before this is told waits no longer (`heavy_mcp_blobs`).
    waiting = [name for name in pool.deferred if name not in state.loaded]
    deferred = briefing.deferred(profile, waiting) if pool.announced else None
    told = profile.told("failed") and pool.searching
    return paragraphs(
        [part for part in (deferred, unreached.told(profile, world) if told else None) if part]
    )


def listed(state: State, world: World) -> list[Text]:
    """The skills of a session's start, with those that came into reach since."""
    process, settings = state.process, state.process.settings
    if not process.pool.has("Skill"):
        return []
    ready, late = (listing.visible(settings, group) for group in (state.ready, state.late))
    around = world.environment
    scores = usage.scores(process.usage, state.now or around.date)
    said = listing.listing(state.profile, around, settings, ready, late, scores)
    return [phrase(state.profile, "skills", skills=said)] if said else []


def manners(state: State, world: World) -> list[Text]:
    """The paragraph of the permission mode, which stands behind the skills."""
    mode = briefing.mode(state.profile, world.environment, state.moded, state.said)
    return [mode] if mode else []


def style(state: State) -> list[Text]:
    """The reminder of the output style, told with every prompt and round (`style_rounds`)."""
    active = briefing.style_active(state.profile, state.process.style)
    return [active] if active else []
