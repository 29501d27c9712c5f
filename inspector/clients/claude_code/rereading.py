"""Reads of what the model was shown before, in versions that do not show it again."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from inspector.clients.claude_code import echo, results
from inspector.clients.claude_code.looking import kept
from inspector.clients.claude_code.phrase import phrase
from inspector.clients.claude_code.results import Result
from inspector.clients.claude_code.settings import absolute
from inspector.clients.claude_code.state import State
from inspector.jsontext import Number
from inspector.text import Text
from inspector.turns import Called
from inspector.workspace import World

_WRITERS = frozenset({"Write", "Edit", "NotebookEdit"})


def unchanged(state: State, call: Called, world: World) -> Result | None:
    """The result of reading again what has not changed; None for any other call."""
    if state.profile.switches["read.again"] != "unchanged" or call.name != "Read":
        return None
    path, key = _asked(call, world)
    if not key or state.reads.get(path) != key:
        return None
    return Result(results.success(call.id, phrase(state.profile, "read.unchanged")))


def noted(state: State, call: Called, result: Result, world: World) -> State:
    """The state with what a call showed of a file, or made of it."""
    if state.profile.switches["read.again"] != "unchanged":
        return state
    if call.name not in {"Read", *_WRITERS} or result.block.get("is_error") is True:
        return state
    path, key = _asked(call, world)
    reads: Mapping[str, str] = {name: known for name, known in state.reads.items() if name != path}
    if call.name == "Read" and key and isinstance(result.block["content"], Text):
        reads = {**reads, path: key}
    return replace(state, reads=reads)


def _asked(call: Called, world: World) -> tuple[str, str]:
    """The path of a read, and what it shows: which lines of which bytes."""
    path = absolute(echo.argument(call, "file_path") or "", world.environment.cwd)
    data = kept(world.tree, path)
    if data is None:
        return path, ""
    values = echo.arguments(call)
    lines = [_number(values.get(name), usual) for name, usual in (("offset", "1"), ("limit", ""))]
    return path, ":".join([*lines, sha256(data).hexdigest()])


def _number(value: object, usual: str) -> str:
    return value.text if isinstance(value, Number) else usual
