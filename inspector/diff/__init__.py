"""What changed between two prompts: segments by key first, then inside a changed pair."""

from inspector.diff.change import BENIGN, Change
from inspector.diff.compared import (
    BYTES_PER_TOKEN,
    Compared,
    Side,
    compare,
    diff,
)
from inspector.diff.spans import Edit, edits

__all__ = [
    "BENIGN",
    "BYTES_PER_TOKEN",
    "Change",
    "Compared",
    "Edit",
    "Side",
    "compare",
    "diff",
    "edits",
]
