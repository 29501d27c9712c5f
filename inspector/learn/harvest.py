"""Learning from captures: the words of client texts that a profile names by digest."""

import hashlib

from inspector.text import Known
from inspector.verify import Comparison, SessionReport
from inspector.verify.leaf import decode


def harvest(comparison: Comparison, captured: bytes) -> dict[str, str]:
    """The client texts a raw capture holds, by digest; each was checked against its digest."""
    found: dict[str, str] = {}
    for span in comparison.known_spans:
        if not span.sealed:
            found[span.known.sha256] = _words(span.known, captured[span.start : span.end])
    return found


def harvest_session(report: SessionReport) -> dict[str, str]:
    """The client texts that a session's raw requests hold, by digest."""
    found: dict[str, str] = {}
    for request in report.requests:
        found |= harvest(request.comparison, request.captured)
    return found


def _words(known: Known, raw: bytes) -> str:
    """A whole JSON value by its raw form, as its digest covers it; else a string's decoded text."""
    if hashlib.sha256(raw).hexdigest() == known.sha256:
        return raw.decode("utf-8", "surrogatepass")
    return decode(raw)
