"""MCP servers on the wire: names, the deferred block, tools of models outside the catalog."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import cast

from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import BLANK, computed, fill
from inspector.clients.codex.schema import Unreadable, reduced
from inspector.clients.codex.schema_plain import plain
from inspector.jsontext import loads
from inspector.jsontext.values import JSON
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, Value, text
from inspector.text import join as joined
from inspector.workspace import Listing

_ODD = re.compile("[^A-Za-z0-9_]")


@dataclass(frozen=True, slots=True)
class Tool:
    """A server's tool under its name for the model."""

    name: str
    raw_name: str
    definition: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Namespace:
    """A server under its name for the model."""

    name: str
    server: str
    instructions: Text
    tools: tuple[Tool, ...]

    def value(self, tools: list[Value]) -> Value:
        """The namespace with these tool definitions in it."""
        return {
            "type": "namespace",
            "name": computed("mcp.namespace", self.name),
            "description": self.instructions.strip(BLANK),
            "tools": tools,
        }


def plain_name(name: str) -> str:
    """A name with every character the wire does not take replaced by `_`."""
    return _ODD.sub("_", name)


def suffixed(name: str, server: str, raw_name: str) -> str:
    """A name made unique after a collision: the start of a digest over the raw identity."""
    identity = f"{server}\0{server}\0\0{raw_name}\0{raw_name}"
    digest = hashlib.sha1(identity.encode()).hexdigest()  # noqa: S324 - the client's choice
    return f"{name}_{digest[:12]}"


def connected(listings: Sequence[Listing], off: frozenset[str]) -> list[Listing]:
    """The servers that answered, sorted; one with a blank in its name is never started."""
    ready = [item for item in listings if item.state == "ready" and item.server not in off]
    return sorted((r for r in ready if " " not in r.server), key=lambda listing: listing.server)


def namespaces(
    listings: Sequence[Listing], off: frozenset[str], config: Config, profile: Profile
) -> list[Namespace]:
    """The servers that were ready, sorted by name; `off` are those that were not."""
    found: list[Namespace] = []
    for listing in connected(listings, off):
        tools = _tools(listing, config)
        if tools:
            name = profile.literals["mcp.prefix"] + plain_name(listing.server)
            found.append(Namespace(name, listing.server, _instructions(listing), tuple(tools)))
    return found


def _instructions(listing: Listing) -> Text:
    said = _object(listing.initialize).get("instructions")
    string = said if isinstance(said, str) else ""
    return text(string, Origin(Kind.LISTING, listing.server))


def _object(raw: str | None) -> Mapping[str, JSON]:
    value = loads(raw) if raw else None
    return value if isinstance(value, dict) else {}


def _tools(listing: Listing, config: Config) -> list[Tool]:
    raw = loads(listing.tools) if listing.tools else None
    offered = raw.get("tools") if isinstance(raw, dict) else raw
    chosen = config.get("mcp_servers", listing.server, "enabled_tools")
    refused = config.strings("mcp_servers", listing.server, "disabled_tools")
    listed = offered if isinstance(offered, list) else []
    if not all(readable(tool) for tool in listed):
        # One tool whose schema is no object, and the client takes the whole list for broken.
        return []
    definitions = {
        str(tool["name"]): tool
        for tool in listed
        if isinstance(tool, dict)
        and (not isinstance(chosen, list) or tool["name"] in cast("list[object]", chosen))
        and tool["name"] not in refused
    }
    counts = Counter(plain_name(name) for name in definitions)
    made = [
        Tool(_unique(name, listing.server, counts), name, tool)
        for name, tool in sorted(definitions.items())
    ]
    return sorted(made, key=lambda tool: tool.name)


def readable(tool: JSON) -> bool:
    """Whether a listed tool has a name and a schema that is an object."""
    return (
        isinstance(tool, dict)
        and isinstance(tool.get("name"), str)
        and isinstance(tool.get("inputSchema"), dict)
    )


def _unique(name: str, server: str, counts: Mapping[str, int]) -> str:
    plain = plain_name(name)
    return suffixed(plain, server, name) if counts[plain] > 1 else plain


