"""A prompt that begins like a command, where no command has that name.

Witness: `unknown_command`; the names told, their number and the distance were read in the client.
"""

import re
from collections.abc import Sequence

from inspector.clients.claude_code import bundled, mcpprompts
from inspector.clients.claude_code.commands import called, looks_like_a_path, name_of
from inspector.clients.claude_code.phrase import computed, phrase, reminder, template
from inspector.clients.claude_code.state import State
from inspector.text import EMPTY, Kind, Origin, Text, join, text
from inspector.workspace import World

_SPACE = re.compile(r"\s")


def warning(state: State, prompt: str, world: World) -> Text | None:
    """The reminder that no command of the prompt's name ran; None for any other prompt."""
    if not prompt.startswith("/") or looks_like_a_path(prompt) or called(state, prompt):
        return None
    if mcpprompts.named(world.listings, prompt) is not None:
        return None
    profile = state.profile
    if bundled.typable(state, name_of(prompt)):
        return None
    name = _SPACE.split(prompt[1:], maxsplit=1)[0]
    skills = [skill for skill in state.skills if skill.typable]
    shipped = state.process.settings.get("disableBundledSkills") is True
    kind = "shipped" if shipped else "bundled"
    names = [skill.name for skill in skills if skill.shown]
    names += [other for other in profile.lists[f"commands.{kind}"] if other not in names]
    most = profile.limits["commands.told"]
    more = profile.limits[f"commands.more.{kind}"] + max(len(names) - most, 0)
    more += sum(not skill.shown for skill in skills)
    more += len(mcpprompts.names(world.listings)) - ("limited" in state.latched)
    inside = template(
        profile,
        "command.unknown",
        name=text(name, Origin(Kind.PROMPT, "prompt")),
        closest=_closest(state, name, names),
        names=join(
            text(", ", Origin(Kind.STRUCTURE, "list")),
            [computed(f"/{other}", "command") for other in names[:most]],
        ),
        more=computed(str(more), "commands"),
    )
    return reminder(profile, inside)


def _closest(state: State, name: str, names: Sequence[str]) -> Text:
    found = nearest(name, names, state.profile.limits["commands.distance"])
    if found is None:
        return EMPTY
    return phrase(state.profile, "command.closest", name=computed(found, "command"))


def nearest(name: str, names: Sequence[str], most: int) -> str | None:
    """The name that differs least from another one, the first of its like; None past `most`."""
    near = [other for other in names if abs(len(other) - len(name)) <= most]
    found = min(near, key=lambda other: distance(name, other), default=None)
    return found if found is not None and distance(name, found) <= most else None


def distance(one: str, other: str) -> int:
    """How many characters were added, lost, changed or swapped with their neighbour."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, char in enumerate(one, 1):
        line = [row]
        for column, theirs in enumerate(other, 1):
            cost = min(above[column] + 1, line[-1] + 1, above[column - 1] + (char != theirs))
            if row > 1 and column > 1 and char == other[column - 2] and one[row - 2] == theirs:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, above = above, line
    return above[-1]
