"""Why a file of the user's is not in the request: facts for `explain`, the same for every kind."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One file or entry that did not land."""

    kind: str
    """`rule`, `skill`, `command`, `agent` …"""
    name: str
    """What the user would call it."""
    path: str
    reason: str
    """One clause, without the path."""
