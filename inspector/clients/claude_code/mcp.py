"""MCP listings as the client shows them: names, definitions, instructions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from inspector.clients import Server
from inspector.clients.claude_code import mcpschema
from inspector.clients.claude_code.javascript import (
    SPACE,
    ascii_first_key,
    cut,
    locale_key,
    units,
)
from inspector.clients.claude_code.mcpentry import readable
from inspector.clients.claude_code.phrase import paragraphs, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.unicode17 import category, normalize
from inspector.jsontext import JSON, dumps, javascript_number, javascript_order
from inspector.jsontext import loads as loads_json
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Raw, Text, Value, text
from inspector.workspace import Listing

_ODD = re.compile(r"[^a-zA-Z0-9_-]")
_SPACES = re.compile(f"[{SPACE}]+")
_REMOVED = frozenset({"Cf", "Co", "Cn", "Cs"})
_HALF = re.compile("[\ud800-\udfff]")
_FIRST_KEYS = ("type", "properties", "required")

type Named = Mapping[str, AbstractSet[str]]
"""Flags of the client's service that name a server's host, by server."""
_UNNAMED: Named = {}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of a server, as the client knows it."""

    name: str
    server: str
    tool: str
    """The name as the server gave it."""
    described: Text
    """The description of a tool that is sent at once, and what a search by words reads."""
    loaded: Text
    """The description of a tool that a search loaded: more of it is kept."""
    schema: Raw
    always: bool
    """Stays loaded although tools are deferred."""
    hint: str
    """Words for the search, which no request shows."""
    given: Raw
    """The schema as the server gave it, which an error of the unloaded tool shows."""


def full_name(server: str, tool: str) -> str:
    """The name the model calls."""
    return f"mcp__{part_of_name(server)}__{part_of_name(tool)}"


def part_of_name(name: str) -> str:
    """A server's or tool's part of that name."""
    return _ODD.sub("_", name)


def tools(
    profile: Profile,
    listings: Sequence[Listing],
    servers: Mapping[str, Server] | None = None,
    named: Named = _UNNAMED,
) -> list[Tool]:
    """Every usable tool of every ready server, by full name as `localeCompare` orders.

    `servers` are those configured, by name: they say whether their tools are deferred.
    """
    out: dict[str, Tool] = {}
    for listing in listings:
        if listing.state != "ready":
            continue
        for name, tool, _ in _judged(profile, listing, named, (servers or {}).get(listing.server)):
            if tool is not None:
                out.setdefault(name, tool)
    if profile.switches["tools.order"] == "listed":
        return list(out.values())
    return sorted(out.values(), key=lambda tool: locale_key(tool.name))


def unlisted(listings: Sequence[Listing]) -> list[str]:
    """Servers whose list of tools the client cannot read."""
    return [item.server for item in listings if item.state == "ready" and entries(item) is None]


def dropped(
    profile: Profile, listings: Sequence[Listing], named: Named
) -> list[tuple[str, str, Text]]:
    """Tools that are left out and told of: server, name and why."""
    return [
        (listing.server, name, reason)
        for listing in listings
        if listing.state == "ready"
        for name, tool, reason in _judged(profile, listing, named)
        if tool is None and reason is not None
    ]


def has_resources(listings: Sequence[Listing]) -> bool:
    """Whether any server offers resources."""
    return any(
        listing.state == "ready" and "resources" in _capabilities(listing) for listing in listings
    )


def speaking(listings: Sequence[Listing]) -> frozenset[str]:
    """Servers that gave instructions."""
    return frozenset(
        item.server for item in listings if item.state == "ready" and instructions_of(item)
    )


def instructions(profile: Profile, listings: Sequence[Listing]) -> Text | None:
    """The paragraph with the instructions of all servers; None where none gave any."""
    parts: list[Text] = []
    by_name = profile.switches["servers.order"] == "name"
    ordered = sorted(listings, key=lambda entry: ascii_first_key(entry.server))
    for listing in ordered if by_name else listings:
        said = instructions_of(listing)
        if listing.state != "ready" or not said:
            continue
        origin = Origin(Kind.LISTING, listing.server)
        name = text(listing.server, origin)
        body = _capped(profile, text(said, origin), "mcp.text")
        parts.append(phrase(profile, "mcp.server", name=name, text=body))
    return phrase(profile, "mcp.instructions", servers=paragraphs(parts)) if parts else None


def no_list(listing: Listing) -> bool:
    """Whether the server answered with something that is no list of tools."""
    return bool(listing.tools) and not isinstance(_found(listing), list)


