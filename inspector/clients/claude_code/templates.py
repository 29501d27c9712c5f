"""Reading a wire literal backwards: what stands in its holes."""

import re
from functools import cache

_HOLE = re.compile(r"\{(\w+)\}")


def holes(template: str, string: str) -> dict[str, str] | None:
    """What a text has in a template's holes; None where it is no such text."""
    match = _expression(template).fullmatch(string)
    return match.groupdict() if match else None


@cache
def _expression(template: str) -> re.Pattern[str]:
    parts: list[str] = []
    done = 0
    for match in _HOLE.finditer(template):
        parts += [re.escape(template[done : match.start()]), f"(?P<{match[1]}>.*?)"]
        done = match.end()
    return re.compile("".join(parts) + re.escape(template[done:]), re.DOTALL)
