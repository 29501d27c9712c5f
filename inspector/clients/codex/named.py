"""Paths that a model's calls name, so that a capture can look at them again."""

import re

from inspector.clients.codex.paths import join
from inspector.turns import Called, Replied, Turn
from inspector.workspace import Environment

_PATH = re.compile(r"""(?:^|[\s"'=(,:>])((?:~|\.{1,2})?/?[\w.@+-]+(?:/[\w.@+-]+)+|/[\w.@+-]+)""")
_PATCH = re.compile(r"\*\*\* (?:Add|Update|Delete) File: ([^\n\\\"]+)")


def paths(turn: Turn, environment: Environment) -> tuple[str, ...]:
    """Absolute paths in the calls of a turn's replies, each once."""
    found: dict[str, None] = {}
    for event in turn.events:
        if not isinstance(event, Replied):
            continue
        for block in event.blocks:
            if isinstance(block, Called):
                for match in (*_PATH.finditer(block.input), *_PATCH.finditer(block.input)):
                    found[_absolute(match[1].strip(), environment)] = None
    return tuple(found)


def _absolute(path: str, environment: Environment) -> str:
    if path.startswith("~"):
        return join(environment.home, path[1:].lstrip("/"))
    return join(environment.cwd, path)
