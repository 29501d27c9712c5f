"""Findings as GitHub shows them beside the lines of a change (workflow commands)."""

from collections.abc import Iterable, Iterator

from inspector.lint.finding import Finding, Severity

_LEVELS = {Severity.INFO: "notice", Severity.WARNING: "warning", Severity.ERROR: "error"}


def annotations(found: Iterable[Finding]) -> Iterator[str]:
    """One workflow command a finding; what would end a field early is escaped."""
    for item in found:
        file = "" if item.path.startswith("request ") else item.path
        fields = {"file": file, "line": item.line, "title": item.rule}
        given = ",".join(f"{key}={_field(str(value))}" for key, value in fields.items() if value)
        yield f"::{_LEVELS[item.severity]} {given}::{_text(item.message)}"


def _text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _field(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
