"""MCP answers so long that the client puts them into a file and says where.

Two forms (Claude Code 2.1.332, `mcp_long_results`): past a number of characters a preview is shown;
past a number of tokens only how to read the file is said.
"""

from collections.abc import Mapping

from inspector.clients.claude_code import system
from inspector.clients.claude_code.javascript import units
from inspector.clients.claude_code.mcp import part_of_name
from inspector.clients.claude_code.options import number
from inspector.clients.claude_code.phrase import computed, phrase, template
from inspector.clients.claude_code.templates import holes
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Called, Kept
from inspector.workspace import Environment

_JSON = '[\n  {\n    "type": "text",\n    "text": "'
_TOKEN = 4
"""Characters a token is taken to have."""


def shown(
    profile: Profile, call: Called, kept: Kept, folder: Text, *, counted: bool = False
) -> Text:
    """What the model is told of an answer in a file; `counted`: its measures were counted here."""
    if kept.lines is None:
        return _preview(profile, call, kept, folder)
    lines = computed(kept.lines, "lines")
    unit = "mcp.large.line" if kept.lines == "1" else "mcp.large.lines"
    measure = phrase(profile, unit, characters=_size(call, kept, counted=counted), lines=lines)
    form = "mcp.large.sliced" if kept.sliced else "mcp.large"
    path = _random(profile, call, folder)
    return template(profile, form, measure=measure, path=path)


def read(profile: Profile, call: Called, said: str) -> Kept | None:
    """An answer in a file, from what the model was told of it."""
    found = holes(profile.literals["result.saved"], said)
    if found is not None:
        plain = found["path"].endswith(f"/{call.id}.txt")
        return Kept(size=found["size"], beginning=found["beginning"], plain=plain)
    return _large(profile, said)


def large(profile: Profile, content: str, environment: Environment, *, over: bool) -> Kept | None:
    """How a text is told of that is too large: as was counted, or beyond any count."""
    if not over and units(content) <= most(profile, environment) * _TOKEN * _TOKEN:
        return None
    lines = content.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    longest = max(units(line) for line in lines)
    return Kept(
        size=f"{units(content):,}",
        lines=f"{len(lines):,}",
        sliced=len(lines) == 1 or longest > profile.limits["mcp.line"],
    )


def most(profile: Profile, environment: Environment) -> int:
    """How many tokens an answer may have."""
    return number(environment, "MAX_MCP_OUTPUT_TOKENS") or profile.limits["mcp.tokens"]


def _large(profile: Profile, said: str) -> Kept | None:
    start = holes(profile.literals["mcp.large"] + "{rest}", said)
    if start is None:
        return None
    for unit in ("mcp.large.lines", "mcp.large.line"):
        measured = holes(profile.literals[unit], start["measure"])
        if measured is not None:
            lines = measured.get("lines", "1")
            sliced = start["rest"].startswith(_usage(profile, "mcp.large.sliced.use"))
            return Kept(size=measured["characters"], lines=lines, sliced=sliced)
    return None


def _usage(profile: Profile, name: str) -> str:
    return profile.literals[name].partition("{")[0]


def _preview(profile: Profile, call: Called, kept: Kept, folder: Text) -> Text:
    """The beginning of the file; the frame around a text is the client's."""
    beginning = text(kept.beginning, _origin(call))
    if not kept.plain and kept.beginning.startswith(_JSON):
        frame = text(_JSON, Origin(Kind.STRUCTURE, "file"))
        beginning = frame + beginning[len(_JSON) :]
    name = text(call.id, Origin(Kind.REPLY, "id")) + computed(".txt" if kept.plain else ".json")
    return phrase(
        profile,
        "result.saved",
        size=text(kept.size, _origin(call)),
        path=folder + name,
        beginning=beginning,
    )


def _random(profile: Profile, call: Called, folder: Text) -> Text:
    """A file named after the tool, with a random end."""
    _, server, tool = (*call.name.split("__", 2), "")[:3]
    holes: Mapping[str, Text] = {
        "folder": folder,
        "server": text(part_of_name(server), Origin(Kind.REPLY, call.id)),
        "tool": text(part_of_name(tool), Origin(Kind.REPLY, call.id)),
        "number": system.numbered(profile, "mcp_blob", call.id),
    }
    return phrase(profile, "mcp.file", **holes)


def _size(call: Called, kept: Kept, *, counted: bool) -> Text:
    return computed(kept.size, "size") if counted else text(kept.size, _origin(call))


def _origin(call: Called) -> Origin:
    return Origin(Kind.OUTCOME, call.id)
