"""What is wrong with rules, skills and servers before anything is sent: `inspector lint`."""

from inspector.lint.baseline import Accepted, accepted, split, written
from inspector.lint.finding import Finding, Severity
from inspector.lint.github import annotations
from inspector.lint.rules import lint, merged
from inspector.lint.sarif import sarif
from inspector.lint.surveyed import Surveyed

__all__ = [
    "Accepted",
    "Finding",
    "Severity",
    "Surveyed",
    "accepted",
    "annotations",
    "lint",
    "merged",
    "sarif",
    "split",
    "written",
]
