"""Memory that comes in when a file is touched: nested CLAUDE.md files and conditional rules."""

import re
import shlex
from collections.abc import Sequence

from inspector.clients.claude_code import globs, rules
from inspector.clients.claude_code.phrase import phrase
from inspector.clients.claude_code.rules import Memory, Scope
from inspector.clients.claude_code.settings import MANAGED, Settings, absolute
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text

_READERS = {"cat", "head", "tail", "grep", "sed"}
_OPERATOR = re.compile(r"[|&<>()`$]")


def touched(found: Scope, settings: Settings, path: str, seen: set[str]) -> list[Memory]:
    """What touching one file below the working directory brings in, in order; `seen` grows."""
    cwd = found.environment.cwd
    out: list[Memory] = []
    candidates = rules.conditional(found, f"{MANAGED}/.claude/rules", "managed", cwd)
    if "user" in settings.sources:
        home = found.environment.config_home
        candidates += rules.conditional(found, f"{home}/rules", "user", cwd)
    if found.inside(path):
        candidates += _project(found, settings, path, seen)
    for memory in candidates:
        if memory.base and not globs.matches(memory.globs or (), path, memory.base):
            continue
        if memory.path not in seen:
            seen.add(memory.path)
            out.append(memory)
    return [memory for memory in out if memory.path != path]


def reminder(profile: Profile, memory: Memory) -> Text:
    """The reminder for one nested file; its text is not trimmed."""
    path = text(memory.path, Origin(Kind.FACT, "path"))
    return phrase(profile, "memory.nested", path=path, text=memory.body)


def read_by_shell(command: str, cwd: str) -> list[str]:
    """Files that a shell command reads in a way the client notices."""
    if _OPERATOR.search(command):
        return []
    out: list[str] = []
    for simple in re.split(r";|\n", command):
        try:
            words = shlex.split(simple)
        except ValueError:
            return []
        path = _one_file(words)
        if path is not None:
            out.append(absolute(path, cwd))
    # A command that also writes is not taken for a read (rules_cond_trigger: `cat f; sed -i … f`).
    return [] if re.search(r"\bsed\b.*\s-i", command) else out


def _one_file(words: Sequence[str]) -> str | None:
    if not words or words[0] not in _READERS:
        return None
    plain = [word for word in words[1:] if not word.startswith("-")]
    if words[0] == "grep":
        plain = plain[1:]
    elif words[0] == "sed":
        plain = plain[1:] if "-n" in words else []
    elif words[0] in {"head", "tail"} and "-n" in words:
        plain = [word for word in plain if not word.isdigit()]
    return plain[0] if len(plain) == 1 else None


def _below(cwd: str, path: str) -> list[str]:
    parts = path[len(cwd.rstrip("/")) + 1 :].split("/")[:-1]
    return [f"{cwd.rstrip('/')}/{'/'.join(parts[: n + 1])}" for n in range(len(parts))]


def _above(cwd: str) -> list[str]:
    parts = [part for part in cwd.split("/") if part]
    return ["/" + "/".join(parts[: n + 1]) for n in range(len(parts))]


def _project(found: Scope, settings: Settings, path: str, seen: set[str]) -> list[Memory]:
    cwd = found.environment.cwd
    out: list[Memory] = []
    for folder in _below(cwd, path):
        out += _folder(found, settings, folder, set(seen))
    if "project" in settings.sources:
        for folder in _above(cwd):
            out += rules.conditional(found, f"{folder}/.claude/rules", "project", folder)
    return out


def _folder(found: Scope, settings: Settings, folder: str, seen: set[str]) -> list[Memory]:
    out = rules.nested(found, folder, settings, seen)
    if "project" in settings.sources:
        out += rules.conditional(found, f"{folder}/.claude/rules", "project", folder)
    return out
