"""Tool definitions: which, in which order, each with its sealed description and parameters."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import fact
from inspector.profiles import Profile
from inspector.text import Value


def lite(config: Config, profile: Profile) -> list[Value]:
    """The namespaces of the `additional_tools` item."""
    clock = config.flag("features", "sleep_tool", default=True)
    names = [name for name in profile.lists["tools"] if clock or name != "clock"]
    return [_tool(name, profile) for name in names]


def classic(config: Config, profile: Profile, *, servers: bool) -> list[Value]:
    """The `tools` member; the name `mcp` marks where the servers' namespaces stand."""
    off = set(profile.lists["tools.absent"])
    if not servers:
        off |= set(profile.lists["tools.resources"])
    if not goals(config):
        off |= set(profile.lists["tools.goals"])
    if config.string("web_search") == "disabled":
        off |= set(profile.lists["tools.web"])
    names = [name for name in profile.lists["tools"] if name not in off]
    return [_member(name, config, profile) for name in names]


def goals(config: Config) -> bool:
    """Whether the goal tools are offered."""
    return config.flag("features", "goals", default=True)


def web(config: Config) -> str:
    """How the web may be searched: `live`, `cached` or `disabled`.

    Without a sandbox a cached search is live all the same (witness: web_search = "cached").
    """
    chosen = config.string("web_search")
    if chosen == "disabled":
        return chosen
    return "live" if chosen == "live" or config.sandbox == "danger-full-access" else "cached"


def _member(name: str, config: Config, profile: Profile) -> Value:
    if name == "mcp":
        return name
    made = _tool(name, profile)
    if name in profile.lists["tools.web"] and isinstance(made, dict):
        return {**made, "external_web_access": web(config) == "live"}
    return made


def _tool(name: str, profile: Profile) -> Value:
    return template(profile.values["tools"][name], profile)


def template(data: Any, profile: Profile) -> Value:  # noqa: ANN401 - profile YAML
    """A profile's JSON template as a value.

    `{text: NAME}` is a sealed text, `{json: NAME}` a sealed value, `{literal: NAME}` a short text,
    `{tool: NAME}` another definition, `{offered: ROWS}` what lists models.
    """
    if isinstance(data, Mapping):
        members = cast("Mapping[str, Any]", data)
        reference = next(iter(members.items())) if len(members) == 1 else ("", None)
        if reference[0] in _REFERENCES:
            return _REFERENCES[reference[0]](str(reference[1]), profile)
        return {key: template(value, profile) for key, value in members.items()}
    if isinstance(data, list | tuple):
        return [template(value, profile) for value in cast("Sequence[Any]", data)]
    return cast("Value", data)


def _offered(rows: str, profile: Profile) -> Value:
    """How an agent is started, with the models that a server's catalog has."""
    name = "tool.collaboration.spawn_agent"
    return profile.literal(f"{name}.models") + fact("catalog", rows) + profile.known(f"{name}.rest")


_REFERENCES: dict[str, Callable[[str, Profile], Value]] = {
    "text": lambda name, profile: profile.known(name),
    "json": lambda name, profile: profile.known_json(name),
    "literal": lambda name, profile: profile.literal(name),
    "tool": _tool,
    "offered": _offered,
}
