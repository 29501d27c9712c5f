"""The scoreboard: exact bodies first, then shares of what the workspace decides.

Rule: segment and byte shares leave out `tools` and static system text (system blocks that are
client prose or structure alone), and count a segment once per session however often it is sent.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from inspector import wire
from inspector.jsontext import Node
from inspector.segments import Prompt, Segment
from inspector.session import ExchangeKind
from inspector.text import Kind
from inspector.verify import Counts, RequestReport, SessionReport, compare
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
    segments_exact: int
    bytes: Counts
    """Bytes of the counted segments."""

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
        seen: set[str] = set()
        parent: Prompt | None = None
        for request in report.requests:
            if request.kind is not ExchangeKind.MAIN:
                continue
            self.bodies += 1
            self.exact += request.counts_as_exact
            self.checked += request.sha256_checked
            parent = wire.split(request.captured, parent=parent)
            self.request(request, parent, seen)

    def request(self, request: RequestReport, prompt: Prompt, seen: set[str]) -> None:
        judged = _Judged(request)
        for segment in prompt.segments:
            if segment.section == "tools" or segment.key in seen or judged.static(segment):
                continue
            seen.add(segment.key)
            counts = judged.counts(segment)
            self.segments += 1
            self.segments_exact += not (counts.adopted or counts.different)
            self.bytes += counts


class _Judged:
    """A request's segments as captured, with what was built at their places."""

    def __init__(self, request: RequestReport) -> None:
        self._pair: Pair | None = None
        self._seen: dict[str, tuple[int, int, Counts]] = {}
        if request.built is not None:
            self._pair = Pair(request.built, request.captured)
            compare(request.built, request.captured, request.before, seen=self._note)

    def _note(self, path: str, built: Node, _: Node, counts: Counts) -> None:
        self._seen[path] = built.start, built.end, counts

    def counts(self, segment: Segment) -> Counts:
        """The segment's bytes by class; where nothing was built they count against us."""
        if segment.path in self._seen:
            return self._seen[segment.path][2]
        if self._pair is None:
            return Counts(adopted=len(segment.raw))
        return Counts(different=len(segment.raw))

    def static(self, segment: Segment) -> bool:
        """Whether it is a system block of the client's own words alone."""
        if segment.section != "system" or self._pair is None or segment.path not in self._seen:
            return False
        start, end, _ = self._seen[segment.path]
        return all(run.origin.kind in _STATIC for run in self._pair.runs(start, end))
