"""Memory files: what one is, what the search for them is told, and the block that holds them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from inspector.clients.claude_code import globs
from inspector.clients.claude_code.denied import NOTHING, Denied
from inspector.clients.claude_code.javascript import decode, trim
from inspector.clients.claude_code.left_out import Kind as LeftOutKind
from inspector.clients.claude_code.left_out import LeftOut, Reason
from inspector.clients.claude_code.options import off, on, options
from inspector.clients.claude_code.phrase import paragraphs, phrase
from inspector.clients.claude_code.settings import (
    Settings,
    absolute,
    config_file,
    of_project,
    parsed,
    restricted,
)
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Environment, Tree


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


def _unheard(_: LeftOut) -> None:
    """Nobody asked why a file is left out."""


@dataclass(frozen=True)
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
    approved: bool
    """The same as the user's answer, also where a search goes on without it."""
    excluded: tuple[str, ...] = ()
    denied: Denied = NOTHING
    """Files that the user's permission rules keep from being read."""
    shown: frozenset[str] = frozenset()
    """Files that are in the conversation."""
    added_local: bool = True
    """Additional directories have a CLAUDE.local.md of their own."""
    linked: bool = False
    """Links among rules are followed wherever they lead."""
    tell: Callable[[LeftOut], None] = _unheard
    """Hears of each file that is left out."""

    def inside(self, path: str) -> bool:
        """Whether a path lies below the working directory."""
        return path.startswith(self.environment.cwd.rstrip("/") + "/")

    def lets_out(self, kind: str, *, linked: bool = False) -> bool:
        """Whether files of a kind may lie outside the working directory, or a link lead there."""
        return self.external or kind == "user" or (linked and self.linked)

    def excludes(self, path: str, kind: str) -> bool:
        """Whether the user's settings exclude a file."""
        if kind not in {"user", "project", "local"}:
            return False
        return any(globs.picomatch(pattern, path) for pattern in self.excluded)

    def refuse(
        self, path: str, reason: Reason, detail: str = "", *, imported: bool = False
    ) -> None:
        """Say why a file is left out."""
        kind: LeftOutKind = "import" if imported else "rule"
        self.tell(LeftOut(kind, path.rpartition("/")[2], path, reason, detail))

    @cached_property
    def real(self) -> tuple[str, ...]:
        """Folders that are no links: the working directory, those above it, the home folder."""
        return (*folders(self.environment.cwd), self.environment.home)


def scope(tree: Tree, environment: Environment, settings: Settings, profile: Profile) -> Scope:
    """The search as this session's settings shape it."""
    config = parsed(decode(tree.read(config_file(environment)) or b""))
    project = of_project(config, environment)
    approved = project.get("hasClaudeMdExternalIncludesApproved") is True
    return Scope(
        tree,
        environment,
        profile.limits["memory.bytes"],
        approved,
        frozenset(profile.lists["imports.extensions"]),
        approved,
        tuple(name for name in settings.strings("claudeMdExcludes") if name),
        Denied.reads(settings, environment),
        added_local=profile.switches["rules.added_local"] == "read",
        linked=profile.switches["rules.linked"] == "followed",
    )


def folders(cwd: str) -> list[str]:
    """A folder and those above it, from the top; the root itself is not among them."""
    parts = [part for part in cwd.split("/") if part]
    return ["/" + "/".join(parts[: count + 1]) for count in range(len(parts))]


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
    off = bool({"--bare", "--safe-mode"} & flags)
    return off or any(on(environment, name) for name in switches)


def entries(profile: Profile, memories: list[Memory]) -> Text | None:
    """All memory files under their headings; None where there is nothing to say."""
    found = [entry(profile, memory) for memory in memories if trim(memory.body)]
    return paragraphs(found) if found else None


def entry(profile: Profile, memory: Memory) -> Text:
    """One file under its heading."""
    whole = profile.switches["memory.text"] == "whole"
    body = memory.body if whole else trim(memory.body)
    return phrase(profile, f"memory.{memory.kind}", path=_path(memory.path), text=body)


def _path(path: str) -> Text:
    return text(path, Origin(Kind.FACT, "path"))


def switched_off(environment: Environment, settings: Settings) -> bool:
    """Whether auto-memory is off."""
    if on(environment, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
        return True
    if off(environment, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
        return False
    if restricted(environment):
        return True
    bare = bool({"--bare", "--safe-mode"} & options(environment.argv).flags)
    off_by_switch = bare or on(environment, "CLAUDE_CODE_SIMPLE")
    return settings.get("autoMemoryEnabled") is False or off_by_switch
