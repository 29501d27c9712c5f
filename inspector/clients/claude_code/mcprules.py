"""What the client makes of a server's tools that their author may not expect.

Each rule reads the first listing; what the client does is asked of the code that builds requests.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from inspector.clients.claude_code import mcp, mcpentry, mcpschema
from inspector.clients.claude_code.javascript import units
from inspector.clients.mcpstable import RULES as STABLE
from inspector.clients.mcpstable import Asked, Finding, Rule, name_of, tools
from inspector.jsontext import JSON, Node, javascript_number, loads, quote
from inspector.profiles import Profile
from inspector.text import Kind, Origin

_SHOWN = 40
_FIRST = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one version of the client."""

    profile: Profile
    named: mcp.Named = field(default_factory=dict[str, frozenset[str]])

    def table(self) -> Sequence[tuple[str, str, Rule]]:
        """Id, severity and function of every rule, the ones for any client first."""
        return (
            *STABLE,
            ("MCP-LIST-LOST", "error", self.lost),
            ("MCP-SCHEMA-REFUSED", "error", self.refused),
            ("MCP-NAME-COLLISION", "error", self.collisions),
            ("MCP-CAP-DESCRIPTION", "warning", self.descriptions),
            ("MCP-CAP-INSTRUCTIONS", "warning", self.instructions),
            ("MCP-UNICODE", "warning", self.characters),
            ("MCP-NUMBERS", "warning", self.numbers),
            ("MCP-NAME-CHANGED", "info", self.names),
            ("MCP-SCHEMA-REWRITTEN", "info", self.schemas),
            ("MCP-NUMBERS-WRITTEN", "info", self.written),
            ("MCP-DEFERRED", "info", self.deferred),
            ("MCP-SIZE", "info", self.size),
        )

    def lost(self, asked: Asked) -> Iterator[Finding]:
        """A list, or a tool of it, that the client cannot read loses the whole list."""
        if mcp.no_list(asked.first):
            yield Finding("tools is no list: the client loses all of it")
        for entry, node in _values(asked):
            fault = mcpentry.fault(entry)
            if fault is not None:
                said = "is missing" if fault not in entry else "is of another type than MCP says"
                message = f"{fault} {said}: the client loses the whole list of tools"
                yield Finding(message, name_of(node), f"/{fault}")

    def refused(self, asked: Asked) -> Iterator[Finding]:
        """Tools whose schemas the API would refuse: left out, or sent all the same."""
        for entry in mcp.entries(asked.first) or ():
            verdict = self._judged(asked, entry)
            if verdict.dropped:
                why = verdict.reason or "oneOf, anyOf or allOf stands at the top of its schema"
                yield Finding(f"left out: {why}", str(entry["name"]), "/inputSchema")
            elif verdict.reason is not None:
                why = f"sent all the same, and the API refuses it: {verdict.reason}"
                yield Finding(why, str(entry["name"]), "/inputSchema")

    def collisions(self, asked: Asked) -> Iterator[Finding]:
        """Tools that get one name: the first of them is sent."""
        seen: dict[str, str] = {}
        for node in tools(asked.first):
            full = mcp.full_name(asked.first.server, name_of(node))
            if full in seen:
                yield Finding(
                    f"gets the name {full}, as {seen[full]} does: not sent", name_of(node)
                )
            seen.setdefault(full, name_of(node))

    def names(self, asked: Asked) -> Iterator[Finding]:
        """Names with characters the client replaces."""
        server = asked.first.server
        if mcp.part_of_name(server) != server:
            yield Finding(f"the server's name becomes {mcp.part_of_name(server)}")
        for node in tools(asked.first):
            name = name_of(node)
            if mcp.part_of_name(name) != name:
                yield Finding(f"becomes {mcp.full_name(server, name)}", name, "/name")

    def descriptions(self, asked: Asked) -> Iterator[Finding]:
        """Descriptions that are cut."""
        loaded = self.profile.limits["mcp.text.loaded"]
        for entry in mcp.entries(asked.first) or ():
            said = entry.get("description")
            cut = self._cut(said, "mcp.text")
            if cut is not None:
                whole = "whole" if units(str(said)) <= loaded else f"up to {loaded:,}"
                message = f"{cut}; after a search for the tool it is sent {whole}"
                yield Finding(message, str(entry["name"]), "/description")

    def instructions(self, asked: Asked) -> Iterator[Finding]:
        """Instructions that are cut."""
        cut = self._cut(mcp.instructions_of(asked.first), "mcp.text")
        if cut is not None:
            yield Finding(f"instructions: {cut}", path="/instructions")

    def characters(self, asked: Asked) -> Iterator[Finding]:
        """Characters the client removes or replaces in a tool."""
        for entry, node in _values(asked):
            for path, before in _strings("", entry):
                after = mcp.cleaned(before)
                if after != before and isinstance(after, str):
                    yield Finding(_changed(before, after), name_of(node), path)

    def numbers(self, asked: Asked) -> Iterator[Finding]:
        """Numbers that JavaScript does not keep."""
        for name, path, text, sent in _numbers(asked):
            if Decimal(text) != Decimal(sent):
                yield Finding(f"{text} becomes {sent}, another number", name, path)

    def written(self, asked: Asked) -> Iterator[Finding]:
        """Numbers that JavaScript writes otherwise."""
        for name, path, text, sent in _numbers(asked):
            if Decimal(text) == Decimal(sent):
                yield Finding(f"{text} is written {sent}", name, path)

    def schemas(self, asked: Asked) -> Iterator[Finding]:
        """Schemas whose alternatives are flattened."""
        for entry in mcp.entries(asked.first) or ():
            verdict = self._judged(asked, entry)
            if verdict.said is not None and not verdict.dropped:
                message = f"flattened; the description begins with: {verdict.said}"
                yield Finding(message, str(entry["name"]), "/inputSchema")

    def deferred(self, asked: Asked) -> Iterator[Finding]:
        """Tools the model sees by name only, until it searches for them."""
        waiting = [tool for tool in self._sent(asked) if not tool.always]
        if waiting:
            yield Finding(
                f"deferred: {len(waiting)} of the tools; the model sees their names alone until it"
                ' searches for them (`_meta: {"anthropic/alwaysLoad": true}` sends a tool at once)'
            )

    def size(self, asked: Asked) -> Iterator[Finding]:
        """What the tools take in a request when they are loaded."""
        sizes = {tool.tool: _size(tool) for tool in self._sent(asked)}
        if sizes:
            largest = max(sizes, key=lambda name: sizes[name])
            total = sum(sizes.values())
            yield Finding(
                f"characters in tools[] when loaded: {total:,};"
                f" the largest tool is {largest} ({sizes[largest]:,})"
            )

    def _judged(self, asked: Asked, entry: Mapping[str, JSON]) -> mcpschema.Judged:
        schema = entry["inputSchema"]
        assert isinstance(schema, dict)
        named = self.named.get(asked.first.server, frozenset())
        return mcpschema.judged(self.profile, schema, Origin(Kind.LISTING, "check"), named)

    def _sent(self, asked: Asked) -> list[mcp.Tool]:
        return mcp.tools(self.profile, [asked.first], named=self.named)

    def _cut(self, said: object, limit: str) -> str | None:
        most = self.profile.limits[limit]
        if not isinstance(said, str) or units(said) <= most:
            return None
        kept = said[:most]
        return f"{units(said):,} characters, cut after {most:,}: it ends “…{kept[-_SHOWN:]}”"


