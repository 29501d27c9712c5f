"""What a test says when the cached prefix moved, and when it may."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from inspector.cache import Finding
    from inspector.lint.finding import Finding as Told
    from inspector.views.conversations import Judged


class PrefixMoved(AssertionError):
    """The cached prefix is not what it was; the text says where, why, and what it costs."""


def reason_of(marker: pytest.Mark) -> str:
    """Why a test moves the prefix; empty where nobody said it."""
    given = marker.kwargs.get("reason", marker.args[0] if marker.args else "")
    return given.strip() if isinstance(given, str) else ""


def check(
    judged: "Judged", baseline: Path | None = None, reason: str = "", *, strict: bool = False
) -> None:
    """Raise where a finding is new; with a `reason`, where there is none. Raises `PrefixMoved`.

    `strict`: a break of which only a contested fact is known counts, too.
    """
    new = _new(judged, baseline, strict=strict)
    if reason and not new:
        raise PrefixMoved(f"marked to move the cached prefix ({reason}), and nothing moves it")
    if new and not reason:
        raise PrefixMoved("\n\n".join(_told(judged, *pair) for pair in new))


def _new(judged: "Judged", baseline: Path | None, *, strict: bool) -> "list[tuple[Finding, Told]]":
    from inspector.cli import baselines

    breaks = {turn.change.rule for turn in judged.report.turns if turn.change is not None}
    every = [(item, judged.finding(item)) for item in judged.report.findings]
    pairs = [
        (item, told)
        for item, told in every
        if told.severity.fails or (strict and item.rule in breaks)
    ]
    kept = {item.key for item in baselines.split([told for _, told in pairs], baseline, None)[0]}
    return [(item, told) for item, told in pairs if told.key in kept]


def _told(judged: "Judged", finding: "Finding", told: "Told") -> str:
    from inspector.cache.parting import parting

    turns = judged.report.turns
    at = [turn.exchange for turn in turns].index(finding.exchange)
    prompts = {sent.exchange: sent.prompt for sent in judged.sent}
    change = turns[at].change
    place = None
    if change is not None and change.rule == finding.rule and at:
        old, new = (prompts[turns[number].exchange] for number in (at - 1, at))
        place = parting(old, new, change)
    source = judged.origins.get(finding.exchange)
    file = told.path if not told.path.startswith("request") else source.label if source else ""
    rows = [
        ("request", f"{at + 1} of {len(turns)} ({finding.exchange})"),
        ("path", finding.path),
        ("byte", f"{place.offset:,}" if place is not None else ""),
        ("before", place.before if place is not None else ""),
        ("now", place.now if place is not None else ""),
        ("source", f"{file}:{told.line}" if told.line else file),
        ("cause", f"{finding.rule}: {finding.message}"),
        ("cost", finding.cost.words if finding.cost is not None else "no price is known"),
        (
            "accept",
            f'@pytest.mark.moves_cache_prefix(reason="…"), or in the baseline: {_entry(told)}',
        ),
    ]
    lines = (f"  {name:<8} {value}" for name, value in rows if value)
    return "\n".join((f"the cached prefix moved: {finding.rule}", *lines))


def _entry(told: "Told") -> str:
    name = f", name: {told.name}" if told.name else ""
    return f"{{rule: {told.rule}, path: {told.path}{name}, reason: …}}"
