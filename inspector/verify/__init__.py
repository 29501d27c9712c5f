"""Honest numbers: every byte of a captured request in exactly one class."""

from inspector.verify.compare import compare
from inspector.verify.headers import HeaderReport
from inspector.verify.ledger import Comparison, Counts, Difference, KnownSpan, MaskState
from inspector.verify.origins import Place, places
from inspector.verify.report import Carried, RequestReport, SessionReport
from inspector.verify.session import Again, Comparing, Trees, verify

__all__ = [
    "Again",
    "Carried",
    "Comparing",
    "Comparison",
    "Counts",
    "Difference",
    "HeaderReport",
    "KnownSpan",
    "MaskState",
    "Place",
    "RequestReport",
    "SessionReport",
    "Trees",
    "compare",
    "places",
    "verify",
]
