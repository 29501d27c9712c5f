"""Skills: which folders are searched, which files count, in which order they are listed."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from inspector.clients.codex.config import Config, source
from inspector.clients.codex.fill import BLANK, fact
from inspector.clients.codex.frontmatter import head, refusal
from inspector.clients.codex.loose import table
from inspector.clients.codex.paths import from_root, join, leads_to, name, parent, project_root
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Entry, EntryKind, Tree, World, spelled

_FILE = "SKILL.md"


@dataclass(frozen=True, slots=True)
class Root:
    """A folder searched for skills."""

    path: str
    scope: str
    """`repo`, `user` or `system`."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill the client found."""

    name: Text
    description: Text
    path: str
    """Absolute path of its SKILL.md."""
    root: Root
    body: Text
    """The whole file."""
    listed: bool = True
    """False: only a mention brings it in."""
    written: Text | None = None
    """A bundled skill's file, where an earlier run of the client left it."""

    @property
    def relative(self) -> str:
        """The path below its root."""
        return self.path.removeprefix(self.root.path.rstrip("/") + "/")


def roots(world: World, config: Config, profile: Profile) -> list[Root]:
    """The folders searched, in the order their short names are numbered.

    `.codex/skills` of the folders above the working directory is searched up to 0.148 only.
    """
    environment, cwd = world.environment, config.cwd
    markers = config.strings("project_root_markers", profile.lists["root_markers"])
    chain = from_root(project_root(world.tree, cwd, markers), cwd)
    own = chain if profile.switches["skills.roots"] == "chain" else [cwd]
    found = [
        *(Root(join(folder, ".codex/skills"), "repo") for folder in own),
        Root(join(environment.config_home, "skills"), "user"),
        Root(join(environment.home, ".agents/skills"), "user"),
        Root(join(environment.config_home, "skills/.system"), "system"),
        *(Root(join(folder, ".agents/skills"), "repo") for folder in chain),
    ]
    first: dict[str, Root] = {}
    for root in found:
        first.setdefault(root.path, root)
    return list(first.values())


def found(world: World, config: Config, profile: Profile) -> list[Skill]:
    """Every skill that is not switched off, in the order of the listing."""
    skills: dict[str, Skill] = {}
    for root in roots(world, config, profile):
        inside = (
            _bundled(world.tree, root, config, profile)
            if root.scope == "system"
            else _scan(world.tree, root, profile)
        )
        for skill in inside:
            skills.setdefault(skill.path, skill)
    off = _switched_off(config)
    ranks = {scope: rank for rank, scope in enumerate(profile.lists["skills.scopes"])}
    kept = [s for s in skills.values() if s.path not in off and str(s.name) not in off]
    return sorted(kept, key=lambda s: (ranks[s.root.scope], str(s.name), s.path))


def faults(world: World, config: Config, profile: Profile) -> list[str]:
    """Skill files the client leaves out, each with the reason."""
    own = [root for root in roots(world, config, profile) if root.scope != "system"]
    told = [
        f"{path}: {reason}; the client leaves this skill out"
        for root in own
        for path, folder in _files(world.tree, root, profile)
        if (reason := _fault(world.tree, path, folder, profile))
    ]
    odd = [
        f"{join(root.path, entry.name)!a}: its name is no UTF-8; the client leaves this skill out"
        for root in own
        for entry in world.every.list(root.path) or ()
        if not spelled(entry.name)
    ]
    return told + odd


def kept_back(world: World, config: Config, profile: Profile) -> Iterator[tuple[Skill, str]]:
    """Skills that are whole and yet not told, each with the reason."""
    off = _switched_off(config)
    own = [root for root in roots(world, config, profile) if root.scope != "system"]
    for skill in (skill for root in own for skill in _scan(world.tree, root, profile)):
        if off & {skill.path, str(skill.name)}:
            where = source(world.tree, config, "skills", "config")
            yield skill, f"skills.config in {where} switches it off"
        elif not skill.listed:
            yield skill, "only a mention brings it in"


def _fault(tree: Tree, path: str, folder: str, profile: Profile) -> str:
    body = _body(tree, path)
    if body is None:
        return "not readable as UTF-8"
    strict = _strict(profile)
    reason = refusal(body, strict=strict)
    parsed = None if reason else head(body, path, strict=strict)
    label = str(parsed.name) if parsed is not None and parsed.name else folder
    limit = profile.limits["skills.name"]
    reason = reason or (f"its name is over {limit} characters" if len(label) > limit else "")
    if not reason and parsed is not None and _refused(parsed.description, profile):
        most = profile.limits["skills.description"]
        return f"its description is over {most:,} characters"
    return reason


