"""Which setting of which file keeps something out."""

from collections.abc import Callable, Mapping
from typing import Any

from inspector.clients.claude_code.javascript import decode
from inspector.clients.claude_code.left_out import LeftOut, Reason
from inspector.clients.claude_code.looking import kept
from inspector.clients.claude_code.plain import items, mapping
from inspector.clients.claude_code.settings import config_file, of_project, parsed, placed
from inspector.workspace import World

type _Names = Callable[[Mapping[str, Any], LeftOut], bool]


def _excludes(values: Mapping[str, Any], item: LeftOut) -> bool:
    del item
    return bool(items(values.get("claudeMdExcludes")))


def _denies(values: Mapping[str, Any], item: LeftOut) -> bool:
    del item
    rules = items(mapping(values.get("permissions")).get("deny"))
    return any(str(rule).startswith(("Read", "Edit")) for rule in rules)


def _overrides(values: Mapping[str, Any], item: LeftOut) -> bool:
    return item.name in mapping(values.get("skillOverrides"))


def _disables(key: str) -> _Names:
    return lambda values, item: item.name in items(values.get(key))


_BY_REASON: Mapping[tuple[Reason, bool], Mapping[str, _Names]] = {
    (Reason.EXCLUDED, False): {"claudeMdExcludes": _excludes},
    (Reason.DENIED, False): {"permissions.deny": _denies},
    (Reason.NAME_ONLY, False): {"skillOverrides": _overrides},
    (Reason.PEOPLE_ONLY, False): {"skillOverrides": _overrides},
    (Reason.SWITCHED_OFF, False): {"skillOverrides": _overrides},
    (Reason.SWITCHED_OFF, True): {
        key: _disables(key) for key in ("disabledMcpjsonServers", "disabledMcpServers")
    },
}
"""By reason, and whether it is a server's: the settings that may be it."""


def who_set(world: World, item: LeftOut) -> str:
    """The settings that may have done it with their files, in brackets; else nothing."""
    asked = _BY_REASON.get((item.reason, item.kind == "server"))
    if not asked:
        return ""
    found = [
        f"in {path}" if key in item.words else f"{key} in {path}"
        for path, values in _written(world)
        for key, names in asked.items()
        if names(values, item)
    ]
    return f" ({' and '.join(found)})" if found else ""


def _written(world: World) -> list[tuple[str, Mapping[str, Any]]]:
    environment = world.environment
    found = [(path, values) for _, path, values in placed(world.tree, environment)]
    path = config_file(environment)
    config = parsed(decode(kept(world.tree, path) or b""))
    return [*found, (path, of_project(config, environment))]