def _values(asked: Asked) -> Iterator[tuple[dict[str, JSON], Node]]:
    for node in tools(asked.first):
        value = loads(node.text)
        if isinstance(value, dict):
            yield value, node


def _strings(path: str, value: JSON) -> Iterator[tuple[str, str]]:
    """Every string and key of a tool that is cleaned, with its place."""
    if isinstance(value, str):
        yield path, value
    pairs = value.items() if isinstance(value, dict) else ()
    for name, inner in pairs:
        if not name.isascii():
            yield f"{path}/{name}", name
        yield from _strings(f"{path}/{name}", inner)
    for index, inner in enumerate(value if isinstance(value, list) else ()):
        yield from _strings(f"{path}/{index}", inner)


def _changed(before: str, after: str) -> str:
    odd = [char for char in dict.fromkeys(before) if mcp.cleaned(char) != char]
    told = [f"{_called(char)} → {_told(char)}" for char in odd[:_FIRST]]
    more = f" and {len(odd) - _FIRST} more" if len(odd) > _FIRST else ""
    return f"{', '.join(told) or 'letters composed'}{more}; it reads “{after[:_SHOWN]}”"


def _called(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()


def _told(char: str) -> str:
    found = mcp.cleaned(char)
    return repr(found) if found else "removed"


def _numbers(asked: Asked) -> Iterator[tuple[str, str, str, str]]:
    for node in tools(asked.first):
        schema = node.get("inputSchema")
        for path, found in schema.walk("/inputSchema") if schema is not None else ():
            sent = javascript_number(found.text) if found.kind == "number" else found.text
            if sent != found.text:
                yield name_of(node), path, found.text, sent


def _size(tool: mcp.Tool) -> int:
    name, described = quote(tool.name), quote(str(tool.described))
    frame = '{"name":,"description":,"input_schema":}'
    return len(frame) + len(name) + len(described) + len(tool.schema.json)
