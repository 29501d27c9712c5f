"""MCP listings as the client shows them: names, definitions, instructions."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from inspector.clients.claude_code.javascript import cut, locale_key, units
from inspector.clients.claude_code.phrase import paragraphs, phrase
from inspector.clients.claude_code.plain import mapping
from inspector.jsontext import JSON, dumps, javascript_number, javascript_order, loads
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Raw, Text, Value, text
from inspector.workspace import Listing

_ODD = re.compile(r"[^a-zA-Z0-9_-]")
_KEY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_REMOVED = frozenset({"Cf", "Co", "Cn", "Cs"})
_FIRST_KEYS = ("type", "properties", "required")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of a server, as the client knows it."""

    name: str
    server: str
    described: Text
    schema: Raw
    always: bool
    """Stays loaded although tools are deferred."""
    given: Raw
    """The schema as the server gave it, which an error of the unloaded tool shows."""


def full_name(server: str, tool: str) -> str:
    """The name the model calls."""
    return f"mcp__{_ODD.sub('_', server)}__{_ODD.sub('_', tool)}"


def tools(profile: Profile, listings: Sequence[Listing]) -> list[Tool]:
    """Every usable tool of every ready server, by full name as `localeCompare` orders."""
    out: dict[str, Tool] = {}
    for listing in listings:
        if listing.state != "ready":
            continue
        for entry in _usable(listing):
            tool = _tool(profile, listing.server, entry)
            out.setdefault(tool.name, tool)
    return sorted(out.values(), key=lambda tool: locale_key(tool.name))


def has_resources(listings: Sequence[Listing]) -> bool:
    """Whether any server offers resources."""
    return any(
        listing.state == "ready" and "resources" in _capabilities(listing) for listing in listings
    )


def speaking(listings: Sequence[Listing]) -> frozenset[str]:
    """Servers that gave instructions."""
    return frozenset(
        item.server for item in listings if item.state == "ready" and _instructions(item)
    )


def instructions(profile: Profile, listings: Sequence[Listing]) -> Text | None:
    """The paragraph with the instructions of all servers; None where none gave any."""
    parts: list[Text] = []
    for listing in sorted(listings, key=lambda entry: locale_key(entry.server)):
        said = _instructions(listing)
        if listing.state != "ready" or not said:
            continue
        origin = Origin(Kind.LISTING, listing.server)
        name = text(listing.server, origin)
        body = _capped(profile, text(said, origin))
        parts.append(phrase(profile, "mcp.server", name=name, text=body))
    return phrase(profile, "mcp.instructions", servers=paragraphs(parts)) if parts else None


def _usable(listing: Listing) -> list[Mapping[str, JSON]]:
    value = loads(listing.tools) if listing.tools else None
    entries = value.get("tools") if isinstance(value, dict) else value
    listed = entries if isinstance(entries, list) else []
    tools = [entry for entry in listed if isinstance(entry, dict)]
    # A schema that is no object loses the whole server's list.
    if any(_type(entry) != "object" for entry in tools):
        return []
    return [entry for entry in tools if isinstance(entry.get("name"), str) and _good(entry)]


def _type(entry: Mapping[str, JSON]) -> object:
    schema = entry.get("inputSchema")
    return schema.get("type") if isinstance(schema, dict) else None


def _good(entry: Mapping[str, JSON]) -> bool:
    schema = _clean(entry.get("inputSchema"))
    names = list(mapping(mapping(schema).get("properties")))
    return all(_KEY.fullmatch(name) for name in names)


def _tool(profile: Profile, server: str, entry: Mapping[str, JSON]) -> Tool:
    name = str(entry["name"])
    origin = Origin(Kind.LISTING, f"{server}/{name}")
    said = entry.get("description")
    described = _capped(profile, text(_cleaned(said) if isinstance(said, str) else "", origin))
    schema = _clean(entry.get("inputSchema"))
    assert isinstance(schema, dict)
    given = schema
    described, schema = _without_alternatives(profile, described, schema, origin)
    meta = entry.get("_meta")
    return Tool(
        name=full_name(server, name),
        server=server,
        described=described,
        schema=Raw(_written(_ordered(schema)), origin),
        always=mapping(meta).get("anthropic/alwaysLoad") is True,
        given=Raw(_written(given), origin),
    )


def _without_alternatives(
    profile: Profile, described: Text, schema: dict[str, JSON], origin: Origin
) -> tuple[Text, dict[str, JSON]]:
    """A top-level `oneOf` is no schema the API takes: the client says it in words instead."""
    alternatives = _alternatives(schema)
    if alternatives is None:
        return described, schema
    said = phrase(profile, "mcp.alternatives", choices=text(alternatives, origin))
    rest: dict[str, JSON] = {"type": "object", "properties": {}, "required": []}
    return said + described, {**rest, "additionalProperties": True}


def definition(tool: Tool, *, loaded_later: bool) -> Mapping[str, Value]:
    """The tool as it stands in `tools[]`."""
    out: dict[str, Value] = {
        "name": text(tool.name, Origin(Kind.LISTING, tool.server)),
        "description": tool.described,
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


def _alternatives(schema: Mapping[str, JSON]) -> str | None:
    """What a top-level `oneOf` asks for, in the client's words."""
    options = schema.get("oneOf")
    if not isinstance(options, list):
        return None
    out: list[str] = []
    for option in options:
        needed = option.get("required") if isinstance(option, dict) else None
        if isinstance(needed, list):
            out.append(f"({', '.join(str(name) for name in needed)})")
    return ", ".join(out)


def _capped(profile: Profile, said: Text) -> Text:
    limit = profile.limits["mcp.text"]
    if units(str(said)) <= limit:
        return said
    return cut(said, limit) + phrase(profile, "mcp.cut")


def _clean(value: JSON) -> JSON:
    if isinstance(value, str):
        return _cleaned(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_cleaned(key): _clean(item) for key, item in value.items()}
    return value


def _cleaned(string: str) -> str:
    normal = unicodedata.normalize("NFKC", string)
    return "".join(char for char in normal if unicodedata.category(char) not in _REMOVED)


def _capabilities(listing: Listing) -> Mapping[str, JSON]:
    value = loads(listing.initialize) if listing.initialize else None
    found = value.get("capabilities") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _instructions(listing: Listing) -> str:
    value = loads(listing.initialize) if listing.initialize else None
    found = value.get("instructions") if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
