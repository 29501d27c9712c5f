"""Reading the client's own sentences: what a text has in the holes of a profile's template.

Only the holes leave this module; the builder writes the template's words from the profile, so
that a word the client changed is never copied.
"""

import re
from functools import cache

_HOLE = re.compile(r"\{([a-z_]+)\}")
_SHAPES = {
    "chunk": "[0-9a-f]{6}",
    "seconds": r"[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?",
    "code": "-?[0-9]+",
    "session": "[0-9]+",
    "cell": "[0-9]+",
    "count": "[0-9]+",
    "lines": "[0-9]+",
    "gone": "[0-9]+",
}


def holes(template: str, string: str) -> dict[str, str] | None:
    """What a text has in a template's holes; None where it is no such text."""
    match = _expression(template).fullmatch(string)
    return None if match is None else match.groupdict()


def start(template: str, string: str) -> tuple[dict[str, str], str] | None:
    """The same for a text that begins with the template, and what follows."""
    match = _expression(template).match(string)
    return None if match is None else (match.groupdict(), string[match.end() :])


def search(template: str, string: str) -> tuple[str, dict[str, str], str] | None:
    """The same for the first place in a text where the template stands: before, holes, after."""
    match = _expression(template).search(string)
    if match is None:
        return None
    return string[: match.start()], match.groupdict(), string[match.end() :]


@cache
def _expression(template: str) -> re.Pattern[str]:
    parts: list[str] = []
    done = 0
    for match in _HOLE.finditer(template):
        name = match[1]
        parts.append(re.escape(template[done : match.start()]))
        # A second hole of the same name holds the same text.
        again = f"(?P<{name}>" in "".join(parts)
        parts.append(f"(?P={name})" if again else f"(?P<{name}>{_SHAPES.get(name, '.*?')})")
        done = match.end()
    parts.append(re.escape(template[done:]))
    return re.compile("".join(parts), re.DOTALL)
