"""What the client's own tool search answers: definitions from the listings, deferred.

Which tools were found and in which order is a fact of the turn; the definitions are rebuilt.
"""

from collections.abc import Sequence

from inspector.clients.codex.loose import Json, parsed, strings, tables, word
from inspector.clients.codex.mcp import Namespace, definition
from inspector.clients.codex.tools import template
from inspector.profiles import Profile
from inspector.text import Value


def names(tools: object) -> list[Json]:
    """The namespaces and tool names of a search result."""
    return [
        {
            "name": word(s.get("name")),
            "tools": [word(t.get("name")) for t in tables(s.get("tools"))],
        }
        for s in tables(tools)
    ]


def results(raw: str, spaces: Sequence[Namespace], profile: Profile) -> dict[str, Value]:
    """The members of a search result after its ids."""
    found = tables(parsed(raw).get("tools"))
    return {
        "status": profile.literal("output.search.status"),
        "execution": profile.literal("output.search.execution"),
        "tools": [_namespace(item, spaces, profile) for item in found],
    }


def _namespace(item: Json, spaces: Sequence[Namespace], profile: Profile) -> Value:
    name = word(item.get("name"))
    wanted = strings(item.get("tools"))
    space = next((space for space in spaces if space.name == name), None)
    if space is not None:
        tools = {tool.name: tool for tool in space.tools}
        made = [definition(tools[w], space, profile, deferred=True) for w in wanted if w in tools]
        return space.value([tool for tool in made if tool is not None])
    own = profile.values["tools"].get(name, {"type": "namespace", "name": name, "tools": []})
    inner = [_deferred(profile.values["tools"].get(f"{name}.{tool}")) for tool in wanted]
    return template({**own, "tools": inner}, profile)


def _deferred(tool: Json | None) -> Json:
    """A tool of the client's own with the mark that it was not in the request."""
    out: dict[str, object] = {}
    for key, value in (tool or {}).items():
        out[key] = value
        if key == "strict":
            out["defer_loading"] = True
    return out
