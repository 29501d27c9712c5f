"""Prompts of MCP servers, which are commands that can be typed; and the lists of their resources.

Witness: Claude Code 2.1.332, `mcp_prompts`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from inspector.clients.claude_code.mcp import full_name
from inspector.clients.claude_code.plain import items, mapping
from inspector.jsontext import JSON, dumps, javascript_number, javascript_order, loads
from inspector.workspace import Listing

_SPACE = re.compile(r"\s")
_RESOURCE = ("name", "title", "uri", "description", "mimeType")


def names(listings: Sequence[Listing]) -> tuple[str, ...]:
    """The commands that the ready servers' prompts are."""
    # The prompt's own name is kept as it is (mcp_prompts).
    return tuple(
        f"{full_name(listing.server, '')}{prompt['name']}"
        for listing in listings
        if listing.state == "ready"
        for prompt in _entries(listing.prompts, "prompts")
        if isinstance(prompt.get("name"), str)
    )


def named(listings: Sequence[Listing], prompt: str) -> str | None:
    """The command of a server's prompt that a typed text begins with."""
    name = _SPACE.split(prompt[1:], maxsplit=1)[0]
    return name if prompt.startswith("/") and name in names(listings) else None


def texts(result: str) -> tuple[str, ...]:
    """The texts of the messages that a server gave for a prompt."""
    messages = items(mapping(loads(result)).get("messages"))
    contents = [mapping(mapping(message).get("content")) for message in messages]
    return tuple(str(content["text"]) for content in contents if "text" in content)


def resources(listings: Sequence[Listing], server: str | None) -> str | None:
    """What the tool that lists resources answers; None where this model does not know."""
    found: list[JSON] = []
    for listing in listings:
        if listing.state != "ready" or server not in {None, listing.server}:
            continue
        for entry in _entries(listing.resources, "resources"):
            if not set(entry) <= set(_RESOURCE):
                return None
            kept = {name: entry[name] for name in _RESOURCE if name in entry}
            found.append({**kept, "server": listing.server})
    return dumps(found, number=javascript_number, order=javascript_order) if found else None


def _entries(text: str | None, member: str) -> Iterator[Mapping[str, JSON]]:
    value = mapping(loads(text)) if text else {}
    yield from (mapping(entry) for entry in items(value.get(member)))
