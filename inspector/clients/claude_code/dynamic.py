"""Skills that come into reach during a session: found below a touched file, or by their paths.

Witness: `skills_found`, `skills_conditional`, `skills_sources`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from inspector.clients.claude_code import globs, looking, skills
from inspector.clients.claude_code.javascript import locale_key
from inspector.clients.claude_code.phrase import fact, lines, phrase
from inspector.clients.claude_code.skills import Skill
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Tree


@dataclass(frozen=True, slots=True)
class Found:
    """What touching files brought into reach."""

    skills: tuple[Skill, ...] = ()
    """Under their own names; `named` says what they are called."""
    folders: tuple[str, ...] = ()
    """Folders that were looked into."""


def discover(
    profile: Profile,
    tree: Tree,
    cwd: str,
    opened: frozenset[str],
    passed: Sequence[str],
    paths: Sequence[str],
) -> Found:
    """Look into the skill folders between the working directory and each file, deepest first.

    `passed` are the patterns of git's ignored files: their folders hold no skills.
    """
    looked, manner = list[str](), skills.manner(profile)
    out: list[Skill] = []
    for path in paths:
        for folder in _below(cwd, path):
            if folder in looked or folder in opened:
                continue
            looked.append(folder)
            scope = folder[len(cwd.rstrip("/")) + 1 :]
            if not skills.ignored(passed, scope):
                out += [replace(skill, scope=scope) for skill in skills.below(tree, folder, manner)]
    return Found(tuple(out), tuple(looked))


def reached(asleep: Iterable[Skill], cwd: str, paths: Sequence[str]) -> tuple[Skill, ...]:
    """Conditional skills whose patterns a touched file matches; they are relative to `cwd`."""
    return tuple(
        skill
        for skill in asleep
        if skill.globs and any(globs.matches(skill.globs, path, cwd) for path in paths)
    )


def named(profile: Profile, taken: Iterable[str], found: Sequence[Skill]) -> tuple[Skill, ...]:
    """Skills found later by the names they go by: with their folder's where a name is shared."""
    if profile.switches["skills.found"] != "announced":
        plain = {skill.name: skill for skill in reversed(found) if skill.name not in taken}
        return tuple(reversed(plain.values()))
    before, counts = set(taken), Counter(skill.name for skill in found)
    seen: set[str] = set()
    out: list[Skill] = []
    ordered = sorted(found, key=lambda skill: (locale_key(skill.name), locale_key(skill.path)))
    for skill in ordered:
        alone = skill.name not in before and counts[skill.name] == 1
        clashes = skill.name in before or skill.name in seen
        made = _called(profile, skill, alone=alone, clashes=clashes)
        if made is not None and made.name not in before | seen:
            seen.add(made.name)
            out.append(made)
    return tuple(out)


def _called(profile: Profile, skill: Skill, *, alone: bool, clashes: bool) -> Skill | None:
    if not skill.scope:
        return skill if alone or not clashes else None
    folder = fact("path", skill.scope)
    if alone or not clashes:
        suffix = phrase(profile, "skill.below", folder=folder)
    else:
        name = text(skill.name, Origin(Kind.FILE, skill.path))
        suffix = phrase(profile, "skill.scoped", folder=folder, name=name)
    said = skill.description + suffix
    if alone:
        return replace(skill, description=said)
    return replace(skill, name=f"{skill.scope}:{skill.name}", description=said, display=None)


def announced(
    profile: Profile, tree: Tree, cwd: str, folders: Sequence[str], known: Sequence[Skill]
) -> list[Text]:
    """What is said of folders that skills were found in; their names in the file system's order."""
    out: list[Text] = []
    if profile.switches["skills.found"] != "announced":
        return out
    for folder in folders:
        order = [entry.name for entry in looking.entries(tree, f"{folder}/.claude/skills")]
        inside = [skill for skill in known if skill.base == folder and skill.shown and skill.scope]
        inside.sort(key=lambda skill: order.index((skill.folder or "").rpartition("/")[2]))
        if inside:
            names = [
                phrase(profile, "skill.short", name=text(skill.name, Origin(Kind.FILE, skill.path)))
                for skill in inside
            ]
            scope = fact("path", folder[len(cwd.rstrip("/")) + 1 :])
            out.append(phrase(profile, "skill.discovered", folder=scope, names=lines(names)))
    return out


def variants(profile: Profile, skill: Skill, known: Sequence[Skill]) -> Text | None:
    """The reminder that a skill has variants scoped to folders."""
    scoped = scoped_as(skill.name, known)
    if not scoped:
        return None
    entries = [
        phrase(
            profile,
            "skill.variant",
            name=text(other.name, Origin(Kind.FILE, other.path)),
            folder=fact("path", other.scope or ""),
        )
        for other in scoped
    ]
    name = text(skill.name, Origin(Kind.COMPUTED, "skill"))
    advice = profile.known("skill.variants.advice")
    return phrase(profile, "skill.variants", name=name, variants=lines(entries), advice=advice)


def scoped_as(name: str, known: Sequence[Skill]) -> list[Skill]:
    """The skills that go by a name under a folder's."""
    return [other for other in known if other.scope and other.name == f"{other.scope}:{name}"]


def _below(cwd: str, path: str) -> list[str]:
    prefix = cwd.rstrip("/") + "/"
    if not path.startswith(prefix):
        return []
    parts = path[len(prefix) :].split("/")[:-1]
    return [prefix + "/".join(parts[: n + 1]) for n in reversed(range(len(parts)))]
