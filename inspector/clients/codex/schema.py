"""The schema of an MCP tool as Codex sends it: a small closed set of keywords, sorted properties.

Variant of 0.120 to 0.171; witness: 110 odd schemas sent to a model outside the catalog. Number text
stays as the server wrote it.
"""

from collections.abc import Callable, Iterator, Mapping

from inspector.jsontext import JSON, Number, dumps, serde_number
from inspector.text import Origin, Raw, Value

_ORDER = (
    "$ref", "type", "description", "enum", "encrypted", "items", "minItems", "properties",
    "required", "additionalProperties", "anyOf", "oneOf", "allOf", "$defs", "definitions",
)  # fmt: skip
_COMBINERS = ("anyOf", "oneOf", "allOf")
_DEFS = ("$defs", "definitions")
TYPES = ("string", "number", "boolean", "integer", "object", "array", "null")
_IMPLIED = {
    "object": ("properties", "required", "additionalProperties"),
    "array": ("items", "prefixItems"),
    "string": ("enum", "const", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
"""What a schema without a type is taken for, by the keywords it has; the first that fits."""


class Unreadable(ValueError):
    """A schema that is none to the client."""


def reduced(schema: JSON, origin: Origin, limit: int) -> Value:
    """The reduced schema as one run of JSON; a large one loses every description.

    `Unreadable` for a schema the client cannot read: its tool is left out.
    """
    if not isinstance(schema, dict):
        raise Unreadable
    small = _top(schema)
    if len(dumps(small, number=serde_number).encode()) > limit:
        small = _bare(small)
    return Raw(dumps(small, number=serde_number), origin)


def _top(schema: dict[str, JSON]) -> dict[str, JSON]:
    whole = dict(schema)
    whole.setdefault("properties", {})
    if not any(key in whole for key in ("type", "$ref", *_COMBINERS)):
        whole["type"] = "object"
    found = _object(whole)
    if found.get("type") == "null":
        raise Unreadable
    used = _reachable(found)
    for key in _DEFS:
        defs = found.pop(key, None)
        if isinstance(defs, dict):
            kept = {name: inner for name, inner in defs.items() if (key, name) in used}
            if kept:
                found[key] = kept
    return _ordered(found)


def _schema(value: JSON) -> JSON:
    if isinstance(value, bool):
        return {"type": "string"}
    if not isinstance(value, dict):
        raise Unreadable
    return _object(value)


def _object(value: dict[str, JSON]) -> dict[str, JSON]:
    found = dict(_plain(value))
    found.update(_children(value))
    if "const" in value:
        found["enum"] = [value["const"]]
    kinds = _kinds(value)
    if not kinds and not any(key in found for key in ("$ref", *_COMBINERS)):
        return {}
    if kinds:
        found["type"] = kinds[0] if len(kinds) == 1 else list(kinds)
    if "object" in kinds:
        found.setdefault("properties", {})
    if "array" in kinds:
        found.setdefault("items", {"type": "string"})
    return _ordered(found)


def _ordered(found: Mapping[str, JSON]) -> dict[str, JSON]:
    return {key: found[key] for key in _ORDER if key in found}


def _plain(value: Mapping[str, JSON]) -> Iterator[tuple[str, JSON]]:
    """The keywords whose values are no schemas."""
    for key, fits in _PLAIN.items():
        if key in value:
            if not fits(value[key]):
                raise Unreadable
            yield key, value[key]


def _is_words(value: JSON) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_PLAIN: dict[str, Callable[[JSON], bool]] = {
    "$ref": lambda value: isinstance(value, str),
    "description": lambda value: not isinstance(value, list | dict),
    "enum": lambda value: isinstance(value, list),
    "encrypted": lambda value: isinstance(value, bool),
    "minItems": lambda value: isinstance(value, Number),
    "required": _is_words,
}


def _children(value: Mapping[str, JSON]) -> Iterator[tuple[str, JSON]]:
    """The keywords whose values are schemas."""
    for key in ("properties", *_DEFS):
        if key in value:
            yield key, _named(value[key])
    if "items" in value:
        yield "items", _schema(value["items"])
    if "additionalProperties" in value:
        more = value["additionalProperties"]
        yield "additionalProperties", more if isinstance(more, bool) else _schema(more)
    for key in _COMBINERS:
        if key in value:
            yield key, _branches(value[key])


def _named(value: JSON) -> JSON:
    if not isinstance(value, dict):
        raise Unreadable
    return {name: _schema(value[name]) for name in sorted(value, key=str.encode)}


def _branches(value: JSON) -> JSON:
    if not isinstance(value, list):
        raise Unreadable
    return [_schema(branch) for branch in value]


def _kinds(value: Mapping[str, JSON]) -> list[str]:
    """The types a schema names; without any, the one its keywords imply."""
    given = value.get("type")
    named = given if isinstance(given, list) else [given]
    kinds = [kind for kind in named if isinstance(kind, str) and kind in TYPES]
    if kinds or "$ref" in value or any(key in value for key in _COMBINERS):
        return kinds
    kind = implied(value)
    return [kind] if kind else []


def implied(value: Mapping[str, JSON]) -> str | None:
    """The type that the keywords of a schema without one stand for."""
    kinds = (kind for kind, words in _IMPLIED.items() if any(key in value for key in words))
    return next(kinds, None)


def _reachable(found: Mapping[str, JSON]) -> set[tuple[str, str]]:
    """The definitions that references lead to, by their folder and name."""
    used: set[tuple[str, str]] = set()
    waiting: list[JSON] = [{key: value for key, value in found.items() if key not in _DEFS}]
    while waiting:
        for key, name in _references(waiting.pop()):
            defs = found.get(key)
            if (key, name) not in used and isinstance(defs, dict) and name in defs:
                used.add((key, name))
                waiting.append(defs[name])
    return used


def _references(value: JSON) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
    if not isinstance(value, dict):
        return
    reference = value.get("$ref")
    steps = reference.split("/") if isinstance(reference, str) else []
    if len(steps) > 2 and steps[0] == "#":
        yield steps[1], steps[2].replace("~1", "/").replace("~0", "~")
    for item in value.values():
        yield from _references(item)


def _bare(value: dict[str, JSON]) -> dict[str, JSON]:
    """The schema without its descriptions."""
    return {key: _bare_below(key, item) for key, item in value.items() if key != "description"}


def _bare_below(key: str, value: JSON) -> JSON:
    if key in {"enum", "required"}:
        return value
    if isinstance(value, list):
        return [_bare_below("", item) for item in value]
    if not isinstance(value, dict):
        return value
    if key in {"properties", *_DEFS}:
        return {name: _bare_below("", inner) for name, inner in value.items()}
    return _bare(value)
