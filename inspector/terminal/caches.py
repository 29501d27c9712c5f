"""What `cache` prints: one line a turn with a bar, then the findings."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict
from typing import TYPE_CHECKING

from inspector.cache import Turn
from inspector.errors import counted
from inspector.terminal import console, parted, table
from inspector.views.cached import Kept
from inspector.views.conversations import Aside, Judged

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 30


def judged(found: Judged, accepted: AbstractSet[tuple[str, str, str]] = frozenset()) -> None:
    """A line a turn: what can be read (█), what is written (▒), what is neither (·)."""
    out = console()
    report, origins = found.report, found.origins
    made = table(
        "#",
        "verdict",
        "bytes",
        "█ read ▒ written · not cached",
        "usage",
        "why",
        right=("#", "bytes"),
        free=("why",),
    )
    process = report.turns[0].process if report.turns else ""
    for number, turn in enumerate(report.turns, start=1):
        if turn.process != process:
            process = turn.process
            made.add("", "", "", "", "", "another run of the client goes on", style="dim")
        rule = f"{turn.change.rule}: " if turn.change is not None else ""
        size = turn.predicted.read + turn.predicted.write + turn.predicted.uncached
        made.add(
            str(number),
            turn.verdict,
            f"{size:,}",
            _bar(turn),
            _usage(turn),
            f"{rule}{turn.reason}",
            style="" if turn.change is None else "bold",
        )
    made.print(out)
    for note in report.notes:
        out.print(note, style="dim", markup=False)
    numbers = {turn.exchange: number for number, turn in enumerate(report.turns, start=1)}
    for finding in report.findings:
        place = f" {finding.path}" if finding.path else ""
        at = numbers[finding.exchange]
        source = origins.get(finding.exchange)
        told = f" ({parted.named(asdict(source))})" if source is not None else ""
        price = f" ({finding.cost.words})" if finding.cost is not None else ""
        line = f"{finding.severity} {finding.rule} #{at}{place}{told}: {finding.message}{price}"
        out.print(line, markup=False, soft_wrap=True)
    for item in found.aside:
        _beside(out, item)
    every = found.findings()
    old = sum(item.key in accepted for item in every)
    failing = sum(item.severity.fails and item.key not in accepted for item in every)
    line = f"{counted(len(every), 'finding')}, {failing} of them warnings"
    out.print(f"{line}; {old} accepted" if old else line, markup=False)


def _beside(out: "Console", item: Aside) -> None:
    """A line for a sub-agent's conversation or side requests of one kind, and its findings."""
    turns = item.report.turns
    read = sum(turn.predicted.read for turn in turns)
    sizes = (turn.predicted for turn in turns)
    whole = sum(part.read + part.write + part.uncached for part in sizes)
    line = f"{item.kind}: {counted(len(turns), 'request')}, {read:,} of {whole:,} bytes can be read"
    out.print(line, style="dim", markup=False)
    for finding in item.report.findings:
        place = f" {finding.path}" if finding.path else ""
        out.print(
            f"  {finding.severity} {finding.rule}{place}: {finding.message}",
            markup=False,
            soft_wrap=True,
        )


def outcomes(found: Sequence[Kept]) -> None:
    """A line a change: how much of the prefix it leaves, and what parts first."""
    made = table(
        "if",
        "kept",
        "of",
        "%",
        "first change",
        "why",
        right=("kept", "of", "%"),
        free=("first change", "why"),
    )
    for item in found:
        change = item.turn.change
        source = f" ({parted.named(asdict(item.source))})" if item.source is not None else ""
        made.add(
            item.name,
            f"{item.kept:,}",
            f"{item.whole:,}",
            f"{item.kept * 100 // max(item.whole, 1)}",
            f"{change.path}{source}" if change is not None else "-",
            f"{change.rule}: {change.words}" if change is not None else item.turn.reason,
        )
    made.print(console())


def _bar(turn: Turn) -> str:
    parts = turn.predicted.read, turn.predicted.write, turn.predicted.uncached
    whole = sum(parts) or 1
    read = parts[0] * WIDTH // whole
    both = (parts[0] + parts[1]) * WIDTH // whole
    return "█" * read + "▒" * (both - read) + "·" * (WIDTH - both)


def _usage(turn: Turn) -> str:
    if turn.usage is None:
        return "-"
    return f"{turn.usage.read:,} read, {turn.usage.write:,} written"
