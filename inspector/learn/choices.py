"""What may be chosen: whole layouts, switches and literals of the profiles that are known."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from inspector import profiles
from inspector.learn.draft import Key

type Choice = Sequence[tuple[Key, Any]]
"""Values that are tried together."""


_MADE = ("environment", "servers", "style", "language")
"""Mechanisms that a slot can put into the system prompt."""
_MAKING = "system.dynamic"


def candidates(
    client: str, differing: Collection[str], slots: Sequence[Mapping[str, Any]] = ()
) -> Iterator[Choice]:
    """What known profiles have otherwise: whole layouts, then switches and literals singly.

    `differing` names what the built text that differs came from: only such literals are tried.
    `slots` are those of the prompt's second part as they are now.
    """
    yield from _layouts(client)
    yield from _made(slots)
    seen: dict[Key, list[Any]] = {}
    for key, value in _known(client):
        told = key[0] != "literals" or key[1] in differing
        if told and value not in seen.setdefault(key, []):
            seen[key].append(value)
    for key, values in seen.items():
        if len(values) > 1:
            yield from ([(key, value)] for value in values)


def _layouts(client: str) -> Iterator[Choice]:
    """Of each known profile: where its mechanisms stand, and the slots of its prompt."""
    seen = list[dict[Key, Any]]()
    for version in profiles.names(client):
        layout: dict[Key, Any] = {}
        for document in profiles.layers(client, version):
            base = document.get("base", {})
            layout |= {("regions", name): value for name, value in base.get("regions", {}).items()}
            for section in ("slots", "texts", "templates"):
                items = base.get(section, {}).items()
                layout |= {(section, name): it for name, it in items if name.startswith("system.")}
        if layout not in seen:
            seen.append(layout)
            yield [*layout.items()]


def _made(slots: Sequence[Mapping[str, Any]]) -> Iterator[Choice]:
    """A mechanism in the system prompt, at each place between what stands there."""
    parts = {slot["part"] for slot in slots}
    for name in _MADE:
        if f"made:{name}" not in parts:
            for at in range(len(slots), 0, -1):
                new: Mapping[str, Any] = {"part": f"made:{name}", "when": []}
                now = [*slots[:at], new, *slots[at:]]
                yield [(("regions", name), "system"), (("slots", _MAKING), now)]


def _known(client: str) -> Iterator[tuple[Key, Any]]:
    """The switches and literals of all known profiles, and what else the builder can do."""
    for name, regions in profiles.CHOICES.items():
        for region in regions:
            yield ("regions", name), region
    for version in profiles.names(client):
        for document in profiles.layers(client, version):
            yield from _values(document.get("base", {}))
            for overlay in document.get("overlays", ()):
                yield from _values(overlay["set"])


def _values(values: Mapping[str, Any]) -> Iterator[tuple[Key, Any]]:
    for section in ("switches", "regions", "literals"):
        for name, value in values.get(section, {}).items():
            yield (section, name), value
    if "marked" in values.get("lists", {}):
        yield ("lists", "marked"), values["lists"]["marked"]
