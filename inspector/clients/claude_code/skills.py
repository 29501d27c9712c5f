"""Skills and legacy commands on disk: where they are found and in which order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from inspector.clients.claude_code import added, skillnames
from inspector.clients.claude_code.javascript import decode, locale_key
from inspector.clients.claude_code.left_out import Kind, LeftOut, Reason
from inspector.clients.claude_code.looking import entries, kept
from inspector.clients.claude_code.options import on, options
from inspector.clients.claude_code.settings import MANAGED, Settings, absolute
from inspector.clients.claude_code.skillfile import Skill, as_written, skill, truthy
from inspector.errors import NotKept
from inspector.profiles import Profile
from inspector.workspace import Entry, EntryKind, Environment, Tree

__all__ = ["Skill", "below", "survey", "truthy", "untold"]

_PACK = re.compile(r"skill\.md", re.IGNORECASE)
_SYNCED = "synced"
"""A folder name the client keeps for itself."""
LARGEST = 1048576
"""Bytes of the largest skill the client reads."""


@dataclass(frozen=True, slots=True)
class Survey:
    """Every skill and command of a session, and those passed over."""

    skills: tuple[Skill, ...] = ()
    later: tuple[Skill, ...] = ()
    """Those of added folders whose name is taken: they go by their folder's."""
    passed: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Manner:
    """How a version reads its skills."""

    twins: bool = False
    """Skills of one name are all there."""
    raw: bool = False
    """Descriptions are shown as they stand."""
    listed_paths: bool = True
    """A list of paths counts as well as a string of them."""
    sorts: bool = True
    """By name, as `localeCompare` orders; else as folders list them."""


def manner(profile: Profile) -> Manner:
    """How a profile's version reads its skills."""
    return Manner(
        twins=profile.switches["skills.twins"] == "kept",
        raw=profile.switches["skills.words"] == "raw",
        listed_paths=profile.switches["skills.paths"] == "any",
        sorts=profile.switches["skills.sort"] == "name",
    )


@dataclass(frozen=True, slots=True)
class _Found:
    skill: Skill
    real: str


def survey(tree: Tree, environment: Environment, settings: Settings, manner: Manner) -> Survey:
    """Look into every folder the client reads skills and commands from."""
    flags = options(environment.argv)
    if {"--bare", "--safe-mode"} & flags.flags or on(environment, "CLAUDE_CODE_SIMPLE"):
        return Survey()
    passed: list[LeftOut] = []
    roots = list(_roots(tree, environment, settings))
    skills = [
        item
        for source, root in roots
        for item in _skills(tree, f"{root}/skills", source, passed, manner)
    ]
    commands = [
        item
        for source, root in roots
        for item in _commands(tree, f"{root}/commands", source, passed, manner)
    ]
    if manner.sorts:
        commands.sort(key=lambda item: locale_key(item.skill.name))
    if manner.raw:
        commands = [replace(item, skill=as_written(item.skill)) for item in commands]
    once = _once([*skills, *commands], passed)
    if manner.twins:
        return Survey(tuple(once), (), tuple(passed))
    first, later = _named(once, environment, passed)
    return Survey(first, later, tuple(passed))


def ignored(patterns: Sequence[str], folder: str) -> bool:
    """Whether git ignores a folder, as far as the patterns of the top folder say."""
    if not patterns:
        return False
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns).match_file(f"{folder}/.claude/skills/")


def git_ignored(tree: Tree, environment: Environment) -> tuple[str, ...]:
    """The patterns of the working directory's `.gitignore`."""
    if environment.git is None:
        return ()
    try:
        data = tree.read(f"{environment.cwd}/.gitignore")
    except NotKept:
        return ()
    return tuple(decode(data).split("\n")) if data else ()


def below(tree: Tree, folder: str, manner: Manner) -> tuple[Skill, ...]:
    """The skills of one directory below the working directory."""
    every = _skills(tree, f"{folder}/.claude/skills", "project", [], manner)
    return tuple(item.skill for item in every)


