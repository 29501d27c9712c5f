"""Permission rules that permit and deny nothing: malformed ones, those that name nothing."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from inspector.clients.claude_code import mcp, servers, settings
from inspector.clients.claude_code.left_out import LeftOut, Reason
from inspector.clients.claude_code.options import names, options
from inspector.clients.claude_code.plain import items, mapping
from inspector.jsontext import JSON
from inspector.profiles import Profile
from inspector.workspace import World

_LISTS = ("allow", "ask", "deny")
_FLAGS = ("--allowedTools", "--disallowedTools")
_MCP = "mcp__"


def idle(world: World, profile: Profile) -> Iterator[LeftOut]:
    """Rules of the settings' scopes and of the command line that hold for nothing, once a place."""
    known = {server.name for server in servers.servers(world.tree, world.environment)}
    parts = {mcp.part_of_name(name) for name in known}
    tools = frozenset(profile.values.get("permissions.tools", ()))
    told: dict[tuple[str, str], LeftOut] = {}
    for given in _rules(world):
        path, rule = given.path, given.rule
        why = _why(rule, tools, None if given.general else parts) or given.withheld
        if why is not None:
            name = rule if isinstance(rule, str) else json.dumps(rule)
            told.setdefault((path, name), LeftOut("permission", name, path, *why))
    yield from told.values()


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule as it is written."""

    path: str
    """The file it stands in, or the option of the command line."""
    rule: JSON
    general: bool = False
    """It is for all projects, so the servers it means may be configured elsewhere."""
    withheld: tuple[Reason, str] | None = None


def _rules(world: World) -> Iterator[_Rule]:
    environment = world.environment
    kept_back = not settings.trusted(world.tree, environment)
    for source, path, values in settings.placed(world.tree, environment):
        rules = mapping(values.get("permissions"))
        own = source in {"project", "local"}
        for kind in _LISTS:
            back = (Reason.UNTRUSTED, "") if own and kept_back and kind in settings.GRANTS else None
            for rule in items(rules.get(kind)):
                yield _Rule(path, rule, source in {"user", "policy"}, back)
    given = options(environment.argv)
    for flag in _FLAGS:
        for rule in names(given.all(flag)):
            yield _Rule(flag, rule)


def _why(
    rule: JSON, tools: Collection[str], parts: Collection[str] | None
) -> tuple[Reason, str] | None:
    """Why a rule holds for nothing; None where it may hold for something."""
    if not isinstance(rule, str):
        return Reason.MALFORMED, "it is no text"
    name, bracket, rest = rule.strip().partition("(")
    if not name or (bracket and not rest.endswith(")")):
        wrong = "its bracket does not close" if name else "it begins with no tool"
        return Reason.MALFORMED, wrong
    if "*" in name:
        return None
    if not name.startswith(_MCP):
        gone = tools and name not in tools
        return (Reason.NAMES_NOTHING, "the client has no such tool") if gone else None
    server = name.removeprefix(_MCP)
    if parts is None or any(server == part or server.startswith(f"{part}__") for part in parts):
        return None
    return Reason.NAMES_NOTHING, "no such MCP server is configured"
