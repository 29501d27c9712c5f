"""Why a skill or command on disk is not told to the model, or not wholly: facts for `explain`.

The reasons, one word each:
`no-skill-file` a folder without `SKILL.md` · `not-in-a-folder` a Markdown file among the folders ·
`name-reserved`, `name-refused` the client takes no such name · `too-large` · `duplicate` the same
file, reached before (`other`) · `name-taken` another one has the name (`other`) · `beside-a-pack` a
command beside a `SKILL.md` · `for-people-only` `disable-model-invocation` · `waits-for-a-file`
`paths:` · `switched-off`, `people-only-by-setting`, `name-only-by-setting` `skillOverrides` ·
`over-budget` listed by name only · `cut` the end of its description is left out.
"""

from collections.abc import Iterator

from inspector.clients.claude_code import listing, usage
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.settings import Settings, config_file, parsed, settings
from inspector.clients.claude_code.skills import Passed, Skill, survey
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.workspace import World

_OVERRIDES = {
    "off": "switched-off",
    "user-invocable-only": "people-only-by-setting",
    "name-only": "name-only-by-setting",
}


def reasons(world: World, profile: Profile, now: str = "") -> tuple[Passed, ...]:
    """Every skill and command that is passed over, waits, or is told in part; `now` is ISO 8601."""
    environment = world.environment
    chosen = settings(world.tree, environment)
    found = survey(world.tree, environment, chosen)
    ready = [skill for skill in found.skills if skill.globs is None]
    shown = listing.visible(chosen, ready)
    scores = usage.scores(usage.used(_config(world)), now or environment.date)
    short = {skill.path for skill in listing.shortened(profile, environment, chosen, shown, scores)}
    own = [
        reason
        for skill in (*found.skills, *found.later)
        for reason in _of(profile, chosen, skill, shortened=skill.path in short)
    ]
    return (*found.passed, *own)


def _of(profile: Profile, chosen: Settings, skill: Skill, *, shortened: bool) -> Iterator[Passed]:
    kind = "command" if skill.folder is None else "skill"
    words: list[str] = []
    if not skill.shown:
        words.append("for-people-only")
    if skill.globs is not None:
        words.append("waits-for-a-file")
    override = _OVERRIDES.get(listing.overridden(chosen, skill.name))
    words += [override] if override else []
    if not words and shortened:
        words.append("over-budget")
    elif not words and listing.cut_off(profile, chosen, skill):
        words.append("cut")
    for word in words:
        yield Passed(kind, skill.name, skill.path, word)


def _config(world: World) -> dict[str, object]:
    try:
        return parsed(decode(world.tree.read(config_file(world.environment)) or b""))
    except NotKept:
        return {}