def _roots(tree: Tree, environment: Environment, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "managed", f"{MANAGED}/.claude"
    if "user" in settings.sources:
        yield "user", environment.config_home
    if "project" not in settings.sources:
        return
    for folder in upwards(tree, environment):
        if folder != environment.config_home:
            yield "project", folder
    for path in options(environment.argv).all("--add-dir"):
        yield "added", f"{absolute(path, environment.cwd)}/.claude"


def upwards(tree: Tree, environment: Environment) -> Iterator[str]:
    """The working directory's folder and its parents', up to the repository's top or the root."""
    git = environment.git
    top = git.root if git else "/"
    folder = environment.cwd
    while folder != environment.home:
        yield f"{folder}/.claude"
        if folder in {top, "/"} or not f"{folder}/".startswith(top.rstrip("/") + "/"):
            break
        folder = folder.rpartition("/")[0] or "/"
    if git and git.common_root not in {None, git.root} and not _any(tree, f"{git.root}/.claude"):
        yield f"{git.common_root}/.claude"


def _any(tree: Tree, folder: str) -> bool:
    return bool(entries(tree, f"{folder}/skills"))


def _once(every: Sequence[_Found], passed: list[LeftOut]) -> list[Skill]:
    """Each file once, wherever links lead: the first one stays."""
    seen: dict[str, str] = {}
    out: list[Skill] = []
    for item in every:
        if item.real in seen:
            passed.append(untold(item.skill, Reason.DUPLICATE, seen[item.real]))
            continue
        seen[item.real] = item.skill.path
        out.append(item.skill)
    return out


def _named(
    every: Sequence[Skill], environment: Environment, passed: list[LeftOut]
) -> tuple[tuple[Skill, ...], tuple[Skill, ...]]:
    """Each name once: the first one has it; conditional skills have names of their own."""
    taken: dict[tuple[str, bool], str] = {}
    out: list[Skill] = []
    later: list[Skill] = []
    for item in every:
        other = taken.setdefault((item.name, item.globs is None), item.path)
        if other == item.path:
            out.append(item)
        elif item.source == "added" and item.folder is not None:
            later.append(replace(item, scope=added.scope(item.base, environment)))
        else:
            passed.append(untold(item, Reason.NAME_TAKEN, other))
    return tuple(out), tuple(later)


def untold(item: Skill, reason: Reason, detail: str = "") -> LeftOut:
    """A skill or command that is not told, or not wholly."""
    kind: Kind = "command" if item.folder is None else "skill"
    return LeftOut(kind, item.name, item.path, reason, detail)


def _skills(
    tree: Tree, root: str, source: str, passed: list[LeftOut], manner: Manner
) -> Iterator[_Found]:
    made: list[_Found] = []
    for entry in entries(tree, root):
        path = f"{root}/{entry.name}/SKILL.md"
        kind = entry.links_to if entry.kind is EntryKind.LINK else entry.kind
        if kind is not EntryKind.DIRECTORY or entry.name.lower() == _SYNCED:
            passed.extend(_astray(root, entry, kind))
            continue
        data = kept(tree, path)
        if data is None:
            passed.append(LeftOut("skill", entry.name, path, Reason.NO_SKILL_FILE))
            continue
        refused = _refused(entry.name, data)
        if refused:
            passed.append(LeftOut("skill", entry.name, path, *refused))
            continue
        folder = absolute(entry.target, root) if entry.target else f"{root}/{entry.name}"
        item = skill(entry.name, path, data, f"{root}/{entry.name}", source)
        item = as_written(item) if manner.raw else item
        if not manner.listed_paths and not isinstance(item.values.get("paths"), str):
            item = replace(item, globs=None)
        made.append(_Found(item, _real(tree, folder, "SKILL.md")))
    yield from sorted(made, key=lambda item: locale_key(item.skill.name)) if manner.sorts else made


def _astray(root: str, entry: Entry, kind: EntryKind | None) -> Iterator[LeftOut]:
    path = f"{root}/{entry.name}"
    if kind is EntryKind.DIRECTORY:
        yield LeftOut("skill", entry.name, path, Reason.NAME_RESERVED)
    elif entry.name.endswith(".md"):
        yield LeftOut("skill", entry.name, path, Reason.NOT_IN_A_FOLDER)


def _refused(name: str, data: bytes) -> tuple[Reason, str] | None:
    if len(data) > LARGEST:
        return Reason.TOO_LARGE, str(LARGEST)
    return None if skillnames.nameable(name) else (Reason.NAME_REFUSED, "")


def _real(tree: Tree, folder: str, name: str) -> str:
    """Where a file's own link leads; links among its parents do not matter for duplicates."""
    for entry in entries(tree, folder):
        if entry.name == name and entry.kind is EntryKind.LINK and entry.target:
            return absolute(entry.target, folder)
    return f"{folder}/{name}"


def _commands(
    tree: Tree,
    root: str,
    source: str,
    passed: list[LeftOut],
    manner: Manner,
    prefix: str = "",
) -> Iterator[_Found]:
    every = entries(tree, root)
    if not manner.sorts:
        # A search for files names those of a folder before those below (skills_listing of 2.1.88).
        every = tuple(sorted(every, key=lambda entry: not _file(entry)))
    pack = next((entry for entry in every if _file(entry) and _PACK.fullmatch(entry.name)), None)
    for entry in every:
        kind = entry.links_to if entry.kind is EntryKind.LINK else entry.kind
        path = f"{root}/{entry.name}"
        if kind is EntryKind.DIRECTORY and entry.kind is not EntryKind.LINK:
            yield from _commands(tree, path, source, passed, manner, f"{prefix}{entry.name}:")
        elif _file(entry) and entry.name.endswith(".md"):
            if pack is not None and entry is not pack:
                name = prefix + entry.name
                passed.append(LeftOut("command", name, path, Reason.BESIDE_A_PACK))
                continue
            name = prefix + entry.name.removesuffix(".md") if pack is None else prefix[:-1]
            yield from _command(tree, root, entry, (name, source), passed, packed=pack is not None)


def _command(
    tree: Tree,
    root: str,
    entry: Entry,
    known: tuple[str, str],
    passed: list[LeftOut],
    *,
    packed: bool,
) -> Iterator[_Found]:
    path, (name, source) = f"{root}/{entry.name}", known
    data = kept(tree, path)
    if data is None:
        return
    refused = _refused(name, data)
    if refused:
        passed.append(LeftOut("command", name, path, *refused))
        return
    real = absolute(entry.target, root) if entry.target else path
    yield _Found(skill(name, path, data, root if packed else None, source), real)


def _file(entry: Entry) -> bool:
    kind = entry.links_to if entry.kind is EntryKind.LINK else entry.kind
    return kind is EntryKind.FILE
