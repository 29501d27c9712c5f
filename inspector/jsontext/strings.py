"""JSON strings: quoting as JavaScript and serde do, unquoting with lone surrogates kept."""

import json
import re

_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}
_ESCAPED = re.compile('["\\\\\x00-\x1f\ud800-\udfff]')
_SURROGATE = re.compile("[\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def quote(string: str) -> str:
    """Write a string as JavaScript's `JSON.stringify` and serde do: raw UTF-8, few escapes.

    A lone surrogate is written as an escape (JavaScript; serde cannot hold one).
    """
    return '"' + _ESCAPED.sub(_escape, paired(string)) + '"'


def unquote(raw: str) -> str:
    """Read a JSON string, quotes included; a lone surrogate stays one."""
    if "\\" not in raw:
        return raw[1:-1]
    string: str = json.loads(raw)
    return string


def paired(string: str) -> str:
    """Join two surrogates that meet (two escapes, two chunks) into the character they spell."""
    return _PAIR.sub(_join, string)


def escape_lone(text: str) -> str:
    """JSON text with lone surrogates written as escapes, so that it can be encoded."""
    return _SURROGATE.sub(_escape, paired(text))


def _join(match: re.Match[str]) -> str:
    high, low = map(ord, match[0])
    return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return _ESCAPES.get(char) or f"\\u{ord(char):04x}"
