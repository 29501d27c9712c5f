"""What is tried when a user's sessions teach something, and how near it comes."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import cast

from inspector import profiles
from inspector.learn.distance import bag, distance
from inspector.learn.draft import Axes, Draft, Key, Layer
from inspector.learn.lesson import Lesson
from inspector.learn.sessions import CLASS
from inspector.session import ExchangeKind
from inspector.verify import RequestReport, SessionReport

_MEMBERS = frozenset({"members", "members.late"})
_PLACE = 40
"""What a place that differs weighs beside its bytes."""


def groups(lessons: Sequence[Lesson], known: Container[str]) -> Iterator[list[Lesson]]:
    """What is tried together: a value, and the texts and places that it needs; literals last."""
    order = ("lists", "params", "switches", "values", "texts", "slots", "templates", "literals")
    new = [one for one in lessons if one.key[0] == "texts" and one.key[1] not in known]
    for lesson in sorted(lessons, key=lambda one: order.index(one.key[0])):
        if lesson not in new:
            yield [*new, lesson]
    yield [one for one in lessons if one.key[0] == "params" or one.key[1] in _MEMBERS]
    yield [one for one in lessons if one.key[1] == "headers"]


def switches(client: str) -> Iterator[tuple[str, str]]:
    """The values that a client's switches have in any known version."""
    found: dict[tuple[str, str], None] = {}
    for version in profiles.names(client):
        for layer in Draft.of(profiles.layers(client, version)).layers:
            found |= dict.fromkeys(layer.values.get("switches", {}).items())
    yield from found


def far(one: RequestReport, words: Mapping[str, str]) -> int:
    """How far a built request is from the captured one, its headers too."""
    places, told = one.comparison.differences, one.headers
    if one.exact and not told.different:
        return len(told.unclaimed)
    built = b"" if one.built is None else one.built.body
    headers = _PLACE * (len(told.different) + len(told.reordered)) + len(told.unclaimed)
    return distance(built, bag(one.captured), words) + _PLACE * len(places) + headers


def reshaped(report: SessionReport) -> bool:
    """Whether something is there or not that should not or should be: no text explains that."""
    places = (item for one in main(report) for item in one.comparison.differences)
    return any(item.verdict in {"missing", "extra"} for item in places)


def main(report: SessionReport) -> list[RequestReport]:
    """The requests of the main conversation."""
    return [one for one in report.requests if one.kind is ExchangeKind.MAIN]


def spelled(lesson: Lesson, before: object) -> Iterator[str]:
    """All words that a lesson would call the client's, beside those that are."""
    if lesson.words is not None:
        yield lesson.words
    else:
        known = {*_strings(before)}
        yield from (one for one in _strings(lesson.value) if one not in known)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, item in cast("Mapping[str, object]", value).items():
            yield name
            yield from _strings(item)
    elif isinstance(value, Sequence):
        for item in cast("Sequence[object]", value):
            yield from _strings(item)


def of_a_plugin(lesson: Lesson, before: object) -> bool:
    """Whether a skill or an agent is named as plugins name theirs."""
    section, name = lesson.key[:2]
    names = [name] if section == "texts" else [*spelled(lesson, before)]
    return section in {"texts", "lists"} and any(":" in one for one in names)


def bound(layers: Sequence[Layer], axes: Axes, key: Key) -> dict[str, list[str]]:
    """The axes that the layer asks for which sets a key at a point, besides those of an account."""
    for layer in reversed(layers):
        if layer.matches(axes) and _has(layer.values, key):
            return {axis: names for axis, names in layer.when.items() if axis not in CLASS}
    return {}


def _has(values: object, key: Key) -> bool:
    for name in key:
        if not isinstance(values, Mapping) or name not in values:
            return False
        values = cast("Mapping[str, object]", values)[name]
    return True


def value_of(values: object, key: Key) -> object:
    """A value of a profile; None where it has none."""
    found: object = values
    for name in key:
        inside = isinstance(found, Mapping)
        found = cast("Mapping[str, object]", found).get(name) if inside else None
    return found
