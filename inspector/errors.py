"""The errors a caller may want to catch.

    InspectorError            one line for the user, exit 2
    ├── BadInput              a file, argument or value that cannot be used as given
    ├── NothingCaptured       a run ended without one model call, exit 3
    └── NotKept               a path that the snapshot does not hold

Programmer errors stay builtins (`ValueError`, `TypeError`, `assert`).
"""


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
