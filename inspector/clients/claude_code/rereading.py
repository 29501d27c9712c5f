"""Reads of what the model was shown before, in versions that do not show it again."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from inspector.clients.claude_code import echo
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.looking import kept
from inspector.clients.claude_code.phrase import phrase
from inspector.clients.claude_code.resultblock import Result, success
from inspector.clients.claude_code.settings import absolute
from inspector.clients.claude_code.state import State
from inspector.jsontext import Number
from inspector.profiles import Profile
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
    return Result(success(call.id, phrase(state.profile, "read.unchanged")))


def noted(state: State, call: Called, result: Result, world: World) -> State:
    """The state with what a call showed of a file, or made of it."""
    if call.name not in {"Read", *_WRITERS} or result.block.get("is_error") is True:
        return state
    path, key = _asked(call, world)
    state = _known(state, call, path, world)
    if state.profile.switches["read.again"] != "unchanged":
        return state
    reads: Mapping[str, str] = {name: known for name, known in state.reads.items() if name != path}
    if call.name == "Read" and key and isinstance(result.block["content"], Text):
        reads = {**reads, path: key}
    return replace(state, reads=reads)


def _known(state: State, call: Called, path: str, world: World) -> State:
    """What the client has in mind of a file: it is not shown again where somebody mentions it."""
    lines: Mapping[str, object] = echo.arguments(call) if call.name == "Read" else {}
    rest = {name: known for name, known in state.known.items() if name != path}
    return replace(state, known={**rest, **shown(state.profile, world, path, lines)})


def shown(
    profile: Profile, world: World, path: str, chosen: Mapping[str, object]
) -> Mapping[str, str]:
    """The digest of a file of which these lines were shown; none where it is not all of them."""
    data = kept(world.tree, path)
    if data is None:
        return {}
    first, most = (chosen.get(name) for name in ("offset", "limit"))
    start, count = int(_number(first, "1")), int(_number(most, "0"))
    lines = decode(data).count("\n") + 1
    whole = start <= 1 and (not count or lines < count)
    return {path: _digest(data)} if whole or profile.switches["mention.known"] == "any" else {}


def digest(world: World, path: str) -> str:
    """A file's digest, as it is now; empty where there is none."""
    data = kept(world.tree, path)
    return "" if data is None else _digest(data)


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _asked(call: Called, world: World) -> tuple[str, str]:
    """The path of a read, and what it shows: which lines of which bytes."""
    path = absolute(echo.argument(call, "file_path") or "", world.environment.cwd)
    data = kept(world.tree, path)
    if data is None:
        return path, ""
    values = echo.arguments(call)
    lines = [_number(values.get(name), usual) for name, usual in (("offset", "1"), ("limit", ""))]
    return path, ":".join([*lines, _digest(data)])


def _number(value: object, usual: str) -> str:
    return value.text if isinstance(value, Number) else usual
