"""`$name` mentions in a prompt, and the skill bodies they bring in."""

import re
from collections import Counter
from collections.abc import Sequence

from inspector.clients.codex.fill import fact, fill
from inspector.clients.codex.skills import Skill
from inspector.profiles import Profile
from inspector.text import Text

_MENTION = re.compile(r"\[\$([A-Za-z0-9_\-:]+)\][ \t\r\n\f]*\(([^)]*)\)|\$([A-Za-z0-9_\-:]+)")
_OTHER = ("app://", "mcp://", "plugin://")


def mentioned(prompt: str, skills: Sequence[Skill], profile: Profile) -> list[Skill]:
    """The skills a prompt names, in listing order; ambiguous names bring in nothing."""
    names, paths = _named(prompt, set(profile.lists["skills.not_mentions"]))
    counts = Counter(str(skill.name) for skill in skills)
    chosen = [skill for skill in skills if skill.path in paths]
    taken = {str(skill.name) for skill in chosen}
    chosen += [
        skill
        for skill in skills
        if str(skill.name) in names
        and counts[str(skill.name)] == 1
        and str(skill.name) not in taken
    ]
    return chosen


def _named(prompt: str, ignored: set[str]) -> tuple[set[str], set[str]]:
    names: set[str] = set()
    paths: set[str] = set()
    for match in _MENTION.finditer(prompt):
        name, path = match[1] or match[3], (match[2] or "").strip()
        if name.upper() in ignored:
            continue
        if match[3]:
            names.add(name)
        elif path and not path.startswith(_OTHER):
            paths.add(path.removeprefix("skill://"))
    return names, paths


def body(skill: Skill, profile: Profile) -> Text:
    """The message that carries a mentioned skill: its whole file, front matter too."""
    holes = {"name": skill.name, "path": fact("skill.path", skill.path), "body": skill.body}
    return fill(profile.literal("skills.body"), holes)
