"""`paths:` of rules and skills: what the values mean and which files they match."""

import re
from collections.abc import Sequence

from inspector.clients.claude_code.ignored import ignores
from inspector.clients.claude_code.javascript import trim_string
from inspector.clients.claude_code.plain import is_list, items

_BRACES = re.compile(r"\A([^{\n]*)\{([^}]+)\}(.*)\Z")
_MOST = 1000
_TURNS = re.compile(r"(?:!(?!\())*")
_CLASS = re.compile(r"(\\.)|\[([^][\\/*+?.^${}(|)-]+)\]", re.DOTALL)
_BRACKETED = re.compile(r"(\\.)|\[!", re.DOTALL)


def patterns(value: object) -> tuple[str, ...] | None:
    """The patterns of a `paths:` value; None where it sets no condition."""
    if not value:
        return None
    found = [item.removesuffix("/**") for item in expanded(value)]
    found = [item for item in found if item]
    return None if all(item == "**" for item in found) else tuple(found)


def matches(globs: Sequence[str], path: str, base: str) -> bool:
    """Whether a file below `base` matches, gitignore style and without regard to case."""
    root = base.rstrip("/") + "/"
    return path.startswith(root) and ignores(globs, path[len(root) :])


def picomatch(pattern: str, path: str) -> bool:
    """Whether a whole absolute path matches a glob (`dot: true`)."""
    from wcmatch import glob

    if pattern == path:
        return True
    turns = _TURNS.match(pattern.removeprefix("./"))
    assert turns is not None
    plain = pattern.removeprefix("./")[turns.end() :].removeprefix("./")
    # A plain class also stands for itself; within brackets an exclamation mark is a letter.
    plain = _CLASS.sub(lambda found: found[1] or f"@(\\[{found[2]}\\]|[{found[2]}])", plain)
    plain = _BRACKETED.sub(lambda found: found[1] or "[\\!", plain)
    flags = glob.GLOBSTAR | glob.EXTGLOB | glob.BRACE | glob.DOTGLOB | glob.FORCEUNIX
    # Two stars at the end stand for nothing, too.
    plains = {plain, plain.removesuffix("/**")} - {""}
    found = bool(plains) and glob.globmatch(path, sorted(plains), flags=flags)
    return found is (len(turns[0]) % 2 == 0)


def expanded(value: object) -> list[str]:
    """The patterns of a value: lists and commas split, braces opened."""
    if is_list(value):
        return [item for entry in items(value) for item in expanded(entry)]
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
    return [item for part in out if part for item in _braces(part)]


def _braces(pattern: str) -> list[str]:
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
