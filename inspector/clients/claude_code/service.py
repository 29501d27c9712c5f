"""What the client's flag service decides of a session, and what stands where it is not asked.

Some behaviour hangs on flags that a service gives; the client keeps the last answer in its state
file. A flag that holds names (of hosts, or `*` for all) is empty where the service was asked and
gave nothing, and full where it is not asked at all (Claude Code 2.1.332, `traffic_mcp`).
"""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from inspector.clients import Server
from inspector.clients.claude_code import options
from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.servers import configured
from inspector.clients.claude_code.settings import config_file, parsed
from inspector.workspace import Environment, World

KEPT = ("cachedGrowthBookFeatures", "cachedFeatureFlags")
"""Where the state file keeps flags: the first that is there counts."""

FLAGS = {
    "combiners": "tengu_mcp_normalize_root_combinators",
    "schemas": "tengu_mcp_drop_invalid_tool_schemas",
}
"""The flags read, by the axis each decides."""

_ALL = "*"
_SET = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY")
"""Switches that count whatever they are set to."""

_ON = ("DO_NOT_TRACK", "CLAUDE_CODE_DISABLE_FEATURE_FLAGS", "DISABLE_GROWTHBOOK")


def asked(environment: Environment) -> bool:
    """Whether the client asks the service."""
    if any(environment.env.get(name) for name in _SET):
        return False
    return not any(options.on(environment, name) for name in _ON)


def decided(world: World) -> dict[str, str]:
    """For each axis of `FLAGS` whether its flag is on: for all servers, for some, or for none."""
    return {
        axis: "on" if _ALL in names else "some" if any(names) else "off"
        for axis, names in _names(world).items()
    }


def named(world: World, servers: Iterable[Server] | None = None) -> dict[str, frozenset[str]]:
    """For each server the axes whose flag names its host, or a domain the host is in.

    `servers` stand in for those configured.
    """
    names = {axis: hosts for axis, hosts in _names(world).items() if _ALL not in hosts}
    if not any(map(any, names.values())):
        return {}
    return {
        server.name: frozenset(axis for axis, hosts in names.items() if _holds(hosts, server.url))
        for server in (configured(world).values() if servers is None else servers)
    }


def _names(world: World) -> Mapping[str, Sequence[str]]:
    if not asked(world.environment):
        return dict.fromkeys(FLAGS, (_ALL,))
    config = parsed(decode(world.tree.read(config_file(world.environment)) or b""))
    kept = next((mapping(config[name]) for name in KEPT if name in config), mapping(None))
    return {
        axis: tuple(name for name in items(kept.get(flag)) if isinstance(name, str))
        for axis, flag in FLAGS.items()
    }


def _holds(hosts: Sequence[str], url: str | None) -> bool:
    try:
        host = urlsplit(url or "").hostname
    except ValueError:
        return False
    listed = [name.lower() for name in hosts if name]
    return host is not None and any(host == name or host.endswith(f".{name}") for name in listed)
