"""Why a file below the working directory is in no request yet: memory that waits for a reader."""

import posixpath
from collections.abc import Sequence
from dataclasses import replace

from inspector.clients import Missing
from inspector.clients.claude_code.discovery import nested
from inspector.clients.claude_code.left_out import LeftOut
from inspector.clients.claude_code.rules import scope
from inspector.clients.claude_code.settings import known
from inspector.profiles import Profile
from inspector.workspace import Lenient, World


def asleep(world: World, profile: Profile, path: str, landed: Sequence[str]) -> Sequence[Missing]:
    """Why a file of this path did not land beside those that did; none where that is not known."""
    chosen = known(world, profile)
    told: list[LeftOut] = []
    here = scope(Lenient(world.tree), world.environment, chosen, profile)
    found = replace(here, tell=told.append)
    seen: set[str] = set()
    memories = [
        memory
        for folder in _below(world.environment.cwd, (path, *landed))
        for memory in nested(found, folder, chosen, seen)
    ]
    left_out = [
        Missing(item.kind, item.name, item.path, item.words, code=item.reason)
        for item in told
        if item.path == path
    ]
    waiting = [
        Missing("rule", posixpath.basename(path), path, _words(memory.globs, path), waits=True)
        for memory in memories
        if memory.path == path
    ]
    return left_out or waiting or _skill(world.environment.cwd, path)


def _skill(cwd: str, path: str) -> list[Missing]:
    """A skill of a folder that is in reach once a file there is touched [skills_found]."""
    where, _, rest = path.rpartition("/.claude/skills/")
    name, _, file = rest.partition("/")
    if not where.startswith(f"{cwd.rstrip('/')}/") or file != "SKILL.md":
        return []
    words = f"it waits until a file below {where} is touched"
    return [Missing("skill", name, path, words, waits=True)]


def _words(patterns: Sequence[str] | None, path: str) -> str:
    where = posixpath.dirname(path).removesuffix("/rules").removesuffix("/.claude")
    which = f" that matches {', '.join(patterns)}" if patterns else ""
    return f"it waits until a file below {where} is touched{which}"


def _below(cwd: str, paths: Sequence[str]) -> list[str]:
    """The folders below the working directory that hold one of the files, each once."""
    start = cwd.rstrip("/") + "/"
    found: dict[str, None] = {}
    for path in paths:
        steps = path.removeprefix(start).split("/")[:-1] if path.startswith(start) else []
        for count in range(1, len(steps) + 1):
            if steps[count - 1] != ".claude":
                found[start + "/".join(steps[:count])] = None
    return list(found)
