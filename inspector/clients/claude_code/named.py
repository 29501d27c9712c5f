"""The files that calls and prompts name."""

from inspector.clients.claude_code import echo, nested
from inspector.clients.claude_code.mentions import mentions
from inspector.clients.claude_code.settings import absolute
from inspector.turns import Called, Prompted, Replied, Turn
from inspector.workspace import Environment

_FILES = ("file_path", "notebook_path")
_READING = frozenset({"Read", "Edit", "NotebookEdit"})


def paths(turn: Turn, environment: Environment) -> tuple[str, ...]:
    """Absolute paths that a turn's calls and prompts name."""
    out: dict[str, None] = {}
    for event in turn.events:
        if isinstance(event, Prompted):
            out |= dict.fromkeys(
                m.path for m in mentions(event.text, environment.cwd, environment.home)
            )
        blocks = event.blocks if isinstance(event, Replied) else ()
        for call in blocks:
            if isinstance(call, Called):
                out |= dict.fromkeys(_paths(call, environment))
    return tuple(out)


def read(turn: Turn, environment: Environment) -> tuple[str, ...]:
    """Absolute paths of the files that a turn's calls read or change."""
    replies = (event for event in turn.events if isinstance(event, Replied))
    calls = (block for reply in replies for block in reply.blocks if isinstance(block, Called))
    found = (path for call in calls if call.name in _READING for path in _paths(call, environment))
    return tuple(dict.fromkeys(found))


def _paths(call: Called, environment: Environment) -> list[str]:
    if call.name == "Bash":
        return nested.read_by_shell(echo.argument(call, "command") or "", environment.cwd)
    given = map(echo.arguments(call).get, _FILES)
    return [absolute(path, environment.cwd) for path in given if path and isinstance(path, str)]
