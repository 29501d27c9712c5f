"""Plain JSON and YAML values of somebody else's files, read without trust."""

from collections.abc import Iterable
from typing import Any, cast


def mapping(value: object) -> dict[str, Any]:
    """The value, if it is an object; else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """The value, if it is a list; else an empty one."""
    return list(cast("Iterable[Any]", value)) if isinstance(value, list) else []


def is_mapping(value: object) -> bool:
    """Whether the value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> bool:
    """Whether the value is a list."""
    return isinstance(value, list)
