"""The MCP servers the client would start, of every scope and of the command line."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.clients import Server
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.left_out import LeftOut, Reason
from inspector.clients.claude_code.looking import kept
from inspector.clients.claude_code.options import on, options
from inspector.clients.claude_code.plain import is_list, is_mapping, items, mapping
from inspector.clients.claude_code.settings import (
    MANAGED,
    absolute,
    config_file,
    of_project,
    parsed,
    settings,
)
from inspector.errors import NotKept
from inspector.workspace import Environment, Tree, World

_KINDS = {"stdio", "http", "streamable-http", "sse", "ws"}
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def servers(tree: Tree, environment: Environment) -> tuple[Server, ...]:
    """Every server, by name; the narrowest scope that names one wins."""
    found: dict[str, Server] = {}
    for given in _given(tree, environment):
        for server in _made(given, environment):
            if server.name not in given.off:
                found[server.name] = server
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Written:
    """A server's entry as it stands in a file, or on the command line."""

    entry: Mapping[str, Any]
    whole: Mapping[str, Any]
    """The same with variables filled in."""
    values: tuple[str, ...]
    """What was filled in."""
    filed: bool
    """Whether it is from a file that the client looks for itself."""


def written(world: World, name: str) -> Written | None:
    """The entry that a server is made of; None where the configuration was not kept."""
    found: Written | None = None
    environment = world.environment
    try:
        every = list(_given(world.tree, environment))
    except NotKept:
        return None
    for given in every:
        entry = given.listed.get(name)
        if name in given.off or _fault(entry) is not None:
            continue
        values: list[str] = []
        whole = _filled(entry, environment, values)
        found = Written(mapping(entry), mapping(whole), tuple(values), given.scope != "dynamic")
    return found


def _filled(value: object, environment: Environment, values: list[str]) -> object:
    """A value with its variables filled in; `values` gets what they held."""
    if isinstance(value, str):

        def held(match: re.Match[str]) -> str:
            values.append(environment.env.get(match[1], match[2] or match[0]))
            return values[-1]

        return _VARIABLE.sub(held, value)
    if is_list(value):
        return [_filled(one, environment, values) for one in items(value)]
    if is_mapping(value):
        return {name: _filled(one, environment, values) for name, one in mapping(value).items()}
    return value


def configured(world: World) -> Mapping[str, Server]:
    """The servers of the configuration, by name; none where it was not kept."""
    try:
        return {server.name: server for server in servers(world.tree, world.environment)}
    except NotKept:
        return {}


def passed_over(tree: Tree, environment: Environment) -> Iterator[LeftOut]:
    """Entries that start no server: malformed ones, those switched off, those of a wider scope."""
    every = list(_given(tree, environment))
    narrowest: dict[str, _Given] = {}
    for given in every:
        narrowest |= {name: given for name, one in given.listed.items() if _fault(one) is None}
    for given in every:
        for name, found in given.listed.items():
            wrong = _fault(found)
            if wrong is not None:
                yield LeftOut("server", name, given.path, Reason.MALFORMED, wrong)
            elif name in given.off:
                yield LeftOut("server", name, given.path, Reason.SWITCHED_OFF)
            elif narrowest[name] is not given:
                yield LeftOut("server", name, given.path, Reason.NAME_TAKEN, narrowest[name].path)


@dataclass(frozen=True, slots=True)
class _Given:
    """The entries of one file, or of one option of the command line."""

    path: str
    scope: str
    listed: Mapping[str, Any]
    off: frozenset[str] = frozenset()


def _given(tree: Tree, environment: Environment) -> Iterator[_Given]:
    """Where servers are named, the widest scope first."""
    given = options(environment.argv)
    path = f"{MANAGED}/managed-mcp.json"
    managed = _file(tree, path)
    if managed:
        yield _Given(path, "enterprise", managed)
        return
    simple = "--bare" in given.flags or on(environment, "CLAUDE_CODE_SIMPLE")
    if "--strict-mcp-config" not in given.flags and not simple and "--safe-mode" not in given.flags:
        yield from _scopes(tree, environment)
    for value in given.all("--mcp-config"):
        if value.lstrip().startswith("{"):
            yield _Given("--mcp-config", "dynamic", _listed(parsed(value)))
        else:
            path = absolute(value, environment.cwd)
            yield _Given(path, "dynamic", _file(tree, path))


