"""`@path` in a prompt or a skill's body."""

import re
from dataclasses import dataclass, field

from inspector.clients.claude_code.javascript import SPACE, trim_string
from inspector.clients.claude_code.settings import resolved

_STOPS = "\u3002\u3001\uff1f\uff01"
_QUOTED = re.compile(rf"(?:^|[{SPACE}{_STOPS}])@\"([^\"]+)\"")
_PLAIN = re.compile(rf"@[^{SPACE}]*")
_END = re.compile(r".*\b", re.ASCII | re.DOTALL)
_AGENT = re.compile(rf"(?:^|[{SPACE}])@agent-([A-Za-z0-9_][A-Za-z0-9_:.@-]*)")
_LINES = re.compile(r"([^#]+)(?:#(L|(?![^#]*#))(\d+)(?:-(\d+))?)?(?:#[^#]*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Mention:
    """One file a text mentions."""

    path: str
    first: int | None = None
    last: int | None = None
    lettered: bool = field(default=True, compare=False)
    """Whether lines are named with the letter L."""


def spelled(string: str) -> list[str]:
    """What a text mentions, as it is written there, each once: the quoted ones first."""
    quoted = [name for name in _QUOTED.findall(string) if not name.endswith(" (agent)")]
    return list(dict.fromkeys([*quoted, *_plain(string)]))


def named_as_spelled(string: str) -> list[str]:
    """What a text mentions, agents among it, as it is written there (`mention_long`)."""
    quoted = [name for name in _QUOTED.findall(string) if not name.endswith(" (agent)")]
    return list(dict.fromkeys([*quoted, *_words(string)]))


def _plain(string: str) -> list[str]:
    return [name for name in _words(string) if not name.startswith("agent-")]


def _words(string: str) -> list[str]:
    """Words behind an `@` that begins one, up to the last edge of a Latin word in them."""
    out: list[str] = []
    for match in _PLAIN.finditer(string):
        before = string[: match.start()][-1:]
        if not trim_string(before) or before in _STOPS:
            # What begins with a quote is no plain mention.
            word = _END.match(match[0], 1)
            name = match[0][1 : word.end()] if word else ""
            out += [name] if name and not name.startswith('"') else []
    return out


def agents(string: str) -> list[str]:
    """The agents a text asks for, each once."""
    return list(dict.fromkeys(match[1].rstrip(".:") for match in _AGENT.finditer(string)))


def mentions(string: str, cwd: str, home: str = "/") -> list[Mention]:
    """The files a text mentions, in order, each once."""
    return list(dict.fromkeys(_mention(target, cwd, home) for target in spelled(string)))


def _mention(target: str, cwd: str, home: str) -> Mention:
    match = _LINES.fullmatch(target)
    if match is None:
        return Mention(resolved(target, cwd, home))
    path, mark, start, end = match.groups()
    first = int(start) if start else None
    last = int(end) if end else first
    # Without the letter it must be a range, else it is a heading.
    if mark == "" and not (first and last and first <= last):
        return Mention(resolved(path, cwd, home))
    return Mention(resolved(path, cwd, home), first, last, lettered=bool(mark) or first is None)
