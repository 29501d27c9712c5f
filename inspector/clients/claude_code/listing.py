"""The skill listing: one line a skill, under a budget of columns."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.clients.claude_code import skillnames
from inspector.clients.claude_code.columns import graphemes, width
from inspector.clients.claude_code.javascript import sliced, units
from inspector.clients.claude_code.options import number
from inspector.clients.claude_code.phrase import adopted, computed, lines, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.skills import Skill
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Environment

HIDDEN = frozenset({"off", "user-invocable-only"})
"""Overrides that keep a skill from the model."""


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
    later: Sequence[Skill],
    usage: Mapping[str, float],
) -> Text | None:
    """The lines of the skill listing, those that came `later` behind the bundled ones."""
    made = _every(profile, settings, skills, later, usage)
    limit = budget(profile, environment, settings)
    return lines(_fitted(profile, made, limit)) if made else None


def shortened(
    profile: Profile,
    environment: Environment,
    settings: Settings,
    skills: Sequence[Skill],
    usage: Mapping[str, float],
) -> list[Skill]:
    """The skills that lost their description to the budget."""
    made = _every(profile, settings, skills, (), usage)
    fitted = _fitted(profile, made, budget(profile, environment, settings))
    pairs = zip(skills, made, fitted, strict=False)
    return [skill for skill, item, text_ in pairs if not item.fixed and text_ is item.short]


def wanted(
    profile: Profile, settings: Settings, skills: Sequence[Skill], usage: Mapping[str, float]
) -> int:
    """How many columns the listing would have without a budget."""
    made = _every(profile, settings, skills, (), usage)
    return sum(item.columns for item in made) + max(len(made) - 1, 0)


def cut_off(profile: Profile, settings: Settings, skill: Skill) -> bool:
    """Whether a description is longer than a line may be."""
    return units(str(_said(profile, skill))) > _limit(profile, settings)


def _every(
    profile: Profile,
    settings: Settings,
    skills: Sequence[Skill],
    later: Sequence[Skill],
    usage: Mapping[str, float],
) -> list[_Line]:
    every = (*skills, *later)
    made = [_own(profile, settings, skill, every, usage) for skill in skills]
    late = [_own(profile, settings, skill, every, usage) for skill in later]
    own = _shipped(profile, settings, {skill.name for skill in skills}, late)
    return [*own, *made] if profile.switches["skills.order"] == "shipped" else [*made, *own]


def overridden(settings: Settings, name: str) -> str:
    """What the user's settings say of a skill; `on` where they say nothing."""
    said = mapping(settings.get("skillOverrides")).get(name)
    return said if isinstance(said, str) else "on"


def visible(settings: Settings, skills: Sequence[Skill]) -> tuple[Skill, ...]:
    """The skills the model is told of, user overrides applied."""
    return tuple(
        skill for skill in skills if skill.shown and overridden(settings, skill.name) not in HIDDEN
    )


def count(profile: Profile, settings: Settings, skills: Sequence[Skill]) -> int:
    """How many skills the model may call, the client's own with them."""
    return len(_every(profile, settings, visible(settings, skills), (), {}))


def line(profile: Profile, settings: Settings, skill: Skill, others: Sequence[Skill]) -> Text:
    """The full line of one skill among others."""
    limit, said = _limit(profile, settings), _said(profile, skill)
    if units(str(said)) > limit:
        said = sliced(said, limit - 1) + phrase(profile, "skill.cut")
    return phrase(profile, "skill.line", name=_name(profile, skill, others), description=said)


def _said(profile: Profile, skill: Skill) -> Text:
    if not skill.when:
        return skill.description
    return phrase(profile, "skill.when", description=skill.description, when=skill.when)


def budget(profile: Profile, environment: Environment, settings: Settings) -> int:
    """How many columns the listing may have."""
    given = number(environment, "SLASH_COMMAND_TOOL_CHAR_BUDGET")
    if given:
        return given
    chosen = settings.get("skillListingBudgetFraction")
    usual = profile.limits["skill.share"] / 100
    fraction = chosen if isinstance(chosen, int | float) else usual
    window = profile.limits["skill.window"] * profile.limits["skill.bytes_per_token"]
    return max(1, math.floor(window * fraction))


def _name(profile: Profile, skill: Skill, others: Sequence[Skill]) -> Text:
    origin = Origin(Kind.FILE, skill.path)
    name = text(skill.name, origin)
    display = skill.display
    if display is None or not skillnames.word(display) or skill.name.endswith(f":{display}"):
        return name
    if called(display, others) is not skill:
        return name
    return phrase(profile, "skill.named", folder=name, name=text(display, origin))


