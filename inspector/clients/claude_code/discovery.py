"""The search for memory files: CLAUDE.md of every scope and the rules folders, in their order."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from inspector.clients.claude_code import comments, globs, imports, links
from inspector.clients.claude_code.frontmatter import document
from inspector.clients.claude_code.javascript import decode, trim
from inspector.clients.claude_code.left_out import Reason
from inspector.clients.claude_code.rules import Memory, Scope, added, folders
from inspector.clients.claude_code.settings import MANAGED, Settings
from inspector.errors import NotKept
from inspector.text import Kind, Origin, text
from inspector.workspace import Entry, EntryKind

_DEPTH = 5


def collect(found: Scope, settings: Settings) -> list[Memory]:
    """All unconditional memory files, in order of loading; auto-memory is not among them."""
    seen: set[str] = set()
    out: list[Memory] = []
    out.extend(_file(found, f"{MANAGED}/CLAUDE.md", "managed", seen))
    out.extend(_managed(settings))
    out.extend(_folder(found, f"{MANAGED}/.claude/rules", "managed", seen))
    if "user" in settings.sources:
        home = found.environment.config_home
        out.extend(_file(found, f"{home}/CLAUDE.md", "user", seen))
        out.extend(_folder(found, f"{home}/rules", "user", seen))
    for folder in folders(found.environment.cwd):
        shared = "project" in settings.sources and not of_main_tree(found, folder)
        out.extend(_directory(found, folder, settings, seen, shared=shared))
    for folder in added(found.environment):
        # Additional directories do not ask for the source `project` (rules_switches).
        out.extend(_directory(found, folder, settings, seen, shared=True, local=found.added_local))
    return out


def conditional(found: Scope, folder: str, kind: str, base: str, seen: set[str]) -> list[Memory]:
    """The conditional rules of a rules folder."""
    given = _Folder(folder, kind, conditional=True)
    rules = _entries(replace(found, external=False), given, seen)
    return [replace(rule, base=base) for rule in rules]


def project_rules(found: Scope, folder: str, seen: set[str]) -> list[Memory]:
    """The conditional rules of one project folder."""
    return conditional(found, f"{folder}/.claude/rules", "project", folder, seen)


def nested(found: Scope, folder: str, settings: Settings, seen: set[str]) -> list[Memory]:
    """The files of one directory below the working directory, conditional rules last.

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
        walked = set(seen)
        out.extend(_folder(inner, f"{folder}/.claude/rules", "project", walked))
        out.extend(project_rules(found, folder, seen))
        seen |= walked
    return out


def of_main_tree(found: Scope, folder: str) -> bool:
    """In a work tree linked below its main one, the main one's folders give no project files."""
    git = found.environment.git
    if git is None or git.common_root is None or not git.root.startswith(git.common_root + "/"):
        return False
    below = f"{folder}/".startswith(git.common_root + "/")
    return below and not f"{folder}/".startswith(git.root + "/")


def _managed(settings: Settings) -> Iterator[Memory]:
    said = settings.managed.get("claudeMd")
    if isinstance(said, str) and said:
        origin = Origin(Kind.FILE, f"{MANAGED}/managed-settings.json")
        yield Memory("<managed-settings>", "managed", text(said, origin))


def _directory(
    found: Scope,
    folder: str,
    settings: Settings,
    seen: set[str],
    *,
    shared: bool,
    local: bool = True,
) -> Iterator[Memory]:
    if shared:
        yield from _file(found, f"{folder}/CLAUDE.md", "project", seen)
        yield from _file(found, f"{folder}/.claude/CLAUDE.md", "project", seen)
        yield from _folder(found, f"{folder}/.claude/rules", "project", seen)
    if "local" in settings.sources and local:
        yield from _file(found, f"{folder}/CLAUDE.local.md", "local", seen)


def _file(
    found: Scope, path: str, kind: str, seen: set[str], real: str = "", depth: int = 0
) -> Iterator[Memory]:
    """One file and what it imports; `real` is where the path leads, if that is known."""
    data = _read(found, path) if depth < _DEPTH and path not in seen else None
    if data is None and not depth and path not in seen and path not in found.shown:
        return  # Nothing is there, and no setting or rule is the reason.
    real = real or (links.resolved(found.tree, path, found.real) if data is not None else path)
    refused = _repeated(path, real, seen, depth) or _refused(found, path, real, kind, depth)
    if data is None or refused:
        if refused or depth:
            found.refuse(path, refused or Reason.ABSENT, imported=depth > 0)
        return
    seen.update({path, real})
    front = document(text(decode(data), Origin(Kind.FILE, path)))
    body = comments.stripped(front.body)
    if len(data) > found.limit or not trim(body):
        large = len(data) > found.limit
        found.refuse(path, Reason.TOO_LARGE if large else Reason.EMPTY, str(found.limit))
        return
    yield Memory(path, kind, body, globs.patterns(front.values.get("paths")))
    for target in imports.imported(str(body), real, found.environment.home):
        if found.inside(target) or found.lets_out(kind):
            yield from _file(found, target, kind, seen, depth=depth + 1)
        else:
            found.refuse(target, Reason.OUTSIDE, imported=True)


