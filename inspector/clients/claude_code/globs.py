"""`paths:` of rules and skills: what the values mean and which files they match."""

import re
from collections.abc import Sequence
from functools import cache
from re import Pattern

from inspector.clients.claude_code.javascript import trim_string
from inspector.clients.claude_code.plain import is_list, items

_BRACES = re.compile(r"\A([^{\n]*)\{([^}]+)\}(.*)\Z")
_MOST = 1000


def patterns(value: object) -> tuple[str, ...] | None:
    """The patterns of a `paths:` value; None where it sets no condition."""
    if not value:
        return None
    found = [item.removesuffix("/**") for item in _items(value)]
    found = [item for item in found if item]
    return None if all(item == "**" for item in found) else tuple(found)


def matches(globs: Sequence[str], path: str, base: str) -> bool:
    """Whether a file below `base` matches, gitignore style and without regard to case."""
    from pathspec import GitIgnoreSpec

    if not path.startswith(base.rstrip("/") + "/"):
        return False
    relative = path[len(base.rstrip("/")) + 1 :]
    return GitIgnoreSpec.from_lines(glob.lower() for glob in globs).match_file(relative.lower())


def picomatch(pattern: str, path: str) -> bool:
    """Whether a whole absolute path matches a glob (`dot: true`)."""
    plain = pattern.removeprefix("!")
    found = any(_picomatch(item).fullmatch(path) is not None for item in _expanded(plain))
    return found is (plain == pattern)


@cache
def _picomatch(pattern: str) -> Pattern[str]:
    out, index = "", 0
    while index < len(pattern):
        if pattern.startswith("**/", index):
            out, index = out + "(?:.*/)?", index + 3
        elif pattern.startswith("**", index):
            out, index = out + ".*", index + 2
        elif pattern[index] == "[" and "]" in pattern[index:]:
            end = pattern.index("]", index)
            out, index = out + pattern[index : end + 1].replace("[!", "[^"), end + 1
        elif pattern[index] in "*?":
            out, index = out + ("[^/]*" if pattern[index] == "*" else "[^/]"), index + 1
        else:
            out, index = out + re.escape(pattern[index]), index + 1
    return re.compile(out, re.DOTALL)


def _items(value: object) -> list[str]:
    if is_list(value):
        return [item for entry in items(value) for item in _items(entry)]
    if not isinstance(value, str):
        return []
    out: list[str] = []
    current, depth = "", 0
    for char in value:
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            out.append(trim_string(current))
            current = ""
        else:
            current += char
    out.append(trim_string(current))
    return [item for part in out if part for item in _expanded(part)]


def _expanded(pattern: str) -> list[str]:
    if "{" not in pattern:
        return [pattern]
    out: list[str] = []
    left = [pattern]
    while left:
        item = left.pop()
        match = _BRACES.match(item)
        if match is None:
            out.append(item)
            continue
        middle = [trim_string(part) for part in match[2].split(",")]
        if len(out) + len(left) + len(middle) > _MOST:
            return [pattern]
        left.extend(match[1] + part + match[3] for part in reversed(middle))
    return out
