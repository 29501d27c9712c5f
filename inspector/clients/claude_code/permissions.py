"""Permission rules that permit and deny nothing: malformed ones, those that name nothing."""

import json
from collections.abc import Collection, Iterator

from inspector.clients.claude_code import mcp, servers
from inspector.clients.claude_code.left_out import LeftOut, Reason
from inspector.clients.claude_code.options import names, options
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.settings import MANAGED, Settings
from inspector.jsontext import JSON
from inspector.profiles import Profile
from inspector.workspace import World

_LISTS = ("allow", "ask", "deny")
_FLAGS = ("--allowedTools", "--disallowedTools")
_MCP = "mcp__"


def idle(world: World, profile: Profile, chosen: Settings) -> Iterator[LeftOut]:
    """Rules of the settings' scopes and of the command line that hold for nothing, once a place."""
    known = {server.name for server in servers.servers(world.tree, world.environment)}
    parts = {mcp.part_of_name(name) for name in known}
    tools = frozenset(profile.values.get("permissions.tools", ()))
    # A user's rules are for all projects, so their servers may be configured elsewhere.
    elsewhere = {
        f"{world.environment.config_home}/settings.json",
        f"{MANAGED}/managed-settings.json",
    }
    told: dict[tuple[str, str], LeftOut] = {}
    for path, rule in _rules(world, chosen):
        why = _why(rule, tools, None if path in elsewhere else parts)
        if why is not None:
            name = rule if isinstance(rule, str) else json.dumps(rule)
            told.setdefault((path, name), LeftOut("permission", name, path, *why))
    yield from told.values()


def _rules(world: World, chosen: Settings) -> Iterator[tuple[str, JSON]]:
    """Each rule with where it stands."""
    environment = world.environment
    paths = {
        "userSettings": f"{environment.config_home}/settings.json",
        "projectSettings": f"{environment.cwd}/.claude/settings.json",
        "localSettings": f"{environment.cwd}/.claude/settings.local.json",
        "flagSettings": "--settings",
        "policySettings": f"{MANAGED}/managed-settings.json",
    }
    for scope, values in chosen.scopes:
        rules = mapping(values.get("permissions"))
        for kind in _LISTS:
            for rule in items(rules.get(kind)):
                yield paths[scope], rule
    given = options(environment.argv)
    for flag in _FLAGS:
        for rule in names(given.all(flag)):
            yield flag, rule


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
