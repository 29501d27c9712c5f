"""`@path` in a prompt or a skill's body."""

import re
from dataclasses import dataclass

from inspector.clients.claude_code.settings import absolute

_PLAIN = re.compile(r"(?:^|\s)@([^\s\"]+)")
_QUOTED = re.compile(r"(?:^|\s)@\"([^\"]+)\"")
_LINES = re.compile(r"#L(\d+)(?:-(\d+))?\Z")
_TAIL = ".,;:!?)"


@dataclass(frozen=True, slots=True)
class Mention:
    """One file a text mentions."""

    path: str
    first: int | None = None
    last: int | None = None


def spelled(string: str) -> list[str]:
    """What a text mentions, as it is written there, each once."""
    found = [(match.start(1), match[1]) for match in _QUOTED.finditer(string)]
    found += [(match.start(1), match[1].rstrip(_TAIL)) for match in _PLAIN.finditer(string)]
    targets = (target for _, target in sorted(found))
    return list(dict.fromkeys(name for name in targets if name and not name.startswith("agent-")))


def mentions(string: str, cwd: str) -> list[Mention]:
    """The files a text mentions, in order, each once."""
    out: dict[Mention, None] = {}
    for target in spelled(string):
        lines = _LINES.search(target)
        path = target[: lines.start()] if lines else target
        first = int(lines[1]) if lines else None
        last = int(lines[2] or lines[1]) if lines else None
        out[Mention(absolute(path, cwd), first, last)] = None
    return list(out)
