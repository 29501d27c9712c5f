"""Memory that comes in when a file is touched: nested CLAUDE.md files and conditional rules."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

from inspector.clients.claude_code import discovery, globs, rules
from inspector.clients.claude_code.javascript import cut, trim, units
from inspector.clients.claude_code.phrase import computed, phrase
from inspector.clients.claude_code.rules import Memory, Scope
from inspector.clients.claude_code.settings import MANAGED, Settings, absolute
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text

_READERS = {"cat", "head", "tail", "grep", "sed"}
_OPERATOR = re.compile(r"[|&<>()`$]")


def touched(found: Scope, settings: Settings, path: str, seen: set[str]) -> list[Memory]:
    """What touching one file below the working directory brings in, in order; `seen` grows."""
    if found.denied.holds(path):
        return []
    # What the model has read is not shown again (readFileState, 2.1.332).
    seen.add(path)
    found = replace(found, shown=frozenset(seen))
    out: list[Memory] = []
    for memory in _candidates(found, settings, path):
        if memory.base and not globs.matches(memory.globs or (), path, memory.base):
            continue
        if memory.path not in seen:
            seen.add(memory.path)
            out.append(memory)
    return out


def _candidates(found: Scope, settings: Settings, path: str) -> list[Memory]:
    cwd = found.environment.cwd
    walked: set[str] = set()
    out = discovery.conditional(found, f"{MANAGED}/.claude/rules", "managed", cwd, walked)
    if "user" in settings.sources:
        home = found.environment.config_home
        out += discovery.conditional(found, f"{home}/rules", "user", cwd, walked)
    return out + _project(found, settings, path, walked) if found.inside(path) else out


def reminder(profile: Profile, memory: Memory) -> Text:
    """The reminder for one nested file; its text is not trimmed."""
    path = text(memory.path, Origin(Kind.FACT, "path"))
    return phrase(profile, "memory.nested", path=path, text=_beginning(profile, memory))


def _beginning(profile: Profile, memory: Memory) -> Text:
    """What is shown of a file: a very long one is cut at the end of a line (rules_large)."""
    limits, body = profile.limits, trim(memory.body)
    share = limits["skill.window"] * limits["skill.bytes_per_token"] * limits["memory.share"] // 100
    most = max(limits["memory.shown"], share)
    if memory.kind == "managed" or units(str(body)) <= most:
        return memory.body
    end = str(cut(body, most + 1)).rfind("\n")
    shown = body[:end] if end > 0 else cut(body, most)
    offset = str(shown).count("\n") + 2 if end > 0 else 1
    path = text(memory.path, Origin(Kind.FACT, "path"))
    rest = phrase(profile, "memory.rest", path=path, offset=computed(str(offset), "offset"))
    return shown + rest


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


def _project(found: Scope, settings: Settings, path: str, walked: set[str]) -> list[Memory]:
    cwd = found.environment.cwd
    out: list[Memory] = []
    for folder in _below(cwd, path):
        out += discovery.nested(found, folder, settings, walked)
    if "project" in settings.sources:
        for folder in rules.folders(cwd):
            if not discovery.of_main_tree(found, folder):
                out += discovery.project_rules(found, folder, walked)
    return out
