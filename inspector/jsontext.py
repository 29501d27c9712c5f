"""JSON as text: spans, and the two encoders the clients have (JavaScript's and serde's)."""

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


def quote(string: str) -> str:
    """Write a string as JavaScript's `JSON.stringify` and serde do: raw UTF-8, few escapes.

    A lone surrogate is written as an escape (JavaScript; serde cannot hold one).
    """
    return '"' + _ESCAPED.sub(_escape, string) + '"'


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return _ESCAPES.get(char) or f"\\u{ord(char):04x}"
