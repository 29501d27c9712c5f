"""Every character of a rebuilt request has exactly one origin: no gap and no overlap in any string.

What the wire format itself says (`user`, `tool_result`, a tool's name) is structure: a string of it
stands whole without runs, and is one word.
"""

import re
from collections.abc import Iterable, Iterator

from inspector.jsontext import parse
from inspector.text import Built
from inspector.verify import places

_WORD = re.compile(r"[\w.:/$-]{1,50}")


def complaints(bodies: Iterable[Built]) -> Iterator[str]:
    """Strings whose runs do not stand one behind the other from end to end."""
    for number, body in enumerate(bodies, start=1):
        yield from (f"{number}: {said}" for said in _of_body(body))


def _of_body(body: Built) -> Iterator[str]:
    ends: dict[str, int] = {}
    for place in places(body):
        if place.start != ends.get(place.path, 0):
            yield f"{place.path}: {place.origin.name} starts at {place.start}, not where it should"
        ends[place.path] = place.end
    for path, node in parse(body.body).walk():
        words = node.string if node.kind == "string" else ""
        structure = path not in ends and _WORD.fullmatch(words)
        if words and not structure and ends.get(path, 0) != len(words):
            yield f"{path}: {ends.get(path, 0)} of {len(words)} characters have an origin"