def _scopes(tree: Tree, environment: Environment) -> Iterator[_Given]:
    chosen = settings(tree, environment)
    path = config_file(environment)
    config = parsed(decode(kept(tree, path) or b""))
    project = of_project(config, environment)
    named = (
        *chosen.strings("disabledMcpjsonServers"),
        *items(project.get("disabledMcpjsonServers")),
        *items(project.get("disabledMcpServers")),
    )
    off = frozenset(name for name in named if isinstance(name, str))
    if "user" in chosen.sources:
        yield _Given(path, "user", _listed(config), off)
    if "project" in chosen.sources:
        for folder in _upwards(environment.cwd):
            file = f"{folder}/.mcp.json"
            yield _Given(file, "project", _file(tree, file), off)
    if "local" in chosen.sources:
        yield _Given(path, "local", _listed(project), off)


def _upwards(cwd: str) -> list[str]:
    parts = [part for part in cwd.split("/") if part]
    return ["/" + "/".join(parts[: n + 1]) for n in range(len(parts))]


def _file(tree: Tree, path: str) -> Mapping[str, Any]:
    data = kept(tree, path)
    return _listed(parsed(decode(data))) if data else {}


def _listed(config: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(config.get("mcpServers"))


def _made(given: _Given, environment: Environment) -> tuple[Server, ...]:
    def expand(value: object) -> str:
        return _VARIABLE.sub(
            lambda match: environment.env.get(match[1], match[2] or match[0]), str(value)
        )

    out: list[Server] = []
    for name, found in given.listed.items():
        if _fault(found) is not None:
            continue
        entry = mapping(found)
        kind = str(entry.get("type", "stdio"))
        command = (entry["command"], *items(entry.get("args"))) if "command" in entry else ()
        out.append(
            Server(
                name=name,
                scope=given.scope,
                kind={"ws": "websocket"}.get(kind, kind),
                command=tuple(expand(word) for word in command),
                url=expand(entry["url"]) if "url" in entry else None,
                env={k: expand(v) for k, v in mapping(entry.get("env")).items()} or None,
                headers={k: expand(v) for k, v in mapping(entry.get("headers")).items()} or None,
                cwd=environment.cwd,
                path=given.path,
                always_load=entry["alwaysLoad"] if _said(entry, "alwaysLoad") else None,
            )
        )
    return tuple(out)


def _fault(entry: object) -> str | None:
    """Why the client takes no server from an entry; it passes over such ones without a word."""
    if not is_mapping(entry):
        return "it is no object"
    values = mapping(entry)
    kind = values.get("type", "stdio")
    if not isinstance(kind, str) or kind not in _KINDS:
        return f"its type is none of {', '.join(sorted(_KINDS))}"
    tests = (*_OF_ALL, *(_OF_PROGRAMS if kind == "stdio" else _OF_ADDRESSES))
    wrong = (
        (name, said)
        for name, said, fits in tests
        if (not fits(values[name]) if name in values else name in _NEEDED)
    )
    return next((f"its {name} is {said}" for name, said in wrong), None)


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _words(value: object) -> bool:
    return is_list(value) and _texts(items(value))


def _pairs(value: object) -> bool:
    return is_mapping(value) and _texts(mapping(value).values())


def _texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _seconds(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


_NEEDED = frozenset({"command", "url"})
type _Test = tuple[str, str, Callable[[object], bool]]
_OF_ALL: tuple[_Test, ...] = (
    ("timeout", "no whole number above 0", _seconds),
    ("alwaysLoad", "neither true nor false", lambda value: isinstance(value, bool)),
)
_OF_PROGRAMS: tuple[_Test, ...] = (
    ("command", "missing or no text", _text),
    ("args", "no list of texts", _words),
    ("env", "no object of texts", _pairs),
)
_OF_ADDRESSES: tuple[_Test, ...] = (
    ("oauth", "no object", lambda value: isinstance(value, dict)),
    ("headersHelper", "no text", lambda value: isinstance(value, str)),
    ("url", "missing or no text", _text),
    ("headers", "no object of texts", _pairs),
)


def _said(entry: Mapping[str, Any], name: str) -> bool:
    return isinstance(entry.get(name), bool)
