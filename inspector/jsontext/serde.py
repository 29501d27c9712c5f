"""What Rust's serde_json writes after parsing, with number text kept (`arbitrary_precision`).

Witness: lab captures of Codex 0.171.0 (MCP schemas, structured results).
"""

import re
from decimal import Decimal

from inspector.jsontext.values import JSON, dumps, loads

_DEEPEST = 127
_INTEGER = re.compile(r"-?\d+")
_PLAIN = -5
"""The last exponent that is written out, where Python writes none."""
# A surrogate is written as an escape only when it is alone.
_LONE = re.compile(r"(?<!\\)(?:\\\\)*\\ud[89a-f]")


def serde(text: str) -> str:
    """JSON text as serde_json writes it again, keys in their order.

    `ValueError` for what it refuses: a lone surrogate, and more than 127 levels.
    """
    value = loads(text)
    _refuse_deep(value)
    written = dumps(value, number=serde_number)
    if _LONE.search(written):
        raise ValueError("serde refuses a lone surrogate")
    return written


def serde_number(text: str) -> str:
    """A number's text as serde_json keeps it: `1E3` gains `e+`, `-0` loses its sign."""
    if text == "-0":
        return "0"
    mantissa, mark, exponent = text.replace("E", "e").partition("e")
    if not mark or exponent[0] in "+-":
        return mantissa + mark + exponent
    return f"{mantissa}e+{exponent}"


def double_number(text: str) -> str:
    """A number's text as serde_json writes it that keeps doubles: `1e3` becomes `1000.0`."""
    if _INTEGER.fullmatch(text) and text != "-0" and -(2**63) <= int(text) < 2**64:
        return text
    mantissa, mark, exponent = repr(float(text)).partition("e")
    if not mark:
        return mantissa
    if int(exponent) == _PLAIN:
        return f"{Decimal(mantissa).scaleb(_PLAIN):f}"
    return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}"


def _refuse_deep(value: JSON) -> None:
    level: list[JSON] = [value]
    for _ in range(_DEEPEST):
        level = [below for item in level for below in _below(item)]
        if not level:
            return
    if any(isinstance(item, dict | list) for item in level):
        raise ValueError(f"serde refuses more than {_DEEPEST} levels")


def _below(item: JSON) -> list[JSON]:
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []
