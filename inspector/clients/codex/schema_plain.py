"""The schema of an MCP tool as older versions send it: one type, and what that type has.

Variant of 0.42 to 0.118; witness: the schemas of `mcp_schemas` (0.116). Of several types the first
counts, branches and enumerations are lost, integers are numbers.
"""

from collections.abc import Mapping

from inspector.clients.codex.schema import TYPES, Unreadable, implied
from inspector.jsontext import JSON, dumps, serde_number
from inspector.text import Origin, Raw, Value


def plain(schema: JSON, origin: Origin) -> Value:
    """The schema in that form; `Unreadable` for one whose tool the client leaves out."""
    if not isinstance(schema, dict):
        raise Unreadable
    whole = dict(schema)
    if whole.get("properties") is None:
        whole["properties"] = {}
    return Raw(dumps(_object(whole), number=serde_number), origin)


def _schema(value: JSON) -> JSON:
    if isinstance(value, bool):
        return {"type": "string"}
    if not isinstance(value, dict):
        raise Unreadable
    return _object(value)


def _object(value: Mapping[str, JSON]) -> dict[str, JSON]:
    kind = _kind(value)
    if kind == "object":
        return _of_object(value)
    made: dict[str, JSON] = {"type": "number" if kind == "integer" else kind}
    if kind == "array":
        made["items"] = _schema(value["items"]) if "items" in value else {"type": "string"}
    return made | _description(value)


def _of_object(value: Mapping[str, JSON]) -> dict[str, JSON]:
    """An object has no description of its own."""
    properties = value.get("properties", {})
    if not isinstance(properties, dict):
        raise Unreadable
    named = {name: _schema(properties[name]) for name in sorted(properties, key=str.encode)}
    made: dict[str, JSON] = {"type": "object", "properties": named}
    if value.get("required") is not None:
        made["required"] = value["required"]
    more = value.get("additionalProperties")
    if more is not None:
        made["additionalProperties"] = more if isinstance(more, bool) else _schema(more)
    return made


def _kind(value: Mapping[str, JSON]) -> str:
    given = value.get("type")
    if isinstance(given, str):
        if given not in TYPES or given == "null":
            raise Unreadable
        return given
    union = given if isinstance(given, list) else []
    found = next((kind for kind in union if isinstance(kind, str) and kind in _UNION), None)
    return found or implied(value) or "string"


_UNION = frozenset(TYPES) - {"null"}


def _description(value: Mapping[str, JSON]) -> dict[str, JSON]:
    said = value.get("description")
    if said is None:
        return {}
    if not isinstance(said, str):
        raise Unreadable
    return {"description": said}
