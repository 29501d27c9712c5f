"""What a client could read: the tree, the environment, MCP listings; all of it values.

Rule: builders see the disk only through `Tree`, which has two methods. A tree over the real disk
and the recording tree live at the edge (`inspector.snapshot`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from inspector.errors import NotKept


class EntryKind(StrEnum):
    """What a directory entry is, links not followed."""

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Entry:
    """One directory entry; a listing keeps the order the file system gave."""

    name: str
    kind: EntryKind
    target: str | None = None
    """Where a link points, as written in the link."""
    links_to: EntryKind | None = None
    """What a link leads to in the end; None for a broken one."""


class Tree(Protocol):
    """Read access to files by absolute path, links followed as the system follows them."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where there is no readable file. Raises `NotKept`."""
        ...

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The entries as the file system orders them; None: no directory. Raises `NotKept`."""
        ...


class _Ours(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class Git(_Ours):
    """What git says at session start, as raw command output; the client runs the same commands."""

    root: str
    """Top directory of the work tree."""
    common_root: str | None = None
    """Top directory of the main work tree, when this one is a linked one."""
    head: str
    """Content of HEAD, such as `ref: refs/heads/main`, or a commit id."""
    default_branch: str | None = None
    """What `refs/remotes/origin/HEAD` points at."""
    user_name: str | None = None
    user_mailbox: str | None = None
    """What stands before the `@` of the user's address."""
    status: str = ""
    """Output of `git status --short`, paths relative to the working directory."""
    log: str = ""
    """Output of `git log --oneline -n 5`."""
    commit: str | None = None
    """The whole id of the commit checked out."""
    remotes: Mapping[str, str] = {}
    """Addresses by remote, user names and passwords cut out."""


class Environment(_Ours):
    """Facts outside the workspace, taken when the client process starts."""

    client: str
    version: str
    argv: tuple[str, ...] = ()
    """The client's command line after the program itself."""
    cwd: str
    home: str
    config_home: str
    """`CLAUDE_CONFIG_DIR` or `CODEX_HOME`, or their default below `home`."""
    date: str
    """Local date, YYYY-MM-DD."""
    timezone: str = "Etc/UTC"
    platform: str = "linux"
    os_version: str = ""
    """System name and release, such as `Linux 6.1.0`."""
    shell: str = ""
    """Value of `SHELL`; the client may see another default."""
    tool_shell: str = ""
    """The shell Claude Code runs commands in."""
    temp: str = "/tmp"  # noqa: S108 - the platform's default, as data
    path_flavour: str = "posix"
    env: Mapping[str, str] = {}
    """Environment switches a client model names (never a key or a token)."""
    credential: str = ""
    """`key` or `token` where the environment gives the client one, `login` where Codex has a file
    of its own for it; none is kept.
    """
    git: Git | None = None
    mailbox: str | None = None
    """What stands before the `@` of git's address outside a work tree."""
    route: str = "tls"
    """`tls`, `base-url` or `raw-export`."""
    base_url: str | None = None
    """The model endpoint the client was configured with; None for the client's default host."""


type Cause = Literal[
    "absent",
    "not-found",
    "forbidden",
    "ended",
    "late",
    "refused",
    "reset",
    "unresolved",
    "status",
    "token-refused",
    "content",
    "unreadable",
    "version",
    "error",
]
"""How a server failed: its program is absent, not on `PATH`, may not be started or ended; no answer
in time; a connection refused or reset, a host nobody knows; an HTTP status, also one for a token of
the configuration; an answer of another content type, that is none, or of an unknown protocol
version; a JSON-RPC error."""


class Failure(_Ours):
    """Why a server gave no lists, as facts; what a client tells of it is made of them."""

    transport: str
    cause: Cause
    detail: str = ""
    """The HTTP status, content type, protocol version or error code."""
    said: str = ""
    """The server's own words."""


class Listing(_Ours):
    """What one MCP server said when asked as the client asks it; each value is raw JSON text."""

    server: str
    scope: str = ""
    state: str = "ready"
    """`ready`, `failed`, `not-asked`."""
    reason: str = ""
    failure: Failure | None = None
    initialize: str | None = None
    tools: str | None = None
    prompts: str | None = None
    resources: str | None = None
    templates: str | None = None
    endless: tuple[str, ...] = ()
    """Methods whose pages named one page twice, or did not end."""


@dataclass(frozen=True, slots=True)
class Spelled:
    """A tree without the entries whose names are no UTF-8.

    Both clients pass such rules, skills, commands and agents over (Claude Code 2.1.332, Codex
    0.171.0, probe: one odd name of each kind beside a plain one).
    """

    tree: Tree

    def read(self, path: str) -> bytes | None:
        """The file's bytes."""
        return self.tree.read(path)

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The directory's entries that have a name in UTF-8."""
        entries = self.tree.list(path)
        return entries if entries is None else tuple(item for item in entries if spelled(item.name))


@dataclass(frozen=True, slots=True)
class Lenient:
    """A tree that says nothing is there where a snapshot kept nothing.

    For what is told beside the requests: the client had no need of the path, so none of them
    depends on it.
    """

    tree: Tree

    def read(self, path: str) -> bytes | None:
        """The file's bytes."""
        try:
            return self.tree.read(path)
        except NotKept:
            return None

    def list(self, path: str) -> tuple[Entry, ...] | None:
        """The directory's entries."""
        try:
            return self.tree.list(path)
        except NotKept:
            return None


def spelled(name: str) -> bool:
    """Whether a file name is UTF-8; other bytes stand in it as lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


MOST_FILES = 20_000
"""Files of a workspace that are looked through before what is said of them all keeps silent."""
_PASSED = frozenset({".git", "node_modules", ".venv", "__pycache__"})


def files_below(tree: Tree, folder: str) -> Sequence[str] | None:
    """The files below a folder; None where there are too many to look at."""
    found: list[str] = []
    for path in _below(tree, folder):
        found.append(path)
        if len(found) > MOST_FILES:
            return None
    return found


def _below(tree: Tree, folder: str) -> Iterator[str]:
    try:
        entries = tree.list(folder) or ()
    except NotKept:
        return
    for entry in entries:
        path = f"{folder.rstrip('/')}/{entry.name}"
        if entry.kind is EntryKind.DIRECTORY and entry.name not in _PASSED:
            yield from _below(tree, path)
        elif entry.kind is not EntryKind.DIRECTORY:
            yield path


@dataclass(frozen=True, slots=True)
class World:
    """Everything a builder may look at besides the turns."""

    tree: Tree
    environment: Environment
    listings: tuple[Listing, ...] = ()

    def __post_init__(self) -> None:
        """Show builders only names a client can spell."""
        if not isinstance(self.tree, Spelled):
            object.__setattr__(self, "tree", Spelled(self.tree))

    @property
    def every(self) -> Tree:
        """The tree with names of any bytes in it."""
        return self.tree.tree if isinstance(self.tree, Spelled) else self.tree
