"""`tools[]` of a request: each tool of the pool as it stands, is deferred or is counted."""

from collections.abc import Mapping, Sequence

from inspector.clients.claude_code import mcp, shelltool
from inspector.clients.claude_code.javascript import locale_key
from inspector.clients.claude_code.phrase import phrase, template
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.tools import STRUCTURED, Pool
from inspector.jsontext import javascript
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Raw, Text, Value


def definitions(
    profile: Profile, found: Pool, settings: Settings, loaded: frozenset[str]
) -> list[Value]:
    """`tools[]` of one request; the placeholder stands just before the last tool."""
    waiting = set(found.deferred) if found.searching else set[str]()
    hidden = waiting - loaded
    out: list[Value] = [
        _definition(profile, found, settings, name, later=name in waiting)
        for name in _ordered(profile, found)
        if name not in hidden
    ]
    out += [
        mcp.definition(tool, loaded_later=tool.name in waiting)
        for tool in found.servers
        if tool.name not in hidden
    ]
    if found.placeholder and out:
        out.insert(len(out) - 1, _placeholder(profile))
    return out


def deferrable(profile: Profile, found: Pool, settings: Settings) -> list[Value]:
    """The tools that may be deferred, as they are counted."""
    late = set(found.deferred)
    out: list[Value] = [
        _definition(profile, found, settings, name, later=False)
        for name in _ordered(profile, found)
        if name in late
    ]
    offered = (tool for tool in found.servers if tool.name in late)
    return [*out, *(mcp.definition(tool, loaded_later=False) for tool in offered)]


def _ordered(profile: Profile, found: Pool) -> Sequence[str]:
    """The client's own tools as they stand."""
    keeps = found.listed or profile.switches["tools.order"] == "listed"
    return found.builtin if keeps else sorted(found.builtin, key=locale_key)


def _definition(
    profile: Profile, found: Pool, settings: Settings, name: str, *, later: bool
) -> Mapping[str, Value]:
    profile = found.words.get(name, profile)
    out: dict[str, Value] = {
        "name": name,
        "description": _description(profile, found, settings, name),
        "input_schema": _schema(profile, found, name),
    }
    more: Mapping[str, Mapping[str, Value]] = profile.values.get("tool.more", {})
    out |= more.get(name, {})
    if later:
        out["defer_loading"] = True
    return out


def _schema(profile: Profile, found: Pool, name: str) -> Value:
    if name == STRUCTURED:
        return Raw(javascript(found.shape), Origin(Kind.FACT, "--json-schema"))
    if name == "Bash" and found.shell is not None:
        return shelltool.schema(profile, found.shell)
    return profile.known_json(f"tool.{name}{_staying(found, name)}.schema")


def _staying(found: Pool, name: str) -> str:
    """Which words a tool has that may run on after an answer."""
    return ".stays" if name == "Monitor" and found.stays else ""


def _alone(profile: Profile, found: Pool) -> bool:
    """Whether a session lacks the tool by which an agent is spoken to again (`pool_flags`)."""
    return "SendMessage" in profile.lists["tools.deferred"] and not found.has("SendMessage")


def _description(profile: Profile, found: Pool, settings: Settings, name: str) -> Text:
    variant = _staying(found, name)
    # Where its authoring skill is not there to be loaded, the tool carries the whole reference.
    bundled = settings.get("disableBundledSkills") is not True
    if name == "Workflow" and not (bundled and found.has("Skill")):
        variant = ".whole"
    elif name == "Agent" and _alone(profile, found):
        variant = ".alone"
    elif name == "Bash" and settings.get("includeGitInstructions") is False:
        variant = ".nogit"
    elif name == "Bash" and found.search_tools:
        variant = ".search"
    own = f"tool.{name}{variant}.description"
    if own in profile.templates:
        return template(profile, own, **found.holes)
    if name == "Bash" and found.shell is not None:
        return shelltool.description(profile, found.shell, variant)
    return profile.known(f"tool.{name}{variant}.description")


def _placeholder(profile: Profile) -> Mapping[str, Value]:
    return {
        "name": "DeferredToolPlaceholder",
        "description": phrase(profile, "tools.placeholder"),
        "input_schema": {"type": "object", "properties": {}},
        "defer_loading": True,
    }
