"""The schema of an MCP tool as Codex sends it: a small closed set of keywords, sorted properties.

Variant of 0.120 to 0.171. Number text stays as the server wrote it.
"""

from collections.abc import Mapping, Sequence

from inspector.jsontext import dumps, serde_number
from inspector.jsontext.values import JSON
from inspector.text import Origin, Raw, Value

_ORDER = (
    "type", "description", "enum", "items", "minItems", "properties", "required",
    "additionalProperties", "anyOf", "oneOf", "allOf", "$ref", "$defs", "definitions",
)  # fmt: skip
_COMBINERS = ("anyOf", "oneOf", "allOf")


def reduced(schema: JSON, origin: Origin, limit: int) -> Value:
    """The reduced schema as one run of JSON; a large one loses every description."""
    small = _schema(schema, top=True)
    if isinstance(small, dict) and len(dumps(schema).encode()) > limit:
        small = _bare(small)
    return Raw(dumps(small, number=serde_number), origin)


def _schema(value: JSON, *, top: bool = False) -> JSON:
    if isinstance(value, bool):
        return {"type": "string"}
    if not isinstance(value, dict):
        return value
    found = _kept(value)
    if top or "type" in value or not set(found) - {"description"}:
        pass
    _typed(found, value)
    _children(found)
    if top:
        _defs(found, value)
    return {key: found[key] for key in _ORDER if key in found}


def _kept(value: Mapping[str, JSON]) -> dict[str, JSON]:
    found: dict[str, JSON] = {
        key: value[key]
        for key in ("type", "description", "enum", "required", "$ref")
        if key in value
    }
    if "const" in value:
        found["enum"] = [value["const"]]
    if "items" in value:
        found["items"] = _schema(value["items"])
    if "minItems" in value:
        found["minItems"] = value["minItems"]
    properties = value.get("properties")
    if isinstance(properties, dict):
        found["properties"] = {
            name: _schema(properties[name]) for name in sorted(properties, key=str.encode)
        }
    if "additionalProperties" in value:
        more = value["additionalProperties"]
        found["additionalProperties"] = more if isinstance(more, bool) else _schema(more)
    for key in _COMBINERS:
        branches = value.get(key)
        if isinstance(branches, list):
            found[key] = [_schema(branch) for branch in branches]
    return found


def _typed(found: dict[str, JSON], value: Mapping[str, JSON]) -> None:
    """Add the type a schema without one is taken to have."""
    if "type" in found or any(key in found for key in (*_COMBINERS, "$ref")):
        return
    if {"properties", "required", "additionalProperties"} & found.keys():
        found["type"] = "object"
    elif "items" in found or "prefixItems" in value:
        found["type"] = "array"
    elif "enum" in found:
        found["type"] = "string"


def _children(found: dict[str, JSON]) -> None:
    """Add the children a type must have."""
    kind = found.get("type")
    kinds: Sequence[JSON] = kind if isinstance(kind, list) else [kind]
    if "object" in kinds:
        found.setdefault("properties", {})
    if "array" in kinds:
        found.setdefault("items", {"type": "string"})


def _defs(found: dict[str, JSON], value: dict[str, JSON]) -> None:
    for key in ("$defs", "definitions"):
        defs = value.get(key)
        if isinstance(defs, dict):
            used = {
                name: _schema(defs[name])
                for name in sorted(defs)
                if _refers(value, f"#/{key}/{name}")
            }
            if used:
                found[key] = used


def _refers(value: JSON, reference: str) -> bool:
    if isinstance(value, dict):
        return value.get("$ref") == reference or any(_refers(v, reference) for v in value.values())
    return isinstance(value, list) and any(_refers(item, reference) for item in value)


def _bare(value: JSON) -> JSON:
    """The schema without its descriptions."""
    if isinstance(value, list):
        return [_bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: (
            {name: _bare(inner) for name, inner in item.items()}
            if key in {"properties", "$defs", "definitions"} and isinstance(item, dict)
            else _bare(item)
        )
        for key, item in value.items()
        if key != "description"
    }
