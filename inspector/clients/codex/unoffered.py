"""MCP servers and tools that no request offers whole, each with the reason."""

from collections.abc import Iterator
from typing import cast

from inspector.clients import Missing
from inspector.clients.codex import mcp
from inspector.clients.codex.config import Config
from inspector.jsontext import loads
from inspector.profiles import Profile
from inspector.workspace import Listing, World

_BLANK = "its name has a blank, and the client never starts such a server"
_BROKEN = "one of its tools has a schema that is no object, so the client takes none of them"
_WAITS = "only its server is named until a search or a script asks for it"


def unoffered(world: World, config: Config, profile: Profile) -> Iterator[Missing]:
    """Servers that failed or are never started, tools that the configuration filters."""
    for listing in world.listings:
        name = listing.server
        if listing.state != "ready":
            why = listing.reason or listing.state
            yield Missing("server", name, f"mcp {name}", f"no lists: {why}", code="failed")
        elif " " in name:
            yield Missing("server", name, f"mcp {name}", _BLANK, code="refused")
        else:
            yield from _tools(listing, config, profile)


def _tools(listing: Listing, config: Config, profile: Profile) -> Iterator[Missing]:
    raw = loads(listing.tools) if listing.tools else None
    offered = raw.get("tools") if isinstance(raw, dict) else raw
    listed = offered if isinstance(offered, list) else []
    if not all(mcp.readable(tool) for tool in listed):
        yield Missing("server", listing.server, f"mcp {listing.server}", _BROKEN, code="refused")
        return
    for name in (str(tool["name"]) for tool in listed if isinstance(tool, dict)):
        why = _filtered(listing.server, name, config)
        waits = profile.switches["mcp"] == "deferred"
        if why or waits:
            whole = f"{listing.server}/{name}"
            code = "taken-away" if why else "deferred"
            yield Missing("tool", whole, f"mcp {whole}", why or _WAITS, code=code, waits=not why)


def _filtered(server: str, tool: str, config: Config) -> str:
    """Why the configuration keeps a tool back; empty where it does not."""
    chosen = config.get("mcp_servers", server, "enabled_tools")
    if isinstance(chosen, list) and tool not in cast("list[object]", chosen):
        return f"mcp_servers.{server}.enabled_tools does not name it"
    refused = config.strings("mcp_servers", server, "disabled_tools")
    return f"mcp_servers.{server}.disabled_tools names it" if tool in refused else ""
