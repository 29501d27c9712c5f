"""What changed between two prompts: segments by key first, then inside a changed pair."""

from inspector.diff.change import BENIGN, Change
from inspector.diff.compared import (
    Compared,
    Side,
    compare,
    diff,
)
from inspector.diff.spans import Edit, edits
from inspector.diff.tokens import BYTES_PER_TOKEN, Rate, calibrated

__all__ = [
    "BENIGN",
    "BYTES_PER_TOKEN",
    "Change",
    "Compared",
    "Edit",
    "Rate",
    "Side",
    "calibrated",
    "compare",
    "diff",
    "edits",
]
