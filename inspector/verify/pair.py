"""A built and a captured body side by side, and the way from a byte to its origin."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from inspector.jsontext import Node
from inspector.text import Built, Kind, Known, Origin, Run
from inspector.verify import leaf
from inspector.verify.ledger import Counts, Difference, KnownSpan, Ledger

type Seen = Callable[[str, Node, Node, Counts], None]
"""Called with path, both nodes and counted bytes of every value a comparison has walked."""


@dataclass(slots=True)
class Pair:
    """Two bodies that are compared; nodes are spans into one of them."""

    built: Built
    captured: bytes
    seen: Seen | None = None
    """While set, equal containers are walked too."""
    _starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._starts = [run.start for run in self.built.runs]

    def unseen(self) -> "Pair":
        """The same two bodies, for a trial nobody hears of."""
        return Pair(self.built, self.captured)

    def runs(self, start: int, end: int) -> Sequence[Run]:
        """The runs that touch a stretch of the built body."""
        runs = self.built.runs
        first = bisect_right(self._starts, start)
        if first and runs[first - 1].end > start:
            first -= 1
        last = first
        while last < len(runs) and runs[last].start < end:
            last += 1
        return runs[first:last]

    def origin_at(self, offset: int) -> Origin | None:
        """The origin of a byte of the built body; None for structure."""
        runs = self.runs(offset, offset + 1)
        return runs[0].origin if runs else None

    def main_origin(self, node: Node) -> Origin | None:
        """The origin of the longest run in a built value."""
        runs = self.runs(node.start, node.end)
        return max(runs, key=lambda run: run.end - run.start).origin if runs else None

    def equal(self, start: int, end: int, captured: int, ledger: Ledger) -> None:
        """Count a stretch of built bytes that stands in the capture as it is, and copy it."""
        if ledger.trying:
            return
        shift, done = captured - start, start
        for run in self.runs(start, end):
            low, high = max(run.start, start), min(run.end, end)
            ledger.count_origin(None, low - done)
            ledger.count_origin(run.origin, high - low)
            if isinstance(run.origin, Known) and start <= run.start and run.end <= end:
                span = KnownSpan(low + shift, high + shift, run.origin, run.sealed)
                ledger.known.append(span)
            done = high
        ledger.count_origin(None, end - done)
        self.copy(start, end, ledger)

    def copy(self, start: int, end: int, ledger: Ledger) -> None:
        """Put a stretch of the built body into the filled one, with its origins."""
        if ledger.trying:
            return
        body, done = self.built.body, start
        for run in self.runs(start, end):
            low, high = max(run.start, start), min(run.end, end)
            ledger.emit(body[done:low])
            at = run.at + _points(body[run.start : low])
            if run.origin.kind is Kind.ADOPTED:
                ledger.emit(f"⟦adopted {high - low}⟧".encode(), run.origin, at)
            else:
                ledger.emit(body[low:high], run.origin, at, sealed=run.sealed)
            done = high
        ledger.emit(body[done:end])

    def changed(
        self, path: str, built: Node, captured: Node, ledger: Ledger, verdict: str = "changed"
    ) -> None:
        """Note two values that are not equal, whole."""
        ledger.unequal()
        excerpts = excerpt(built.raw), excerpt(captured.raw)
        origin = self.origin_at(built.start) or self.main_origin(built)
        difference = Difference(path, verdict, origin, 0, *excerpts)
        ledger.differ(difference, captured.end - captured.start)
        self.copy(built.start, built.end, ledger)


def any_kind(runs: Iterable[Run], *kinds: Kind) -> bool:
    """Whether some run has one of these origins."""
    return any(run.origin.kind in kinds for run in runs)


def excerpt(raw: bytes) -> str:
    """The start of a raw value, for people."""
    return raw[: leaf.EXCERPT * 4].decode("utf-8", "replace")[: leaf.EXCERPT]


def _points(raw: bytes) -> int:
    return len(raw.decode("utf-8", "replace"))
