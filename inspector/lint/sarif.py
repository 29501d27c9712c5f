"""Findings as SARIF 2.1.0 (OASIS), which code hosts read."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from inspector.lint.finding import Finding, Severity

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_NO_FILE = ("mcp ", "request ")
_LEVELS = {Severity.INFO: "note", Severity.WARNING: "warning", Severity.ERROR: "error"}


def sarif(found: Iterable[Finding], version: str, about: Mapping[str, str]) -> dict[str, Any]:
    """One run of the tool; `version` is ours, `about` says of each rule what it means."""
    every = list(found)
    rules = sorted({item.rule for item in every})
    described = [
        {"id": rule, "shortDescription": {"text": about.get(rule, rule)}} for rule in rules
    ]
    driver = {
        "name": "inspector",
        "semanticVersion": version,
        "rules": described,
    }
    results = [_result(item, rules.index(item.rule)) for item in every]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(item: Finding, index: int) -> dict[str, Any]:
    key = "\n".join(item.key)
    return {
        "ruleId": item.rule,
        "ruleIndex": index,
        "level": _LEVELS[item.severity],
        "message": {"text": item.message},
        "locations": [_location(item)],
        "partialFingerprints": {"finding/v1": sha256(key.encode()).hexdigest()},
        "properties": {"clientVersions": [*item.versions]},
    }


def _location(item: Finding) -> dict[str, Any]:
    if item.path.startswith(_NO_FILE):
        return {"logicalLocations": [{"fullyQualifiedName": item.path, "kind": "module"}]}
    uri = quote(item.path) if not item.path.startswith("/") else f"file://{quote(item.path)}"
    region = {"region": {"startLine": item.line}} if item.line else {}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, **region}}