def _read(found: Scope, path: str) -> bytes | None:
    """A file's bytes; what was shown before need not be kept again."""
    try:
        return found.tree.read(path)
    except NotKept:
        if path in found.shown:
            return None
        raise


def _repeated(path: str, real: str, seen: set[str], depth: int) -> Reason | None:
    if path in seen or (real != path and real in seen):
        return Reason.REPEATED
    return Reason.TOO_DEEP if depth >= _DEPTH else None


def _refused(found: Scope, path: str, real: str, kind: str, depth: int) -> Reason | None:
    """Why a file is not read; None where it is."""
    if found.excludes(path, kind):
        return Reason.EXCLUDED
    if depth and not found.lets_out(kind) and not found.inside(real):
        return Reason.OUTSIDE
    if kind in {"project", "local"} and (found.denied.holds(path) or found.denied.holds(real)):
        return Reason.DENIED
    if not imports.is_text(path, found.extensions):
        return Reason.NO_TEXT_FILE
    return None


@dataclass(frozen=True, slots=True)
class _Folder:
    """A rules folder that is looked into."""

    path: str
    kind: str
    conditional: bool = False
    known_as: str = ""
    """The path it was found by, where a link led here."""


def _folder(found: Scope, path: str, kind: str, seen: set[str]) -> Iterator[Memory]:
    return _entries(found, _Folder(path, kind), seen)


def _entries(
    found: Scope, folder: _Folder, seen: set[str], visited: frozenset[str] = frozenset()
) -> Iterator[Memory]:
    entries = found.tree.list(folder.path)
    if not entries or folder.path in visited:
        return
    real = links.resolved(found.tree, folder.path, found.real)
    if not found.lets_out(folder.kind, linked=True) and _kept_out(found, folder, real):
        found.refuse(folder.path, Reason.LINK_OUTSIDE)
        return
    visited |= {folder.path, real}
    for entry in entries:
        yield from _entry(found, folder, real, entry, seen, visited)


def _kept_out(found: Scope, folder: _Folder, real: str) -> bool:
    """Whether a rules folder is a link (or stands in a linked `.claude`) that leads outside."""
    if found.inside(real):
        return False
    if links.is_link(found.tree, folder.path):
        return True
    above = folder.path.rpartition("/")[0]
    project = above.rpartition("/")[0]
    near = project in folders(found.environment.cwd) or project in added(found.environment)
    if folder.kind != "project" or real == folder.path or not near:
        return False
    return links.is_link(found.tree, above) and (folder.conditional or not found.approved)


def _entry(
    found: Scope,
    folder: _Folder,
    real: str,
    entry: Entry,
    seen: set[str],
    visited: frozenset[str],
) -> Iterator[Memory]:
    path, kind = f"{real}/{entry.name}", entry.kind
    known_as = f"{folder.known_as or folder.path}/{entry.name}"
    if kind is EntryKind.LINK:
        path = links.resolved(found.tree, f"{folder.path}/{entry.name}", found.real)
        kind = entry.links_to or EntryKind.OTHER
    refused = _refused_entry(found, folder, known_as, path, real, kind)
    if refused:
        found.refuse(known_as, refused)
    elif kind is EntryKind.DIRECTORY:
        inner = replace(folder, path=path, known_as=known_as if known_as != path else "")
        yield from _entries(found, inner, seen, visited)
    elif kind is EntryKind.FILE:
        _tell_linked(found, entry, known_as, (path, f"{real}/"), seen)
        for memory in _file(found, path, folder.kind, seen, real=path):
            if (memory.globs is not None) is folder.conditional:
                yield memory
            elif not folder.conditional:
                found.refuse(memory.path, Reason.WAITS, ", ".join(memory.globs or ()))


def _tell_linked(
    found: Scope, entry: Entry, known_as: str, places: tuple[str, str], seen: set[str]
) -> None:
    """Say of a link to a file beside it, or to one read before, that it stands once."""
    path, beside = places
    if entry.kind is EntryKind.LINK and (path in seen or path.startswith(beside)):
        found.refuse(known_as, Reason.DUPLICATE, path)


def _refused_entry(
    found: Scope, folder: _Folder, known_as: str, path: str, real: str, kind: EntryKind
) -> Reason | None:
    if kind is EntryKind.OTHER:
        return Reason.LEADS_NOWHERE
    if known_as != path and found.excludes(known_as, folder.kind):
        return Reason.EXCLUDED
    if kind is EntryKind.FILE and not known_as.endswith(".md"):
        return Reason.NO_MARKDOWN
    beside = path == f"{real}/{known_as.rpartition('/')[2]}"
    if not beside and not found.inside(path) and not found.lets_out(folder.kind, linked=True):
        return Reason.LINK_OUTSIDE
    return None
