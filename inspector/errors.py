"""The errors a caller may want to catch.

    InspectorError            one line for the user, exit 2
    ├── BadInput              a file, argument or value that cannot be used as given
    ├── NothingCaptured       a run ended without one model call, exit 3
    └── NotKept               a path that the snapshot does not hold

Programmer errors stay builtins (`ValueError`, `TypeError`, `assert`).
"""


def counted(number: int, noun: str) -> str:
    """A number and its noun, for a line a person reads."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def reason(error: BaseException) -> str:
    """What went wrong, in words for whoever is no programmer: without the name of its class."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    words = " ".join(str(error).split())[:500] or "no reason was given"
    return f"{words} is missing" if isinstance(error, KeyError) else words


class InspectorError(Exception):
    """Base of all errors that end a command with one line: the thing, the fact, what to do."""

    exit_code = 2


class BadInput(InspectorError):
    """An input that cannot be read as what it was given for."""


class NothingCaptured(InspectorError):
    """A client ran, and no model call was seen."""

    exit_code = 3


class NotKept(InspectorError):
    """A snapshot was asked for a path it never looked at."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path}: not in the snapshot; capture again with this path in reach")
        self.path = path


def yaml_reason(error: Exception, before: int = 0) -> str:
    """What is wrong with a YAML text, and in which line; `before` lines stand in front of it."""
    from yaml import MarkedYAMLError

    if not isinstance(error, MarkedYAMLError):
        return " ".join(str(error).split())[:200]
    # A scalar that never ends is told by where it begins.
    begun = error.context_mark if "scanning" in (error.context or "") else None
    mark = begun or error.problem_mark or error.context_mark
    words = ", ".join(part for part in (error.context, error.problem) if part)
    return f"line {mark.line + 1 + before}: {words}" if mark else words
