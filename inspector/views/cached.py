"""The document of `cache`."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict
from typing import Any, Protocol

from inspector.cache import Finding, Turn
from inspector.views.changes import Source
from inspector.views.conversations import Judged


def document(
    judged: Judged, accepted: AbstractSet[tuple[str, str, str]] = frozenset()
) -> dict[str, Any]:
    """The document of `cache`; `accepted`: keys of findings that a baseline names."""
    report = judged.report
    return {
        "upstream": report.upstream,
        "turns": [_turn(turn, judged.origins.get(turn.exchange)) for turn in report.turns],
        "findings": [_finding(judged, item, accepted) for item in report.findings],
        "notes": list(report.notes),
        "aside": [
            {
                "kind": item.kind,
                "turns": [_turn(turn, None) for turn in item.report.turns],
                "findings": [asdict(finding) for finding in item.report.findings],
            }
            for item in judged.aside
        ],
    }


def _finding(
    judged: Judged, finding: Finding, accepted: AbstractSet[tuple[str, str, str]]
) -> dict[str, Any]:
    known = judged.finding(finding).key in accepted
    return {**asdict(finding), **({"accepted": True} if known else {})}


class Kept(Protocol):
    """What a change outside the conversation leaves of the prefix."""

    @property
    def name(self) -> str:
        """What people call the change."""
        ...

    @property
    def turn(self) -> Turn:
        """The request after it."""
        ...

    @property
    def source(self) -> Source | None:
        """Where what parts first comes from."""
        ...

    @property
    def kept(self) -> int:
        """Bytes that can be read."""
        ...

    @property
    def whole(self) -> int:
        """Bytes of the request."""
        ...


def outcomes(found: Sequence[Kept]) -> dict[str, Any]:
    """The document of `cache --workspace`."""
    return {
        "changes": [
            {
                "change": item.name,
                "kept_bytes": item.kept,
                "bytes": item.whole,
                **_turn(item.turn, item.source),
            }
            for item in found
        ]
    }


def _turn(turn: Turn, origin: Source | None) -> dict[str, Any]:
    change = turn.change
    return {
        "exchange": turn.exchange,
        "verdict": turn.verdict,
        "reason": turn.reason,
        "prefix_segments": turn.prefix_positions,
        "prefix_bytes": turn.prefix_bytes,
        "first_change": None
        if change is None
        else {
            "path": change.path,
            "origin": origin.label if origin is not None else None,
            "line": origin.line if origin is not None else None,
            "cause": change.rule,
        },
        "predicted": asdict(turn.predicted),
        "usage": None if turn.usage is None else asdict(turn.usage),
        "marks": list(turn.marks),
        "segments": turn.size,
        "process": turn.process,
    }
