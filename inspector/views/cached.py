"""The document of `cache`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Protocol

from inspector.cache import Report, Turn
from inspector.views.changes import Source


def document(report: Report, origins: Mapping[str, Source]) -> dict[str, Any]:
    """The document of `cache`."""
    return {
        "upstream": report.upstream,
        "turns": [_turn(turn, origins.get(turn.exchange)) for turn in report.turns],
        "findings": [asdict(finding) for finding in report.findings],
        "notes": list(report.notes),
    }


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
    }
