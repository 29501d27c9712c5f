"""Tool definitions: which, in which order, each with its sealed description and parameters."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from inspector.profiles import Profile
from inspector.text import Value


def lite(profile: Profile) -> list[Value]:
    """The namespaces of the `additional_tools` item."""
    return [_tool(name, profile) for name in profile.lists["tools"]]


def classic(profile: Profile, *, servers: bool) -> list[Value | str]:
    """The `tools` member; the name `mcp` marks where the servers' namespaces stand."""
    resources = profile.lists["tools.resources"]
    names = [name for name in profile.lists["tools"] if servers or name not in resources]
    return [name if name == "mcp" else _tool(name, profile) for name in names]


def _tool(name: str, profile: Profile) -> Value:
    return template(profile.values["tools"][name], profile)


def template(data: Any, profile: Profile) -> Value:  # noqa: ANN401 - profile YAML
    """A profile's JSON template as a value.

    `{text: NAME}` is a sealed text, `{json: NAME}` a sealed value, `{tools: [NAME…]}` a nested list.
    """
    match data:
        case {"text": str(name)} if len(data) == 1:
            return profile.known(name)
        case {"json": str(name)} if len(data) == 1:
            return profile.known_json(name)
        case {"literal": str(name)} if len(data) == 1:
            return profile.literal(name)
        case {"tool": str(name)} if len(data) == 1:
            return _tool(name, profile)
        case Mapping():
            members = cast("Mapping[str, Any]", data)
            return {key: template(value, profile) for key, value in members.items()}
        case list() | tuple():
            return [template(value, profile) for value in cast("Sequence[Any]", data)]
        case _:
            return cast("Value", data)
