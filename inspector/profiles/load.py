"""Finding and resolving profiles.

Rule: profiles are keyed by exact version. Where a version has none, the nearest older one stands
in and every output says so (`Found.exact` is false).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, cast

import yaml

from inspector.errors import BadInput
from inspector.profiles.schema import Profile
from inspector.shelves import shelves

type Axes = Mapping[str, str]

PROBED = ("claude-code",)
"""Clients that there are probes for, so that `learn` can make a profile of any version."""


@dataclass(frozen=True, slots=True)
class Found:
    """A profile's raw form, and whether it is the very version asked for."""

    client: str
    version: str
    exact: bool
    data: Mapping[str, Any]


def names(client: str) -> list[str]:
    """The versions of a client that have a profile, oldest first."""
    folder = resources.files("inspector.profiles") / "data" / client
    files = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    found = {name.removesuffix(".yaml") for name in files if name.endswith(".yaml")}
    for shelf in shelves():
        found |= {key.partition("/")[2] for key in shelf if key.startswith(f"{client}/")}
    return sorted(found, key=order)


def layers(client: str, version: str) -> list[Mapping[str, Any]]:
    """The documents that a profile extending this version is made of, the oldest parent first."""
    return _layers(client, _above(client, version))


def whole(found: Found) -> list[Mapping[str, Any]]:
    """The documents that a profile is made of, the oldest parent first."""
    return _layers(found.client, found.data)


def find(client: str, version: str) -> Found:
    """The profile for a version, or the nearest older one (the oldest, when none is older).

    Of what is no version number nothing is nearer, so the newest stands in.
    """
    known = names(client)
    if not known:
        raise BadInput(
            f"client {client!r}: no profile for it; known clients are claude-code and codex"
        )
    older = [name for name in known if order(name) <= order(version)]
    nearest = older[-1] if older else known[0]
    chosen = nearest if version[:1].isdigit() else known[-1]
    return Found(client, chosen, chosen == version, _load(client, chosen))


def stand_in(version: str, chosen: str) -> str:
    """In words, which profile stands in for a version that has none."""
    if not version[:1].isdigit():
        return f"{version or 'empty'} is no version number, so {chosen} stands in"
    older = order(chosen) <= order(version)
    return f"the nearest {'older' if older else 'newer'} one, {chosen}, stands in"


def unknown(client: str, version: str, chosen: str) -> str:
    """In one line: a version has no profile, which one stands in, and what learns its own."""
    line = f"{client} {version}: no profile for this version; {stand_in(version, chosen)}"
    how = learning(client, version)
    return f"{line}; {how}" if how else line


def learning(client: str, version: str) -> str:
    """The command that makes a version's profile, in words; nothing where none can."""
    if client not in PROBED or not version[:1].isdigit():
        return ""
    return f"`inspector learn --client {client} --client-version {version} --install` learns it"


def resolve(found: Found, axes: Axes) -> Profile:
    """The values for one set of axes: base, then every overlay that matches, in order."""
    data = found.data
    values: dict[str, Any] = {}
    for layer in _layers(found.client, data):
        values = _merged(values, layer.get("base", {}))
        for overlay in layer.get("overlays", ()):
            if all(axes.get(axis) in wanted for axis, wanted in overlay["when"].items()):
                values = _merged(values, overlay["set"])
                values["lists"] = _changed(values.get("lists", {}), overlay)
    return Profile.model_validate(
        {"client": found.client, "version": found.version, **values}, strict=False
    )


def _layers(client: str, data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    parent = data.get("extends")
    inherited = _layers(client, _above(client, parent)) if parent else []
    if data.get("inherits") == "base":
        # Another era has axes of its own: what the parent says of its models does not hold.
        inherited = [{"base": layer.get("base", {})} for layer in inherited]
    return [*inherited, data]


def _above(client: str, version: str) -> Mapping[str, Any]:
    """The document that others extend: the one of the package, before one learned anew."""
    return _bundled(client, version) or _load(client, version)


def _merged(old: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """One mapping over another, level by level; neither is changed, for loaded data is shared."""
    new = dict(old)
    for key, value in more.items():
        before = new.get(key)
        if not isinstance(value, dict) or not isinstance(before, dict):
            new[key] = value
            continue
        over, under = cast("dict[str, Any]", value), cast("dict[str, Any]", before)
        new[key] = {**under, **over} if key == "params" else _merged(under, over)
    return new


def _changed(lists: Mapping[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
    """What an overlay takes from lists (`drop`) and puts at their end (`add`)."""
    new = dict(lists)
    for name, gone in overlay.get("drop", {}).items():
        new[name] = [item for item in new.get(name, ()) if item not in gone]
    for name, more in overlay.get("add", {}).items():
        new[name] = [*new.get(name, ()), *more]
    return new


def order(version: str) -> tuple[int, ...]:
    """The numbers of a version, to sort by."""
    return tuple(
        int(part) if part.isdigit() else 0 for part in version.replace("-", ".").split(".")
    )


def _load(client: str, version: str) -> Mapping[str, Any]:
    key = f"{client}/{version}"
    found = next((shelf[key] for shelf in shelves() if key in shelf), None)
    found = _bundled(client, version) if found is None else found
    if found is None:
        raise BadInput(f"{client} {version}: no such profile; `inspector learn` makes one")
    return found


@cache
def _bundled(client: str, version: str) -> Mapping[str, Any] | None:
    path = resources.files("inspector.profiles") / "data" / client / f"{version}.yaml"
    if not path.is_file():
        return None
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return loaded
