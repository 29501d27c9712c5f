"""JSON from outside, read leniently: what is not of the kind asked for counts as absent."""

import json
from collections.abc import Mapping
from typing import Any, cast

from inspector.jsontext import read

type Json = Mapping[str, Any]


def table(value: object) -> Json:
    """The value as an object; an empty one for anything else."""
    return cast("Json", value) if isinstance(value, dict) else {}


def tables(value: object) -> list[Json]:
    """The objects in a list."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def strings(value: object, default: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The strings in a list; the default for anything else."""
    if not isinstance(value, list):
        return default
    return tuple(item for item in cast("list[object]", value) if isinstance(item, str))


def parsed(raw: bytes | str) -> Json:
    """The object a JSON text spells; an empty one for anything else."""
    try:
        return table(read(raw))
    except ValueError:
        return {}


def word(value: object) -> str:
    """The value as a string; an empty one for anything else."""
    return value if isinstance(value, str) else ""


def compact(value: object) -> str:
    """JSON text without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
