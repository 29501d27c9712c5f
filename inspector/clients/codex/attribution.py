"""Which MCP tools a thread has used: the built-in provider sends their list along.

Witness (0.171, builtin_mcp): each tool once, in the order of first use, with the turn that used it
first; a call that failed counts; a resumed thread keeps its list.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from inspector.clients.codex.fill import fill, mask
from inspector.clients.codex.mcp import Namespace
from inspector.jsontext import quote
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.text import join as joined
from inspector.turns import Called, Replied

_NAME = re.compile(r"\bmcp__\w+")
"""How code for the client's JavaScript names a tool."""


@dataclass(frozen=True, slots=True)
class Source:
    """A tool and the turn that used it first."""

    server: str
    tool: str
    task: int


def used(
    before: tuple[Source, ...], reply: Replied, spaces: Sequence[Namespace], task: int
) -> tuple[Source, ...]:
    """The sources after a reply's calls."""
    found = list(before)
    known = {(source.server, source.tool) for source in before}
    names = {
        f"{space.name}__{tool.name}": (space.server, tool.raw_name)
        for space in spaces
        for tool in space.tools
    }
    for block in reply.blocks:
        for name in _named(block) if isinstance(block, Called) else ():
            pair = names.get(name)
            if pair is not None and pair not in known:
                known.add(pair)
                found.append(Source(*pair, task))
    return tuple(found)


def _named(call: Called) -> list[str]:
    if call.custom:
        return _NAME.findall(call.input)
    return [f"{call.namespace}__{call.name}" if call.namespace else call.name]


def attribution(sources: Sequence[Source], profile: Profile) -> Text:
    """The list as JSON text."""
    if not sources:
        return profile.literal("mcp_attribution.none")
    comma = profile.literal("mcp_attribution.comma")
    return fill(
        profile.literal("mcp_attribution.some"),
        {"sources": joined(comma, [_source(source, profile) for source in sources])},
    )


def _source(source: Source, profile: Profile) -> Text:
    holes = {
        "server": _quoted(source.server, source.server),
        "tool": _quoted(source.tool, f"{source.server}/{source.tool}"),
        "turn": mask(profile, "turn_id", source.task),
    }
    return fill(profile.literal("mcp_attribution.source"), holes)


def _quoted(string: str, listing: str) -> Text:
    return text(quote(string)[1:-1], Origin(Kind.LISTING, listing))
