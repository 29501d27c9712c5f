"""How far a built body is from a captured one: what one has more, in any order within a member.

Strategy: both are bags of lines and strings. A comparison calls a text of 9,000 characters
different for one; here only the line that is missing counts, so that each right step shows.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping

from inspector.jsontext import parse

_CUT = re.compile(rb'\\n|"')
_SEALED = re.compile(rb'("?)\xe2\x9f\xa6sha256:([0-9a-f]{64}) \d+\xe2\x9f\xa7("?)')


def bag(body: bytes) -> Counter[tuple[str, bytes]]:
    """The lines and strings of a body, by the member they stand in."""
    members = parse(body).members
    return Counter((one.name, piece) for one in members for piece in _CUT.split(one.value.raw))


def spelled(body: bytes, words: Mapping[str, str]) -> bytes:
    """A built body with the client's texts in it, where their words are at hand."""

    def said(found: re.Match[bytes]) -> bytes:
        text = words.get(found[2].decode())
        if text is None:
            return found[0]
        if found[1] and found[3] and text[:1] in {"{", "["}:
            return text.encode("utf-8", "surrogatepass")
        inside = json.dumps(text, ensure_ascii=False)[1:-1]
        return found[1] + inside.encode("utf-8", "surrogatepass") + found[3]

    return _SEALED.sub(said, body)


def distance(built: bytes, captured: Counter[tuple[str, bytes]], words: Mapping[str, str]) -> int:
    """Characters that only one of two bodies has."""
    ours = bag(spelled(built, words))
    alone = (ours - captured) + (captured - ours)
    return sum(len(piece) * count for (_, piece), count in alone.items())