def entries(listing: Listing) -> list[dict[str, JSON]] | None:
    """The tools of a list, cleaned, each name once; None for a list the client cannot read."""
    if no_list(listing):
        return None
    found = _found(listing)
    listed = found if isinstance(found, list) else []
    tools = [made for entry in listed if isinstance(made := cleaned(entry), dict)]
    if len(tools) < len(listed) or not all(readable(entry) for entry in tools):
        return None
    return list({str(entry["name"]): entry for entry in reversed(tools)}.values())[::-1]


def _found(listing: Listing) -> JSON:
    value = loads_json(listing.tools) if listing.tools else None
    return value.get("tools") if isinstance(value, dict) else value


def _judged(
    profile: Profile, listing: Listing, named: Named, server: Server | None = None
) -> Iterator[tuple[str, Tool | None, Text | None]]:
    """Each tool of a server: its name, the tool or None, and why it is left out."""
    for entry in entries(listing) or ():
        name = str(entry["name"])
        origin = Origin(Kind.LISTING, f"{listing.server}/{name}")
        schema = entry["inputSchema"]
        assert isinstance(schema, dict)
        verdict = mcpschema.judged(profile, schema, origin, named.get(listing.server, frozenset()))
        if verdict.dropped:
            yield name, None, verdict.reason
        else:
            tool = _tool(profile, listing, entry, verdict, server)
            yield tool.name, tool, None


def _tool(
    profile: Profile,
    listing: Listing,
    entry: Mapping[str, JSON],
    verdict: mcpschema.Judged,
    server: Server | None,
) -> Tool:
    name = str(entry["name"])
    origin = Origin(Kind.LISTING, f"{listing.server}/{name}")
    said = entry.get("description")
    described = text(said if isinstance(said, str) else "", origin)
    if verdict.said is not None:
        described = paragraphs([verdict.said, *([described] if described else [])])
    written = Raw(_written(_ordered(verdict.schema)), origin)
    meta = mapping(entry.get("_meta"))
    hint = meta.get("anthropic/searchHint")
    return Tool(
        name=full_name(listing.server, name),
        server=listing.server,
        tool=name,
        described=_capped(profile, described, "mcp.text"),
        loaded=_capped(profile, described, "mcp.text.loaded"),
        schema=written,
        always=_always(meta, server),
        hint=_SPACES.sub(" ", hint).strip() if isinstance(hint, str) else "",
        given=Raw(_written(verdict.schema), origin),
    )


def _always(meta: Mapping[str, JSON], server: Server | None) -> bool:
    """Whether a tool is sent at once: its server's configuration decides, then its own mark."""
    mark = meta.get("anthropic/alwaysLoad")
    if server is None or server.always_load is None:
        return mark is True
    return server.always_load and not (server.scope == "dynamic" and mark is False)


def definition(tool: Tool, *, loaded_later: bool) -> Mapping[str, Value]:
    """The tool as it stands in `tools[]`."""
    out: dict[str, Value] = {
        "name": text(tool.name, Origin(Kind.LISTING, tool.server)),
        "description": tool.loaded if loaded_later else tool.described,
        "input_schema": tool.schema,
    }
    if loaded_later:
        out["defer_loading"] = True
    return out


def _written(schema: dict[str, JSON]) -> str:
    return dumps(schema, number=javascript_number, order=_order)


def _order(keys: Iterable[str]) -> list[str]:
    return [key for key in javascript_order(keys) if key != "__proto__"]


def _ordered(schema: Mapping[str, JSON]) -> dict[str, JSON]:
    first = {key: schema[key] for key in _FIRST_KEYS if key in schema}
    return {**first, **{key: value for key, value in schema.items() if key not in first}}


def _capped(profile: Profile, said: Text, limit: str) -> Text:
    most = profile.limits[limit]
    return said if units(str(said)) <= most else cut(said, most) + phrase(profile, "mcp.cut")


def cleaned(value: JSON) -> JSON:
    """A value of a listing, each string normalised and rid of what cannot be seen."""
    if isinstance(value, str):
        return _cleaned(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {_cleaned(key): cleaned(item) for key, item in value.items()}
    return value


def _cleaned(string: str) -> str:
    """The string normalised and rid of what cannot be seen, until nothing changes any more."""
    if string.isascii():
        return string
    before = ""
    while string != before:
        before = string
        normal = normalize("NFKC", string)
        string = "".join(char for char in normal if category(char) not in _REMOVED)
    return string


def _capabilities(listing: Listing) -> Mapping[str, JSON]:
    value = loads_json(listing.initialize) if listing.initialize else None
    found = value.get("capabilities") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def instructions_of(listing: Listing) -> str:
    """What a server asks to be told; empty where it asks for nothing."""
    value = loads_json(listing.initialize) if listing.initialize else None
    found = value.get("instructions") if isinstance(value, dict) else None
    # Half a surrogate pair becomes U+FFFD here, unlike in schemas (mcp_schemas).
    return _HALF.sub("\ufffd", found) if isinstance(found, str) else ""
