"""Matching requests by meaning: which recorded request is this, or which come near and why not."""

from inspector.match.requests import Expected, Found, Nearest, differences, find, held
from inspector.match.terms import Terms, changing
from inspector.match.texts import Span
from inspector.match.values import Difference

__all__ = [
    "Difference",
    "Expected",
    "Found",
    "Nearest",
    "Span",
    "Terms",
    "changing",
    "differences",
    "find",
    "held",
]