def _switched_off(config: Config) -> set[str]:
    off: set[str] = set()
    for entry in config.tables("skills", "config"):
        key = entry.get("path") or entry.get("name")
        if isinstance(key, str):
            (off.discard if entry.get("enabled", True) else off.add)(key)
    return off


def _bundled(tree: Tree, root: Root, config: Config, profile: Profile) -> Iterator[Skill]:
    # The client writes these files itself when it starts, so they are facts of the version.
    if not config.flag("skills", "bundled", "enabled", default=True):
        return
    for folder in profile.lists["skills.bundled"]:
        key = f"skill.{folder}"
        description = profile.known(key) if key in profile.texts else profile.literal(key)
        path = join(root.path, f"{folder}/{_FILE}")
        label = text(folder, Origin(Kind.LITERAL, "skills.bundled"))
        written = _body(tree, path)
        yield Skill(label, description, path, root, profile.known(f"{key}.file"), written=written)


def _scan(tree: Tree, root: Root, profile: Profile) -> Iterator[Skill]:
    for path, folder in _files(tree, root, profile):
        skill = _skill(tree, path, folder, root, profile)
        if skill is not None:
            yield skill


def _files(tree: Tree, root: Root, profile: Profile) -> Iterator[tuple[str, str]]:
    """Every SKILL.md below a root, with the real name of the folder it stands in."""
    queue = deque([(root.path, root.path, 0)])
    seen = {root.path}
    while queue:
        folder, real, depth = queue.popleft()
        for entry in sorted(tree.list(folder) or (), key=lambda entry: entry.name):
            path = join(folder, entry.name)
            kind = leads_to(entry.kind, entry.links_to)
            if entry.name.startswith("."):
                continue
            if kind is EntryKind.DIRECTORY and depth < profile.limits["skills.depth"]:
                inside = _real(real, entry)
                if inside not in seen:
                    seen.add(inside)
                    queue.append((path, inside, depth + 1))
            elif entry.name == _FILE and entry.kind is EntryKind.FILE:
                yield path, name(real)


def _real(folder: str, entry: Entry) -> str:
    return join(folder, entry.target if entry.target is not None else entry.name)


def _skill(tree: Tree, path: str, folder: str, root: Root, profile: Profile) -> Skill | None:
    body = _body(tree, path)
    parsed = head(body, path, strict=_strict(profile)) if body is not None else None
    if body is None or parsed is None:
        return None
    label = parsed.name or fact("skill.folder", folder)
    if len(label) > profile.limits["skills.name"] or _refused(parsed.description, profile):
        return None
    description = capped(parsed.description, profile)
    return Skill(label, description, path, root, body, _implicit(tree, path))


def _strict(profile: Profile) -> bool:
    """Whether a head that is no YAML is refused (0.116); later it gets a second chance."""
    return profile.switches["skills.heads"] == "strict"


def _refused(description: Text, profile: Profile) -> bool:
    """Whether a description is too long for a version that cuts none (witness: 0.116)."""
    too_long = len(description) > profile.limits["skills.description"]
    return too_long and profile.switches["skills.long"] == "refused"


def capped(description: Text, profile: Profile) -> Text:
    """A description cut to the limit, the mark of the cut included (0.171)."""
    limit, dots = profile.limits["skills.description"], profile.literal("skills.dots")
    return description if len(description) <= limit else description[: limit - len(dots)] + dots


def _body(tree: Tree, path: str) -> Text | None:
    data = tree.read(path)
    if data is None:
        return None
    try:
        return text(data.decode("utf-8"), Origin(Kind.FILE, path))
    except UnicodeDecodeError:
        return None


def _implicit(tree: Tree, path: str) -> bool:
    """Whether `agents/openai.yaml` lets the model use the skill unasked."""
    data = tree.read(join(parent(path), "agents/openai.yaml"))
    if data is None:
        return True
    try:
        loaded = yaml.safe_load(data.decode("utf-8", "replace").strip(BLANK))
    except (yaml.YAMLError, RecursionError):
        return True
    return table(table(loaded).get("policy")).get("allow_implicit_invocation") is not False
