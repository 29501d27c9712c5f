"""Rules and memory files that are in no request at its start, each with the reason."""

from collections.abc import Iterator
from dataclasses import replace

from inspector.clients.claude_code.discovery import collect
from inspector.clients.claude_code.left_out import LeftOut, Reason
from inspector.clients.claude_code.rules import Memory, Scope, folders, reads_nothing, scope
from inspector.clients.claude_code.settings import Settings, known
from inspector.profiles import Profile
from inspector.workspace import EntryKind, Lenient, World

_STRAY = {
    "AGENTS.md": "CLAUDE.md; import this file there with @AGENTS.md",
    "claude.md": "CLAUDE.md, in capitals",
    "CLAUDE.MD": "CLAUDE.md, with a small ending",
}
_SOURCES = frozenset({"user", "project", "local"})


def unread(world: World, profile: Profile) -> tuple[LeftOut, ...]:
    """Every memory file that did not land, once, in the order of the search."""
    chosen = known(world, profile)
    told: list[LeftOut] = []
    here = scope(Lenient(world.tree), world.environment, chosen, profile)
    found = replace(here, tell=told.append)
    landed = collect(found, chosen)
    if reads_nothing(world.environment):
        told = [_named(memory, Reason.MEMORY_OFF) for memory in landed]
        landed = []
    else:
        told += _of_other_sources(found, chosen, landed)
    told += _strays(found)
    shown = {memory.path for memory in landed}
    return tuple({item.path: item for item in reversed(told) if item.path not in shown}.values())[
        ::-1
    ]


def _named(memory: Memory, reason: Reason, detail: str = "") -> LeftOut:
    return LeftOut("rule", memory.path.rpartition("/")[2], memory.path, reason, detail)


def _unheard(_said: LeftOut) -> None:
    """Nobody is told."""


def _of_other_sources(found: Scope, chosen: Settings, landed: list[Memory]) -> Iterator[LeftOut]:
    """Files of scopes that `--setting-sources` leaves out, as far as the tree holds them."""
    if chosen.sources >= _SOURCES:
        return
    shown = {memory.path for memory in landed}
    quiet = replace(found, tell=_unheard)
    for memory in collect(quiet, replace(chosen, sources=_SOURCES)):
        if memory.path not in shown:
            yield _named(memory, Reason.SOURCE_OFF, memory.kind)


def _strays(found: Scope) -> Iterator[LeftOut]:
    """Files that look like memory and are none."""
    for folder in folders(found.environment.cwd):
        for entry in _files(found, folder):
            if entry in _STRAY:
                path = f"{folder}/{entry}"
                yield LeftOut("rule", entry, path, Reason.MISPLACED, _STRAY[entry])
        if "CLAUDE.local.md" in _files(found, f"{folder}/.claude"):
            said = "CLAUDE.local.md beside .claude, not in it"
            path = f"{folder}/.claude/CLAUDE.local.md"
            yield LeftOut("rule", "CLAUDE.local.md", path, Reason.MISPLACED, said)


def _files(found: Scope, folder: str) -> list[str]:
    entries = found.tree.list(folder) or ()
    return [entry.name for entry in entries if entry.kind is not EntryKind.DIRECTORY]
