"""What `JSON.stringify(JSON.parse(text))` gives in JavaScript.

Witness: lab captures of Claude Code 2.1.332 (MCP schemas, echoed tool inputs) and node 20.
"""

import math
import re
from collections.abc import Iterable

from inspector.jsontext.values import dumps, loads

_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_INDEX = 2**32 - 2
_DECIMAL = re.compile(r"(\d)(?:\.(\d+))?e([+-]\d+)")


def javascript(text: str, *, drop_proto: bool = False) -> str:
    """JSON text as JavaScript writes it again.

    `drop_proto` loses `__proto__` members on the way, as an object copied key by key does
    (Claude Code loses them in MCP schemas; plain `JSON.parse` keeps them).
    """
    order = _order_without_proto if drop_proto else javascript_order
    return dumps(loads(text), number=javascript_number, order=order)


def javascript_order(keys: Iterable[str]) -> list[str]:
    """Keys in JavaScript's order: array indexes first and ascending, the rest as they came."""
    indexes: list[str] = []
    names: list[str] = []
    for key in keys:
        (indexes if _is_index(key) else names).append(key)
    return sorted(indexes, key=int) + names


def _order_without_proto(keys: Iterable[str]) -> list[str]:
    return [key for key in javascript_order(keys) if key != "__proto__"]


def _is_index(key: str) -> bool:
    return _INDEX.fullmatch(key) is not None and int(key) <= _LAST_INDEX


def javascript_number(text: str) -> str:
    """A number's text as JavaScript writes the double nearest to it."""
    number = float(text)
    if math.isinf(number):
        return "null"
    if number == 0:
        return "0"
    # Python and JavaScript both write the shortest digits that read back as the same double;
    # only the notation differs: JavaScript uses an exponent from 1e21 and below 1e-6.
    digits, exponent = _shortest(abs(number))
    sign = "-" if number < 0 else ""
    return sign + _notation(digits, exponent)


def _shortest(number: float) -> tuple[str, int]:
    """The significant digits, and the place of the decimal point relative to their start."""
    match = _DECIMAL.fullmatch(f"{number!r}")
    if match:
        return (match[1] + (match[2] or "")).rstrip("0"), int(match[3]) + 1
    whole, _, fraction = repr(number).partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) if whole != "0" else len(digits) - len(fraction)
    return digits.rstrip("0"), point


def _notation(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    exponent = point - 1
    mantissa = digits[0] + (f".{digits[1:]}" if count > 1 else "")
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
