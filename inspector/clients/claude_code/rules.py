"""Memory files: CLAUDE.md of every scope and the rules folders, in the client's order."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from inspector.clients.claude_code import comments, globs, imports
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import decode, trim
from inspector.clients.claude_code.options import off, on, options
from inspector.clients.claude_code.phrase import paragraphs, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import MANAGED, Settings, absolute, parsed
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Entry, EntryKind, Environment, Tree

_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory file as the client loaded it."""

    path: str
    kind: str
    """`managed`, `user`, `project`, `local`, `auto`: the profile's suffix for it."""
    body: Text
    """Without frontmatter and block comments, not trimmed."""
    globs: tuple[str, ...] | None = None
    """Set on a conditional rule."""
    base: str = ""
    """What its patterns are relative to."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What the search for memory files is told."""

    tree: Tree
    environment: Environment
    limit: int
    """Bytes; a bigger file is skipped in silence."""
    external: bool
    """Whether the user allowed imports from outside the working directory."""
    extensions: frozenset[str]
    """Kinds of files that are read as text."""
    excluded: tuple[str, ...] = ()

    def inside(self, path: str) -> bool:
        """Whether a path lies below the working directory."""
        return path.startswith(self.environment.cwd.rstrip("/") + "/")


def scope(tree: Tree, environment: Environment, settings: Settings, profile: Profile) -> Scope:
    """The search as this session's settings shape it."""
    config = parsed(decode(tree.read(config_file(environment)) or b""))
    project = mapping(mapping(config.get("projects")).get(environment.cwd))
    return Scope(
        tree,
        environment,
        profile.limits["memory.bytes"],
        project.get("hasClaudeMdExternalIncludesApproved") is True,
        frozenset(profile.lists["imports.extensions"]),
        settings.strings("claudeMdExcludes"),
    )


def config_file(environment: Environment) -> str:
    """The client's own state file."""
    if environment.env.get("CLAUDE_CONFIG_DIR"):
        return f"{environment.config_home}/.claude.json"
    return f"{environment.home}/.claude.json"


def collect(found: Scope, settings: Settings) -> list[Memory]:
    """All unconditional memory files, in order of loading; auto-memory is not among them."""
    seen: set[str] = set()
    out: list[Memory] = []
    managed = settings.managed.get("claudeMd")
    if isinstance(managed, str) and managed:
        origin = Origin(Kind.FILE, f"{MANAGED}/managed-settings.json")
        out.append(Memory("<managed-settings>", "managed", text(managed, origin)))
    out.extend(_file(found, f"{MANAGED}/CLAUDE.md", "managed", seen))
    out.extend(_folder(found, f"{MANAGED}/.claude/rules", "managed", seen, conditional=False))
    if "user" in settings.sources:
        home = found.environment.config_home
        out.extend(_file(found, f"{home}/CLAUDE.md", "user", seen))
        out.extend(_folder(found, f"{home}/rules", "user", seen, conditional=False))
    for folder in _folders(found.environment.cwd):
        out.extend(_directory(found, folder, settings, seen))
    for folder in added(found.environment):
        out.extend(_directory(found, folder, settings, seen))
    return out


def added(environment: Environment) -> tuple[str, ...]:
    """Additional directories whose memory is read: all of them, or none without the switch."""
    if not on(environment, "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"):
        return ()
    listed = options(environment.argv).all("--add-dir")
    return tuple(absolute(path, environment.cwd) for path in listed)


def reads_nothing(environment: Environment) -> bool:
    """Whether the command line switches memory off altogether."""
    flags = options(environment.argv).flags
    switches = ("CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_DISABLE_CLAUDE_MDS")
    return bool({"--bare", "--safe-mode"} & flags) or any(on(environment, s) for s in switches)


def block(profile: Profile, memories: list[Memory]) -> Text | None:
    """The reminder that holds all memory files; None where there is nothing to say."""
    entries = [entry(profile, memory) for memory in memories if trim(memory.body)]
    return phrase(profile, "memory", entries=paragraphs(entries)) if entries else None


def entry(profile: Profile, memory: Memory) -> Text:
    """One file under its heading."""
    return phrase(profile, f"memory.{memory.kind}", path=_path(memory.path), text=trim(memory.body))


def conditional(found: Scope, folder: str, kind: str, base: str) -> list[Memory]:
    """The conditional rules of a rules folder."""
    rules = _folder(found, folder, kind, set(), conditional=True)
    return [replace(rule, base=base) for rule in rules]


