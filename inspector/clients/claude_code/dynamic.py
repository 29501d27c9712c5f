"""Skills that come into reach during a session: found below a touched file, or by their paths."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inspector.clients.claude_code import globs, skills
from inspector.clients.claude_code.phrase import fact, lines, phrase
from inspector.clients.claude_code.skills import Skill
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import Tree


@dataclass(frozen=True, slots=True)
class Found:
    """What touching files brought into reach."""

    skills: tuple[Skill, ...] = ()
    folders: frozenset[str] = frozenset()
    """Folders that were looked into."""
    paragraphs: tuple[Text, ...] = ()


def discover(
    profile: Profile, tree: Tree, cwd: str, known: Sequence[Skill], paths: Sequence[str]
) -> Found:
    """Look into the skill folders between the working directory and each file, deepest first."""
    bare = {skill.name for skill in known if skill.scope is None}
    opened = {skill.base for skill in known if skill.scope is not None}
    looked: set[str] = set()
    out: list[Skill] = []
    told: list[Text] = []
    for path in paths:
        for folder in _below(cwd, path):
            if folder in looked or folder in opened:
                continue
            looked.add(folder)
            scope = folder[len(cwd.rstrip("/")) + 1 :]
            new = [_scoped(profile, skill, scope, bare) for skill in skills.below(tree, folder)]
            if new:
                out += new
                told.append(_announced(profile, tree, folder, new))
    return Found(tuple(out), frozenset(looked), tuple(told))


def reached(known: Sequence[Skill], paths: Sequence[str]) -> list[Skill]:
    """Conditional skills whose patterns a touched file matches."""
    return [
        skill
        for skill in known
        if skill.globs and any(globs.matches(skill.globs, path, skill.base) for path in paths)
    ]


def variants(profile: Profile, skill: Skill, known: Sequence[Skill]) -> Text | None:
    """The reminder that a skill has variants scoped to folders."""
    scoped = [other for other in known if other.name == f"{other.scope}:{skill.name}"]
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


def _scoped(profile: Profile, skill: Skill, scope: str, bare: set[str]) -> Skill:
    """A skill from below: qualified by its folder only where its name is taken."""
    taken = skill.name in bare
    name = text(skill.name, Origin(Kind.FILE, skill.path))
    suffix = phrase(
        profile,
        "skill.scoped" if taken else "skill.below",
        folder=fact("path", scope),
        **({"name": name} if taken else {}),
    )
    return replace(
        skill,
        name=f"{scope}:{skill.name}" if taken else skill.name,
        description=skill.description + suffix,
        scope=scope,
    )


def _announced(profile: Profile, tree: Tree, folder: str, new: Sequence[Skill]) -> Text:
    """Names in the order of the file system; the listing sorts them."""
    order = [entry.name for entry in tree.list(f"{folder}/.claude/skills") or ()]
    ordered = sorted(new, key=lambda skill: order.index((skill.folder or "").rpartition("/")[2]))
    entries = [
        phrase(profile, "skill.short", name=text(skill.name, Origin(Kind.FILE, skill.path)))
        for skill in ordered
    ]
    scope = new[0].scope or ""
    return phrase(
        profile, "skill.discovered", folder=fact("path", scope), names=lines(entries) + EMPTY
    )


def _below(cwd: str, path: str) -> list[str]:
    prefix = cwd.rstrip("/") + "/"
    if not path.startswith(prefix):
        return []
    parts = path[len(prefix) :].split("/")[:-1]
    return [prefix + "/".join(parts[: n + 1]) for n in reversed(range(len(parts)))]
