"""Why a skill or command on disk is not told to the model, or not wholly: facts for `explain`."""

from collections.abc import Iterator, Mapping, Sequence

from inspector.clients import Meter
from inspector.clients.claude_code import listing, usage
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.left_out import LeftOut, Reason
from inspector.clients.claude_code.settings import Settings, config_file, known, parsed
from inspector.clients.claude_code.skills import Skill, manner, survey, untold
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.workspace import World

_OVERRIDES = {
    "off": Reason.SWITCHED_OFF,
    "user-invocable-only": Reason.PEOPLE_ONLY,
    "name-only": Reason.NAME_ONLY,
}


def reasons(world: World, profile: Profile, now: str = "") -> tuple[LeftOut, ...]:
    """Every skill and command that is passed over, waits, or is told in part; `now` is ISO 8601."""
    environment = world.environment
    chosen = known(world, profile)
    found = survey(world.tree, environment, chosen, manner(profile))
    shown, scores = _listed(world, chosen, found.skills, now)
    short = {skill.path for skill in listing.shortened(profile, environment, chosen, shown, scores)}
    own = [
        reason
        for skill in (*found.skills, *found.later)
        for reason in _of(profile, chosen, skill, shortened=skill.path in short)
    ]
    return (*found.passed, *own)


def meter(world: World, profile: Profile, now: str = "") -> Meter:
    """What the listing takes of its budget, in columns of a terminal."""
    environment = world.environment
    chosen = known(world, profile)
    found = survey(world.tree, environment, chosen, manner(profile))
    shown, scores = _listed(world, chosen, found.skills, now)
    size = listing.wanted(profile, chosen, shown, scores)
    limit = listing.budget(profile, environment, chosen)
    setting = f"SLASH_COMMAND_TOOL_CHAR_BUDGET={size}"
    return Meter("skill listing", size, limit, "columns", setting)


def _listed(
    world: World, chosen: Settings, skills: Sequence[Skill], now: str
) -> tuple[Sequence[Skill], Mapping[str, float]]:
    """The skills that the listing has, and what the use of each is worth."""
    ready = [skill for skill in skills if skill.globs is None]
    used = usage.used(_config(world))
    return listing.visible(chosen, ready), usage.scores(used, now or world.environment.date)


def _of(profile: Profile, chosen: Settings, skill: Skill, *, shortened: bool) -> Iterator[LeftOut]:
    words: list[tuple[Reason, str]] = []
    if not skill.shown:
        words.append((Reason.FOR_PEOPLE_ONLY, ""))
    if skill.globs is not None:
        words.append((Reason.WAITS, ", ".join(skill.globs)))
    override = _OVERRIDES.get(listing.overridden(chosen, skill.name))
    words += [(override, "")] if override else []
    if not words and shortened:
        words.append((Reason.OVER_BUDGET, ""))
    elif not words and listing.cut_off(profile, chosen, skill):
        words.append((Reason.CUT, ""))
    for reason, detail in words:
        yield untold(skill, reason, detail)


def _config(world: World) -> dict[str, object]:
    try:
        return parsed(decode(world.tree.read(config_file(world.environment)) or b""))
    except NotKept:
        return {}
