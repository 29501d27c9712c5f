"""AGENTS.md: which files, how much of them, and the wrapper around them.

Rules unchanged from 0.55 to 0.171: the global file trimmed and without a limit; one file per folder
from the project root to the working directory, verbatim, under one budget of bytes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.clients import Missing
from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import BLANK, fact, fill
from inspector.clients.codex.paths import from_root, join, project_root
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.text import join as joined
from inspector.workspace import EntryKind, Lenient, Tree, World


@dataclass(frozen=True, slots=True)
class Instructions:
    """The instructions a process found."""

    body: Text
    """The text inside the wrapper."""
    project: bool
    """Whether a project file is in it; only then the heading names the directory."""
    cwd: str

    def wrapped(self, profile: Profile, preface: Text = EMPTY) -> Text:
        """The part of the user message; empty without instructions."""
        if not self.body and not preface:
            return EMPTY
        head = profile.literal("agents.head_in" if self.project else "agents.head")
        head = fill(head, {"cwd": fact("cwd", self.cwd)})
        between = profile.literal("agents.join") if preface and self.body else EMPTY
        inside = preface + between + self.body
        return head + profile.literal("agents.open") + inside + profile.literal("agents.close")


def instructions(world: World, config: Config, profile: Profile) -> Instructions:
    """The global file, the separator, the project's files."""
    documents = project_documents(world.tree, config, profile)
    general = global_document(world.tree, world.environment.config_home, profile)
    project = joined(profile.literal("agents.join"), documents)
    between = profile.literal("agents.separator") if general and project else EMPTY
    return Instructions(general + between + project, bool(documents), config.cwd)


def global_document(tree: Tree, config_home: str, profile: Profile) -> Text:
    """The first global file that is not blank, trimmed."""
    for name in profile.lists["agents.names"]:
        path = join(config_home, name)
        data = tree.read(path)
        if data is None:
            continue
        body = _document(path, data).strip(BLANK)
        if body:
            return body
    return EMPTY


def project_documents(tree: Tree, config: Config, profile: Profile) -> list[Text]:
    """The project's files, root first, cut where the budget of bytes ends."""
    bodies = [_document(path, data[:room]) for path, data, room in _budgeted(tree, config, profile)]
    return [body for body in bodies if str(body).strip(BLANK)]


def faults(tree: Tree, config: Config, profile: Profile) -> Iterator[str]:
    """The project's files that are not told whole, each with the reason."""
    for path, data, room in _budgeted(tree, config, profile):
        if len(data) > room:
            left = f"{room:,} of the bytes for such files are left"
            yield f"{path}: it has {len(data):,} bytes and {left}; the client leaves out the rest"
        if not _is_utf8(data):
            yield f"{path}: not readable as UTF-8; the client puts U+FFFD for what is not"


def untold(tree: Tree, config: Config, config_home: str, profile: Profile) -> Iterator[Missing]:
    """Files that another one beside them hides, and those that the budget of bytes cuts."""
    tree = Lenient(tree)
    yield from _general(tree, config_home, profile)
    for folder in _folders(tree, config, profile):
        paths = [join(folder, name) for name in _names(config, profile)]
        yield from _outdone([path for path in paths if _stands(tree, path)])
    for path, data, room in _budgeted(tree, config, profile):
        if _is_blank(data):
            yield _empty(path)
        elif len(data) > room:
            at = len(data[:room].decode("utf-8", "replace"))
            why = _cut(data, room)
            yield Missing("rule", path.rpartition("/")[2], path, why, code="cut", at=at)


def _general(tree: Tree, config_home: str, profile: Profile) -> Iterator[Missing]:
    """The global files but the one that is read; a blank one hides none."""
    paths = [join(config_home, name) for name in profile.lists["agents.names"]]
    there = [path for path in paths if _stands(tree, path)]
    while there and _is_blank(tree.read(there[0]) or b""):
        yield _empty(there.pop(0))
    yield from _outdone(there)


def _outdone(paths: Sequence[str]) -> Iterator[Missing]:
    """The files of a folder behind its first."""
    for path in paths[1:]:
        why = f"{paths[0].rpartition('/')[2]} beside it is read in its place"
        yield _rule(path, why, "hidden")


def _empty(path: str) -> Missing:
    return _rule(path, "there is no text in it", "empty")


def _rule(path: str, why: str, code: str) -> Missing:
    return Missing("rule", path.rpartition("/")[2], path, why, code=code)


def _stands(tree: Tree, path: str) -> bool:
    """Whether a file is there; one the client had no need to read is known by its name alone."""
    if tree.read(path) is not None:
        return True
    folder, _, name = path.rpartition("/")
    entries = tree.list(folder) or ()
    return any(item.name == name and item.kind is EntryKind.FILE for item in entries)


def _is_blank(data: bytes) -> bool:
    return not data.decode("utf-8", "replace").strip(BLANK)


def asked(tree: Tree, config: Config, profile: Profile) -> tuple[int, int]:
    """How many bytes the project's files have, and how many may be told."""
    sizes = [len(data) for _, data, _ in _budgeted(tree, config, profile)]
    return sum(sizes), config.integer("project_doc_max_bytes", profile.limits["agents.bytes"])


def _cut(data: bytes, room: int) -> str:
    """Where a file is cut, and the first heading behind that."""
    line = data.count(b"\n", 0, room) + 1
    said = f"cut after byte {room:,} (line {line:,}) of {len(data):,}: the budget ends there"
    lost = data[room:].decode("utf-8", "replace").splitlines()
    # What is left of a line that is cut in the middle is no heading.
    whole = lost if room == 0 or data[room - 1 : room] == b"\n" else lost[1:]
    heading = next((text for text in whole if text.startswith("#")), "")
    return f"{said}; the first heading lost is “{heading}”" if heading else said


def _budgeted(tree: Tree, config: Config, profile: Profile) -> Iterator[tuple[str, bytes, int]]:
    """The project's files, root first, each with the bytes that are left for it."""
    remaining = config.integer("project_doc_max_bytes", profile.limits["agents.bytes"])
    names = _names(config, profile)
    for folder in _folders(tree, config, profile):
        path, data = _first(tree, folder, names)
        if data is None:
            continue
        room = max(remaining, 0)
        yield path, data, room
        if str(_document(path, data[:room])).strip(BLANK):
            remaining -= len(data[:room])


def _names(config: Config, profile: Profile) -> tuple[str, ...]:
    return (*profile.lists["agents.names"], *config.strings("project_doc_fallback_filenames"))


def _folders(tree: Tree, config: Config, profile: Profile) -> Sequence[str]:
    """The folders from the project's root to the working directory."""
    markers = config.strings("project_root_markers", profile.lists["root_markers"])
    return from_root(project_root(tree, config.cwd, markers), config.cwd)


def _first(tree: Tree, folder: str, names: tuple[str, ...]) -> tuple[str, bytes | None]:
    for name in names:
        path = join(folder, name)
        data = tree.read(path)
        if data is not None:
            return path, data
    return folder, None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _document(path: str, data: bytes) -> Text:
    # Each byte sequence that is no UTF-8 becomes U+FFFD, as Rust's from_utf8_lossy does.
    return text(data.decode("utf-8", "replace"), Origin(Kind.FILE, path))
