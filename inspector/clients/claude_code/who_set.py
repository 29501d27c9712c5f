"""Which setting of which file keeps something out."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from inspector.clients.claude_code.denied import Denied, commanded
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


def _overrides(values: Mapping[str, Any], item: LeftOut) -> bool:
    return item.name in mapping(values.get("skillOverrides"))


def _disables(key: str) -> _Names:
    return lambda values, item: item.name in items(values.get(key))


_BY_REASON: Mapping[tuple[Reason, bool], Mapping[str, _Names]] = {
    (Reason.EXCLUDED, False): {"claudeMdExcludes": _excludes},
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
    if item.reason is Reason.DENIED:
        return f" ({' and '.join(_denying(world, item.path))})"
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


def _denying(world: World, path: str) -> Iterator[str]:
    """The rules that keep a file from being read, each with the place it stands in."""
    environment = world.environment
    rules = [
        (scope, where, rule)
        for scope, where, values in placed(world.tree, environment)
        for rule in items(mapping(values.get("permissions")).get("deny"))
    ]
    rules += [("cliArg", "--disallowedTools", rule) for rule in commanded(environment)]
    for scope, where, rule in rules:
        if Denied.of(scope, rule, environment).hides(world.tree, environment, path, folder=False):
            yield f"{rule} in {where}"


def _written(world: World) -> list[tuple[str, Mapping[str, Any]]]:
    environment = world.environment
    found = [(path, values) for _, path, values in placed(world.tree, environment)]
    path = config_file(environment)
    config = parsed(decode(kept(world.tree, path) or b""))
    return [*found, (path, of_project(config, environment))]
