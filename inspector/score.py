"""The scoreboard: exact bodies first, then shares of what the workspace decides.

Rule: segment and byte shares leave out `tools` and static system text (system blocks that are
client prose or structure alone), and count a segment once per session however often it is sent. It
is exact when nothing differs at or under it any time it is sent; what was built and not sent counts
as segments that are not exact.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inspector import wire
from inspector.jsontext import Node
from inspector.segments import Prompt, Segment
from inspector.session import ExchangeKind
from inspector.text import Kind
from inspector.verify import Counts, Difference, RequestReport, SessionReport, compare
from inspector.verify.pair import Pair

_STATIC = frozenset({Kind.KNOWN, Kind.LITERAL, Kind.STRUCTURE, Kind.MASK})


@dataclass(frozen=True, slots=True)
class Row:
    """One client, version and route."""

    client: str
    version: str
    route: str
    bodies: int
    """Main requests."""
    exact: int
    """Of these the exact ones, without any that hold `transcript` or `file-not-kept` bytes."""
    sha256_checked: int
    segments: int
    """Distinct segments sent, and those built that were not sent."""
    segments_exact: int
    bytes: Counts
    """Bytes of the counted segments as sent."""

    @property
    def segments_exact_percent(self) -> float:
        """Share of counted segments that are exact, rounded down to a tenth."""
        return self.segments_exact * 1000 // self.segments / 10 if self.segments else 0.0


def score(reports: Iterable[SessionReport]) -> tuple[Row, ...]:
    """The rows over sessions, in order of client, version and route."""
    sums: dict[tuple[str, str, str], _Sum] = {}
    for report in reports:
        key = report.client, report.version, report.route
        sums.setdefault(key, _Sum()).session(report)
    return tuple(_row(key, sums[key]) for key in sorted(sums))


def _row(key: tuple[str, str, str], total: "_Sum") -> Row:
    return Row(
        *key,
        bodies=total.bodies,
        exact=total.exact,
        sha256_checked=total.checked,
        segments=total.segments,
        segments_exact=total.segments_exact,
        bytes=total.bytes,
    )


@dataclass(slots=True)
class _Sum:
    bodies: int = 0
    exact: int = 0
    checked: int = 0
    segments: int = 0
    segments_exact: int = 0
    bytes: Counts = field(default_factory=Counts)

    def session(self, report: SessionReport) -> None:
        found: dict[str, _Tally] = {}
        parent: Prompt | None = None
        for request in report.requests:
            if request.kind is not ExchangeKind.MAIN:
                continue
            self.bodies += 1
            self.exact += request.counts_as_exact
            self.checked += request.sha256_checked
            parent = wire.split(request.captured, parent=parent)
            for key, tally in _Judged(request, parent).tallies():
                if key not in found or (found[key].exact and not tally.exact):
                    found[key] = tally
        for tally in found.values():
            self.segments += 1
            self.segments_exact += tally.exact
            self.bytes += tally.counts


@dataclass(frozen=True, slots=True)
class _Tally:
    """What became of one segment."""

    exact: bool
    counts: Counts


class _Judged:
    """A request's segments as captured, with what was built at their places."""

    def __init__(self, request: RequestReport, prompt: Prompt) -> None:
        self._prompt = prompt
        self._pair: Pair | None = None
        self._seen: dict[str, tuple[int, int, Counts]] = {}
        self._differences: list[Difference] = []
        self._built: tuple[Segment, ...] = ()
        if request.built is not None:
            self._pair = Pair(request.built, request.captured)
            compared = compare(request.built, request.captured, request.before, seen=self._note)
            self._differences += compared.differences
            self._built = wire.split(compared.filled.body).segments
        self._hidden = any(item.verdict == "sha256" for item in request.comparison.differences)
        """Whether the bodies differ somewhere that the comparison did not see."""

    def _note(self, path: str, built: Node, _: Node, counts: Counts) -> None:
        self._seen[path] = built.start, built.end, counts

    def tallies(self) -> Iterator[tuple[str, _Tally]]:
        """Every segment that counts, by key: those sent, then those only built."""
        added = [item for item in self._differences if self._adds_segments(item)]
        wrong = [item.path for item in self._differences if item not in added]
        whole = [_element(path) for path in wrong if self._in_no_segment(path)]
        for segment in self._prompt.segments:
            if segment.section != "tools" and not self._static(segment):
                counts = self._counts(segment)
                at_fault = any(_within(path, segment.path) for path in wrong)
                at_fault |= any(_within(segment.path, path) for path in whole)
                exact = not (counts.adopted or counts.different or at_fault or self._hidden)
                yield segment.key, _Tally(exact, counts)
        for segment in self._built:
            extra = any(_within(segment.path, item.path) for item in added)
            if extra and segment.section != "tools":
                yield f"built:{segment.key}", _Tally(exact=False, counts=Counts())

    def _adds_segments(self, difference: Difference) -> bool:
        """Whether a difference is whole segments that were built and not sent."""
        path = difference.path
        extra = difference.verdict == "extra" and path.rpartition("/")[2].isdigit()
        return extra and any(_within(segment.path, path) for segment in self._built)

    def _in_no_segment(self, path: str) -> bool:
        """Whether a difference is in the frame of a message (its role, its members' order)."""
        return path.count("/") > 1 and not any(
            _within(path, segment.path) for segment in self._prompt.segments
        )

    def _counts(self, segment: Segment) -> Counts:
        """The segment's bytes by class; where nothing was built they count against us."""
        if segment.path in self._seen:
            return self._seen[segment.path][2]
        if self._pair is None:
            return Counts(adopted=len(segment.raw))
        return Counts(different=len(segment.raw))

    def _static(self, segment: Segment) -> bool:
        """Whether it is a system block of the client's own words alone."""
        if segment.section != "system" or self._pair is None or segment.path not in self._seen:
            return False
        start, end, _ = self._seen[segment.path]
        return all(run.origin.kind in _STATIC for run in self._pair.runs(start, end))


def _element(path: str) -> str:
    """The array element a path leads into, such as a message."""
    return "/".join(path.split("/")[:3])


def _within(path: str, outer: str) -> bool:
    return f"{path}/".startswith(f"{outer}/")