def called(name: str, skills: Sequence[Skill]) -> Skill | None:
    """The skill a name means: by its folder, or else by the name in its frontmatter."""
    exact = next((skill for skill in skills if skill.name == name), None)
    return exact or next((skill for skill in skills if skill.display == name), None)


def _own(
    profile: Profile,
    settings: Settings,
    skill: Skill,
    others: Sequence[Skill],
    usage: Mapping[str, float],
) -> _Line:
    name_only = overridden(settings, skill.name) == "name-only"
    name = text(skill.name, Origin(Kind.FILE, skill.path))
    short = phrase(
        profile, "skill.short", name=name if name_only else _name(profile, skill, others)
    )
    full = short if name_only else line(profile, settings, skill, others)
    return _Line(full, short, width(str(full)), name_only, usage.get(skill.name, 0.0))


def _shipped(
    profile: Profile, settings: Settings, taken: set[str], late: Sequence[_Line]
) -> list[_Line]:
    """The client's own skills; a bundled one keeps its line, a built-in command may lose it."""
    out: list[_Line] = []
    builtin: list[_Line] = []
    for name in profile.lists["skills.shipped"]:
        said = overridden(settings, name)
        optional = name not in profile.lists["skills.always"]
        off = optional and settings.get("disableBundledSkills") is True
        if name in taken or off or said in HIDDEN:
            continue
        short = phrase(profile, "skill.short", name=computed(name, "skill"))
        fixed = name not in profile.lists["skills.builtin"]
        full, width_ = _shipped_line(profile, settings, name)
        if said == "name-only":
            full, width_, fixed = short, width(str(short)), True
        group = builtin if name in profile.lists["skills.builtin"] else out
        group.append(_Line(full, short, width_, fixed, 0.0))
    return [*out, *late, *builtin]


def _shipped_line(profile: Profile, settings: Settings, name: str) -> tuple[Text, int]:
    """The line of a skill the client ships, and its columns.

    Its words are known by digest; only of a short one are they at hand where a setting cuts them
    (`text_odd`).
    """
    known, label = profile.texts[f"skill.{name}"], computed(name, "skill")
    empty = phrase(profile, "skill.line", name=label, description=computed("", "skill"))
    limit = _limit(profile, settings)
    if known.utf16 - units(str(empty)) <= limit:
        return profile.known(f"skill.{name}"), known.width
    said = f"skill.said.{name}"
    if said not in profile.literals:
        cut = adopted(f"the description of {name}, cut by a setting")
        return phrase(profile, "skill.line", name=label, description=cut), known.width
    words = sliced(phrase(profile, said), limit - 1) + phrase(profile, "skill.cut")
    line_ = phrase(profile, "skill.line", name=label, description=words)
    return line_, width(str(line_))


def _limit(profile: Profile, settings: Settings) -> int:
    """How many UTF-16 units of a description a line may hold."""
    return settings.get("skillListingMaxDescChars") or profile.limits["skill.description"]


def _fitted(profile: Profile, made: Sequence[_Line], limit: int) -> list[Text]:
    total = sum(item.columns for item in made) + len(made) - 1
    if total <= limit:
        return [item.full for item in made]
    equal = profile.switches["skills.budget"] == "equal"
    return _shared(profile, made, limit) if equal else _first_come(made, limit)


def _shared(profile: Profile, made: Sequence[_Line], limit: int) -> list[Text]:
    """Every skill of the user's gets an equal share for its description (2.1.88)."""
    rest = [item for item in made if not item.fixed]
    left = limit - sum(item.columns + 1 for item in made if item.fixed)
    # The name, `- ` before it and `: ` behind.
    left -= sum(item.short_columns + 2 for item in rest) + len(rest) - 1
    share = left // len(rest) if rest else 0
    if share < profile.limits["skill.width.least"]:
        return [item.full if item.fixed else item.short for item in made]
    return [item.full if item.fixed else _narrowed(profile, item, share) for item in made]


def _narrowed(profile: Profile, item: _Line, share: int) -> Text:
    """A line whose description takes no more columns than its share."""
    start = len(str(item.short)) + len(": ")
    head, said = item.full[:start], item.full[start:]
    if width(str(said)) <= share:
        return item.full
    taken, end = 0, 0
    for grapheme in graphemes(str(said)):
        taken += width(grapheme)
        if taken > share - 1:
            break
        end += len(grapheme)
    return head + said[:end] + phrase(profile, "skill.cut")


def _first_come(made: Sequence[_Line], limit: int) -> list[Text]:
    """Descriptions in full, those used most first, as far as they go."""
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
