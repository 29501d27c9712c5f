"""Findings that a team has accepted, each with its reason; what is new still fails."""

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from inspector.errors import BadInput
from inspector.lint.finding import Finding

_FIELDS = ("rule", "path", "name", "reason")
TO_WRITE = "say why this is accepted"


class Accepted(BaseModel):
    """One entry of a baseline."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    rule: str
    path: str
    """Relative to the working directory where it stands below it."""
    name: str = ""
    reason: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What it accepts."""
        return self.rule, self.path, self.name


class _Baseline(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    accepted: list[Accepted]


def accepted(loaded: object, source: str) -> list[Accepted]:
    """The entries of a baseline as YAML gave it. Raises `BadInput`."""
    try:
        entries = _Baseline.model_validate(loaded).accepted
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "all of it"
        raise BadInput(f"{source}: {place}: {first['msg']}; see docs/lint.md") from error
    for entry in entries:
        if not entry.reason.strip() or entry.reason == TO_WRITE:
            raise BadInput(f"{source}: {entry.rule} {entry.path}: no reason; say why")
    return entries


def split(
    found: Iterable[Finding], baseline: Sequence[Accepted]
) -> tuple[list[Finding], list[Finding], list[Accepted]]:
    """New findings, accepted ones, and entries that hold for nothing any more; paths relative."""
    known = {entry.key for entry in baseline}
    new: list[Finding] = []
    old: list[Finding] = []
    for item in found:
        (old if item.key in known else new).append(item)
    gone = {item.key for item in old}
    return new, old, [entry for entry in baseline if entry.key not in gone]


def written(found: Iterable[Finding], baseline: Sequence[Accepted]) -> dict[str, Any]:
    """A baseline that accepts all of it, reasons kept; new entries have theirs to be written."""
    reasons = {entry.key: entry.reason for entry in baseline}
    failing = {item.key: item for item in found if item.severity.fails}
    return {
        "accepted": [
            dict(zip(_FIELDS, (*key, reasons.get(key, TO_WRITE)), strict=True)) for key in failing
        ]
    }
