"""What of a learned profile may be given to others: digests seen on enough unlike workspaces.

Rule: a digest may cover only text seen equal on three workspaces. Without such a text its slots go,
too, so that the values of the parent stand there.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

_PARTED = ("slots", "templates")
"""Sections whose values name texts."""


def shared(
    document: Mapping[str, Any], thin: Collection[str], known: Collection[str]
) -> dict[str, Any]:
    """A profile's document without the texts whose digests are thin.

    `known` are the names of the texts that its parent has.
    """
    layers = [document.get("base", {}), *(one["set"] for one in document.get("overlays", ()))]
    kept = {
        name
        for layer in layers
        for name, text in layer.get("texts", {}).items()
        if text["sha256"] not in thin
    }
    every = {name for layer in layers for name in layer.get("texts", {})}
    lost = every - kept - {*known}
    base = _cut(document.get("base", {}), thin, lost)
    overlays = [
        {**one, "set": _cut(one["set"], thin, lost)} for one in document.get("overlays", ())
    ]
    full = [one for one in overlays if one["set"] or set(one) - {"when", "set"}]
    return {**document, "base": base, "overlays": full}


def _cut(values: Mapping[str, Any], thin: Collection[str], lost: Collection[str]) -> dict[str, Any]:
    out = dict(values)
    texts: Mapping[str, Any] = values.get("texts", {})
    out["texts"] = {name: it for name, it in texts.items() if it["sha256"] not in thin}
    for section in _PARTED:
        items: Mapping[str, Any] = values.get(section, {})
        out[section] = {name: it for name, it in items.items() if not {*_named(it)} & {*lost}}
    empty = {name for name in ("texts", *_PARTED) if not out[name]}
    return {name: it for name, it in out.items() if name not in empty}


def _named(value: object) -> Iterator[str]:
    """The texts that the parts of a slot list or a template name."""
    if isinstance(value, str):
        if value.startswith("text:"):
            yield value.removeprefix("text:")
    elif isinstance(value, Mapping):
        for item in cast("Mapping[str, object]", value).values():
            yield from _named(item)
    elif isinstance(value, list | tuple):
        for item in cast("list[object]", value):
            yield from _named(item)
