"""The skill listing: one line a skill, under a budget of columns."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.clients.claude_code.columns import width
from inspector.clients.claude_code.javascript import sliced, units
from inspector.clients.claude_code.phrase import computed, lines, phrase
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.skills import Skill
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Environment


@dataclass(frozen=True, slots=True)
class _Line:
    full: Text
    short: Text
    columns: int
    fixed: bool
    """A bundled skill, or one listed by name only: its line stays as it is."""
    score: float

    @property
    def short_columns(self) -> int:
        return width(str(self.short))


def listing(
    profile: Profile,
    environment: Environment,
    settings: Settings,
    skills: Sequence[Skill],
    usage: Mapping[str, float],
) -> Text | None:
    """The lines of the skill listing; None where there is none."""
    made = [_own(profile, settings, skill, usage) for skill in skills]
    made += _shipped(profile, settings, {skill.name for skill in skills})
    return lines(_fitted(made, budget(profile, environment, settings))) if made else None


def visible(settings: Settings, skills: Sequence[Skill]) -> tuple[Skill, ...]:
    """The skills the model is told of, user overrides applied."""
    overrides = settings.get("skillOverrides", {})
    return tuple(
        skill
        for skill in skills
        if skill.listed and overrides.get(skill.name) not in {"off", "user-invocable-only"}
    )


def line(profile: Profile, settings: Settings, skill: Skill) -> Text:
    """The full line of one skill."""
    limit = settings.get("skillListingMaxDescChars") or profile.limits["skill.description"]
    said = skill.description
    if skill.when:
        said = phrase(profile, "skill.when", description=said, when=skill.when)
    if units(str(said)) > limit:
        said = sliced(said, limit - 1) + phrase(profile, "skill.cut")
    return phrase(profile, "skill.line", name=_name(profile, skill), description=said)


def budget(profile: Profile, environment: Environment, settings: Settings) -> int:
    """How many columns the listing may have."""
    given = environment.env.get("SLASH_COMMAND_TOOL_CHAR_BUDGET", "")
    if given.isdigit() and int(given):
        return int(given)
    fraction = settings.get("skillListingBudgetFraction") or 0.01
    window = profile.limits["skill.window"] * profile.limits["skill.bytes_per_token"]
    return max(1, math.floor(window * float(fraction)))


def _name(profile: Profile, skill: Skill) -> Text:
    origin = Origin(Kind.FILE, skill.path)
    if skill.display is None:
        return text(skill.name, origin)
    return phrase(
        profile, "skill.named", folder=text(skill.name, origin), name=text(skill.display, origin)
    )


def _own(profile: Profile, settings: Settings, skill: Skill, usage: Mapping[str, float]) -> _Line:
    name_only = settings.get("skillOverrides", {}).get(skill.name) == "name-only"
    short = phrase(profile, "skill.short", name=_name(profile, skill))
    full = short if name_only else line(profile, settings, skill)
    return _Line(full, short, width(str(full)), name_only, usage.get(skill.name, 0.0))


def _shipped(profile: Profile, settings: Settings, taken: set[str]) -> list[_Line]:
    """The client's own skills; a bundled one keeps its line, a built-in command may lose it."""
    out: list[_Line] = []
    for name in profile.lists["skills.shipped"]:
        optional = name not in profile.lists["skills.always"]
        if name in taken or (optional and settings.get("disableBundledSkills") is True):
            continue
        known = profile.texts[f"skill.{name}"]
        short = phrase(profile, "skill.short", name=computed(name, "skill"))
        fixed = name not in profile.lists["skills.builtin"]
        out.append(_Line(profile.known(f"skill.{name}"), short, known.width, fixed, 0.0))
    return out


def _fitted(made: Sequence[_Line], limit: int) -> list[Text]:
    total = sum(item.columns for item in made) + len(made) - 1
    if total <= limit:
        return [item.full for item in made]
    left = limit - (len(made) - 1)
    left -= sum(item.columns if item.fixed else item.short_columns for item in made)
    kept: set[int] = set()
    order = sorted(range(len(made)), key=lambda index: -made[index].score)
    for index in order:
        item = made[index]
        more = item.columns - item.short_columns
        if not item.fixed and more <= left:
            kept.add(index)
            left -= more
    return [item.full if item.fixed or n in kept else item.short for n, item in enumerate(made)]
