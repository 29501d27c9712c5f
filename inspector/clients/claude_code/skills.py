"""Skills and legacy commands on disk: where they are found, in which order, and what they say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.clients.claude_code import globs
from inspector.clients.claude_code.core_yaml import key_text
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import decode, locale_key, trim_string
from inspector.clients.claude_code.options import on, options
from inspector.clients.claude_code.settings import Settings, absolute
from inspector.clients.claude_code.shown import shown
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import EntryKind, Environment, Tree

_HEADING = re.compile(r"#+\s+(\S.*)")


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill or legacy command."""

    name: str
    path: str
    body: Text
    values: Mapping[str, Any]
    description: Text
    folder: str | None
    """The skill's own directory; None for a legacy command."""
    source: str
    """`user`, `project` or `added`."""
    display: str | None = None
    """The frontmatter's name, where it differs from the folder's."""
    globs: tuple[str, ...] | None = None
    base: str = ""
    when: Text = EMPTY
    """`when_to_use`, which the listing puts behind the description."""
    scope: str | None = None
    """For a skill found below the working directory: its folder, relative to it."""

    @property
    def listed(self) -> bool:
        """Whether the model is told of it at start."""
        return self.shown and self.globs is None

    @property
    def shown(self) -> bool:
        """Whether the model may call it."""
        return not truthy(self.values.get("disable-model-invocation"))


def truthy(value: object) -> bool:
    """A frontmatter flag, as the client reads one."""
    return str(value).strip().lower() in {"true", "1", "yes", "on"}


def found(tree: Tree, environment: Environment, settings: Settings) -> tuple[Skill, ...]:
    """Every skill and command of the session, in the order of the listing."""
    flags = options(environment.argv)
    if {"--bare", "--safe-mode"} & flags.flags or on(environment, "CLAUDE_CODE_SIMPLE"):
        return ()
    roots = list(_roots(environment, settings))
    out: list[Skill] = []
    seen: set[str] = set()
    for source, root in roots:
        out.extend(_skills(tree, f"{root}/skills", source, seen))
    commands = [
        command for source, root in roots for command in _commands(tree, f"{root}/commands", source)
    ]
    commands.sort(key=lambda command: locale_key(command.name))
    return _first_wins([*out, *commands])


def below(tree: Tree, folder: str) -> tuple[Skill, ...]:
    """The skills of one directory below the working directory."""
    return tuple(_skills(tree, f"{folder}/.claude/skills", "project", set()))


def _roots(environment: Environment, settings: Settings) -> Iterator[tuple[str, str]]:
    if "user" in settings.sources:
        yield "user", environment.config_home
    if "project" not in settings.sources:
        return
    top = environment.git.root if environment.git else environment.cwd
    folder = environment.cwd
    while True:
        if f"{folder}/.claude" != environment.config_home:
            yield "project", f"{folder}/.claude"
        if folder in {top, "/"} or not f"{folder}/".startswith(top.rstrip("/") + "/"):
            break
        folder = folder.rpartition("/")[0] or "/"
    for path in options(environment.argv).all("--add-dir"):
        yield "added", f"{absolute(path, environment.cwd)}/.claude"


def _first_wins(every: Sequence[Skill]) -> tuple[Skill, ...]:
    names: set[str] = set()
    out: list[Skill] = []
    for skill in every:
        if skill.name not in names:
            names.add(skill.name)
            out.append(skill)
    return tuple(out)


def _skills(tree: Tree, root: str, source: str, seen: set[str]) -> Iterator[Skill]:
    entries = tree.list(root) or ()
    made: list[Skill] = []
    for entry in entries:
        kind = entry.links_to if entry.kind is EntryKind.LINK else entry.kind
        if kind is not EntryKind.DIRECTORY:
            continue
        folder = f"{root}/{entry.name}"
        real = absolute(entry.target, root) if entry.target else folder
        data = tree.read(f"{folder}/SKILL.md")
        if data is None or real in seen:
            continue
        seen.add(real)
        made.append(_skill(entry.name, f"{folder}/SKILL.md", data, folder, source))
    yield from sorted(made, key=lambda skill: locale_key(skill.name))


def _commands(tree: Tree, root: str, source: str, prefix: str = "") -> Iterator[Skill]:
    for entry in tree.list(root) or ():
        kind = entry.links_to if entry.kind is EntryKind.LINK else entry.kind
        path = f"{root}/{entry.name}"
        if kind is EntryKind.DIRECTORY:
            yield from _commands(tree, path, source, f"{prefix}{entry.name}:")
        elif kind is EntryKind.FILE and entry.name.endswith(".md"):
            data = tree.read(path)
            if data is not None:
                name = prefix + entry.name.removesuffix(".md")
                yield _skill(name, path, data, None, source)


def _skill(name: str, path: str, data: bytes, folder: str | None, source: str) -> Skill:
    origin = Origin(Kind.FILE, path)
    front = document(text(decode(data), origin))
    values = front.values
    display = values.get("name")
    other = str(display) if display is not None and folder is not None else None
    return Skill(
        name=name,
        path=path,
        body=front.body,
        values=values,
        description=_description(values, str(front.body), origin, folder is not None),
        folder=folder,
        source=source,
        display=other if other not in {None, name} else None,
        globs=globs.patterns(values.get("paths")) if folder is not None else None,
        base=path.partition("/.claude/")[0],
        when=_when(values, origin),
    )


def _description(values: Mapping[str, Any], body: str, origin: Origin, skill: bool) -> Text:
    said = _said(values.get("description"))
    if said is None:
        said = _first_line(body) or ("Skill" if skill else "Custom command")
    # The description is re-written (white space, invisible characters): offsets are its own.
    return text(shown(said), origin)


def _when(values: Mapping[str, Any], origin: Origin) -> Text:
    said = values.get("when_to_use")
    return text(shown(key_text(said)), origin) if said is not None else EMPTY


def _said(value: object) -> str | None:
    if isinstance(value, str):
        return trim_string(value) or None
    return key_text(value) if isinstance(value, int | float) else None


def _first_line(body: str) -> str | None:
    for line in body.split("\n"):
        stripped = trim_string(line)
        if stripped:
            match = _HEADING.fullmatch(stripped)
            said = match[1] if match else stripped
            return f"{said[:97]}..." if len(said) > 100 else said
    return None