def deferred_block(found: Sequence[Namespace], profile: Profile) -> Text:
    """The block that names what a search can find; empty where nothing is deferred."""
    lines = {space.name: _first_line(space.instructions, profile) for space in found}
    if profile.switches["mcp"] != "deferred":
        return EMPTY
    for name in profile.lists["mcp.own"]:
        lines[name] = profile.literal(f"mcp.own.{name}")
    if not lines:
        return EMPTY
    rows = [_row(name, line, profile) for name, line in sorted(lines.items())]
    return profile.literal("mcp.open") + joined(EMPTY, rows) + profile.literal("mcp.close")


def changed_block(before: Sequence[Namespace], now: Sequence[Namespace], profile: Profile) -> Text:
    """The block a later prompt gets when servers came or went (witness: resume)."""
    if profile.switches["mcp"] != "deferred":
        return EMPTY
    old, new = ({space.name: space for space in spaces} for spaces in (before, now))
    added = [space for name, space in new.items() if name not in old]
    removed = [space for name, space in old.items() if name not in new]
    if not added and not removed:
        return EMPTY
    own = profile.lists["mcp.own"]
    if added and not old and not own:
        return deferred_block(added, profile)
    out = [profile.literal("mcp.tag")]
    for literal, spaces in (("mcp.added", added), ("mcp.removed", removed)):
        if spaces:
            out.append(profile.literal(literal))
            out += [_row(s.name, _first_line(s.instructions, profile), profile) for s in spaces]
    if not new and not own:
        out.append(profile.literal("mcp.none_left"))
    return joined(EMPTY, [*out, profile.literal("mcp.close")])


def _row(name: str, line: Text, profile: Profile) -> Text:
    holes = {"name": computed("mcp.namespace", name), "line": line}
    return fill(profile.literal("mcp.row" if line else "mcp.row_bare"), holes)


def _first_line(instructions: Text, profile: Profile) -> Text:
    body = instructions.strip(BLANK)
    line = body[: len(str(body).split("\n", 1)[0])].strip(BLANK)
    limit = profile.limits["mcp.line"]
    if len(line) <= limit:
        return line
    dots = profile.literal("mcp.dots")
    return line[: limit - len(dots)] + dots


def direct(space: Namespace, profile: Profile) -> Value:
    """A server's namespace with all its tools, as `tools[]` holds it."""
    made = [definition(tool, space, profile, deferred=False) for tool in space.tools]
    return space.value([tool for tool in made if tool is not None])


def flat(spaces: Sequence[Namespace], profile: Profile) -> list[Value]:
    """The tools of all servers by their full names, as older versions list them."""
    named = [
        (f"{space.name}__{tool.name}", space, replace(tool, name=f"{space.name}__{tool.name}"))
        for space in spaces
        for tool in space.tools
    ]
    made = [
        definition(tool, space, profile, deferred=False)
        for _, space, tool in sorted(named, key=itemgetter(0))
    ]
    return [tool for tool in made if tool is not None]


def listed(spaces: Sequence[Namespace], profile: Profile) -> list[Value]:
    """What stands in `tools[]` for the servers."""
    how = profile.switches["mcp"]
    if how == "flat":
        return flat(spaces, profile)
    return [direct(space, profile) for space in spaces] if how == "direct" else []


def definition(tool: Tool, space: Namespace, profile: Profile, *, deferred: bool) -> Value:
    """A tool's definition; None where the client cannot read its schema."""
    origin = Origin(Kind.LISTING, f"{space.server}/{tool.raw_name}")
    description = tool.definition.get("description")
    members: dict[str, Value] = {
        "type": "function",
        "name": text(tool.name, origin),
        "description": text(description if isinstance(description, str) else "", origin),
        "strict": False,
    }
    if deferred:
        members["defer_loading"] = True
    try:
        schema = tool.definition.get("inputSchema", {})
        if profile.switches["mcp.schema"] == "plain":
            members["parameters"] = plain(schema, origin)
        else:
            members["parameters"] = reduced(schema, origin, profile.limits["mcp.schema"])
    except Unreadable:
        return None
    return members
