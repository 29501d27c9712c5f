"""What of its command line the client ends at before it asks a model anything (2.1.332, probe)."""

import re
from collections.abc import Callable, Iterator, Mapping

from inspector.clients import Refused
from inspector.clients.claude_code.flags import FLAGS, VERSION
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.options import Options, options
from inspector.clients.claude_code.plain import is_mapping, mapping
from inspector.clients.claude_code.settings import absolute
from inspector.errors import NotKept
from inspector.jsontext import read
from inspector.workspace import World

_SOURCES = ("user", "project", "local")
_MODES = ("acceptEdits", "auto", "bypassPermissions", "manual", "default", "dontAsk", "plan")
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.IGNORECASE)


def refused(world: World) -> Iterator[Refused]:
    """Each option with the reason."""
    given = options(world.environment.argv)
    for option, test in _TESTS.items():
        for value in given.all(option) or (given.value(option),):
            fault = test(value, world) if value else None
            if fault:
                yield Refused(f"{option}: {fault}", sent=option != "--json-schema")
    yield from _unknown(given, world)


def _unknown(given: Options, world: World) -> Iterator[Refused]:
    if world.environment.version == VERSION:
        for name in sorted(given.flags - FLAGS):
            if name.startswith("--"):
                yield Refused(f"{name}: the client has no such option")


type _Test = Callable[[str, World], str | None]


def _object(value: str, world: World) -> str | None:
    del world
    return None if is_mapping(_parsed(value)) else "no JSON object"


def _settings(value: str, world: World) -> str | None:
    if value.strip().startswith("{") and value.strip().endswith("}"):
        return _object(value, world)
    return _file(value, world)


def _servers(value: str, world: World) -> str | None:
    found = _parsed(value)
    if found is None:
        if fault := _file(value, world):
            return fault
        found = _parsed(_words(value, world))
    given = mapping(found).get("mcpServers") if is_mapping(found) else None
    return None if is_mapping(given) else f"{value}: no JSON object with `mcpServers`"


def _agents(value: str, world: World) -> str | None:
    if value.strip().startswith("{"):
        found = _parsed(value)
    elif fault := _file(value, world):
        return fault
    else:
        found = _parsed(_words(value, world))
    if is_mapping(found) and all(map(is_mapping, mapping(found).values())):
        return None
    return f"{value}: no JSON object of objects"


def _sources(value: str, world: World) -> str | None:
    del world
    odd = [name for name in map(str.strip, value.split(",")) if name not in _SOURCES]
    return f"{odd[0]!r} is none of {', '.join(_SOURCES)}" if odd else None


def _mode(value: str, world: World) -> str | None:
    del world
    return None if value in _MODES else f"{value!r} is none of {', '.join(_MODES)}"


def _number(value: str, world: World) -> str | None:
    del world
    return None if _NUMBER.fullmatch(value) else f"{value!r} is no number"


def _file(value: str, world: World) -> str | None:
    """Why a file cannot be read; None where it can, or where nobody looked."""
    path = absolute(value, world.environment.cwd)
    try:
        if world.tree.read(path) is not None:
            return None
    except NotKept:
        return None
    return f"{path}: no file that can be read"


def _words(value: str, world: World) -> str:
    """What a file says; an empty configuration where nobody looked."""
    try:
        data = world.tree.read(absolute(value, world.environment.cwd))
    except NotKept:
        return '{"mcpServers": {}}'
    return decode(data or b"")


def _parsed(source: str) -> object:
    try:
        return read(source)
    except ValueError:
        return None


_TESTS: Mapping[str, _Test] = {
    "--agents": _agents,
    "--append-system-prompt-file": _file,
    "--json-schema": _object,
    "--max-turns": _number,
    "--mcp-config": _servers,
    "--permission-mode": _mode,
    "--setting-sources": _sources,
    "--settings": _settings,
    "--system-prompt-file": _file,
}