def nested(found: Scope, folder: str, settings: Settings, seen: set[str]) -> list[Memory]:
    """The unconditional files of one directory below the working directory.

    Here the local file comes before the rules (`rules_nested`), and what lies outside is left out.
    """
    inner = replace(found, external=False)
    out: list[Memory] = []
    if "project" in settings.sources:
        out.extend(_file(inner, f"{folder}/CLAUDE.md", "project", seen))
        out.extend(_file(inner, f"{folder}/.claude/CLAUDE.md", "project", seen))
    if "local" in settings.sources:
        out.extend(_file(inner, f"{folder}/CLAUDE.local.md", "local", seen))
    if "project" in settings.sources:
        out.extend(_folder(inner, f"{folder}/.claude/rules", "project", seen, conditional=False))
    return out


def _folders(cwd: str) -> list[str]:
    parts = [part for part in cwd.split("/") if part]
    return ["/" + "/".join(parts[: count + 1]) for count in range(len(parts))]


def _directory(found: Scope, folder: str, settings: Settings, seen: set[str]) -> Iterator[Memory]:
    if "project" in settings.sources and not _of_main_tree(found, folder):
        yield from _file(found, f"{folder}/CLAUDE.md", "project", seen)
        yield from _file(found, f"{folder}/.claude/CLAUDE.md", "project", seen)
        yield from _folder(found, f"{folder}/.claude/rules", "project", seen, conditional=False)
    if "local" in settings.sources:
        yield from _file(found, f"{folder}/CLAUDE.local.md", "local", seen)


def _of_main_tree(found: Scope, folder: str) -> bool:
    """In a work tree linked below its main one, the main one's folders give no project files."""
    git = found.environment.git
    if git is None or git.common_root is None or not git.root.startswith(git.common_root + "/"):
        return False
    below = f"{folder}/".startswith(git.common_root + "/")
    return below and not f"{folder}/".startswith(git.root + "/")


def _file(
    found: Scope, path: str, kind: str, seen: set[str], depth: int = 0, *, listed: bool = False
) -> Iterator[Memory]:
    """One file and what it imports; `listed`: its folder says that it is no link."""
    if (
        path in seen
        or depth >= _DEPTH
        or not imports.is_text(path, found.extensions)
        or _excluded(found, path, kind)
    ):
        return
    data = found.tree.read(path)
    if data is None or len(data) > found.limit:
        return
    real = path if listed else _real(found.tree, path)
    if real in seen:
        return
    seen.update({path, real})
    front = document(text(decode(data), Origin(Kind.FILE, path)))
    body = comments.stripped(front.body)
    if not trim(body):
        return
    yield Memory(path, kind, body, globs.patterns(front.values.get("paths")))
    for target in imports.imported(str(body), path, found.environment.home):
        if found.inside(target) or found.external or kind == "user":
            yield from _file(found, target, kind, seen, depth + 1)


def _folder(
    found: Scope,
    folder: str,
    kind: str,
    seen: set[str],
    *,
    conditional: bool,
    above: frozenset[str] = frozenset(),
) -> Iterator[Memory]:
    """The rules below a folder; one that a link leads back to is not walked again."""
    for entry in found.tree.list(folder) or () if folder not in above else ():
        path, kind_of = _entry(found, folder, entry, kind)
        if kind_of is EntryKind.DIRECTORY:
            walked = above | {folder}
            yield from _folder(found, path, kind, seen, conditional=conditional, above=walked)
        elif kind_of is EntryKind.FILE and entry.name.endswith(".md"):
            listed = entry.kind is EntryKind.FILE
            for memory in _file(found, path, kind, seen, listed=listed):
                if (memory.globs is not None) is conditional:
                    yield memory


def _entry(found: Scope, folder: str, entry: Entry, kind: str) -> tuple[str, EntryKind]:
    """Where an entry leads; a link out of the working directory leads nowhere."""
    path = f"{folder}/{entry.name}"
    if entry.kind is not EntryKind.LINK or entry.target is None:
        return path, entry.kind
    target = absolute(entry.target, folder)
    if not (found.inside(target) or found.external or kind == "user"):
        return path, EntryKind.OTHER
    return target, entry.links_to or EntryKind.OTHER


def _real(tree: Tree, path: str) -> str:
    """Where a file's own link leads; links among its parents do not matter for duplicates."""
    folder, _, name = path.rpartition("/")
    for entry in tree.list(folder) or ():
        if entry.name == name and entry.kind is EntryKind.LINK and entry.target:
            return absolute(entry.target, folder)
    return path


def _excluded(found: Scope, path: str, kind: str) -> bool:
    if kind not in {"user", "project", "local"} or not found.excluded:
        return False
    return any(globs.picomatch(pattern, path) for pattern in found.excluded)


def _path(path: str) -> Text:
    return text(path, Origin(Kind.FACT, "path"))


def switched_off(environment: Environment, settings: Settings) -> bool:
    """Whether auto-memory is off."""
    if on(environment, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
        return True
    if off(environment, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
        return False
    if "--restricted" in options(environment.argv).flags:
        return True
    return settings.get("autoMemoryEnabled") is False or reads_nothing(environment)
