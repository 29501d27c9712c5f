"""Rebuilding captured sessions with a draft, and how far what is built is from what was sent."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector import profiles
from inspector.learn.distance import bag, distance
from inspector.learn.draft import Axes, Draft
from inspector.profiles import resolve
from inspector.session import ExchangeKind, Recording
from inspector.shelves import shelved
from inspector.verify import Carried, Compared, RequestReport, SessionReport, Trees, verify

_PLACE = 40
"""What a place that differs weighs beside its characters."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One captured session of a probe."""

    label: str
    workspace: str
    held: bool
    axes: Axes
    recording: Recording


@dataclass(slots=True)
class Bench:
    """Captured sessions of one client version, and the profile they are rebuilt with."""

    client: str
    version: str
    samples: Sequence[Sample]
    trees: Trees
    draft: Draft
    words: dict[str, str] = field(default_factory=dict[str, str])
    """Words by digest: those known before, and those learned."""
    _compared: Compared = field(default_factory=dict[Any, Any])
    _bags: dict[str, Counter[tuple[str, bytes]]] = field(default_factory=dict[str, Any])
    _distances: dict[tuple[str, bytes], int] = field(default_factory=dict[tuple[str, bytes], int])

    def reports(self, draft: Draft, samples: Sequence[Sample]) -> dict[str, SessionReport]:
        """Every session rebuilt with a draft, by session."""
        return self.rebuilt(draft.document(), samples)

    def rebuilt(
        self, document: Mapping[str, Any], samples: Sequence[Sample]
    ) -> dict[str, SessionReport]:
        """Every session rebuilt with a profile, by session."""
        shelf = {f"{self.client}/{self.version}": document}
        out: dict[str, SessionReport] = {}
        with shelved(shelf):
            for sample in samples:
                session = sample.recording.session
                earlier: Carried | None = None
                if session.continues in out:
                    earlier = out[session.continues].carried
                recording = sample.recording
                out[session.id] = verify(
                    recording, {}, self.trees, earlier, compared=self._compared
                )
        return out

    def profile_of(self, draft: Draft, axes: Axes) -> profiles.Profile:
        """The draft's values at one point."""
        with shelved({f"{self.client}/{self.version}": draft.document()}):
            return resolve(profiles.find(self.client, self.version), axes)

    def costs(self, reports: Mapping[str, SessionReport], samples: Sequence[Sample]) -> int:
        """How far those of some sessions are."""
        return self.cost({one.recording.session.id: of(reports, one) for one in samples})

    def cost(self, reports: Mapping[str, SessionReport]) -> int:
        """How far the built requests are from the captured ones."""
        total = 0
        for report in reports.values():
            for one in main(report):
                places = len(one.comparison.differences) + len(one.headers.different)
                total += _PLACE * places + (self._distance(one) if not one.exact else 0)
        return total

    def _distance(self, one: RequestReport) -> int:
        if one.built is None:
            return 2 * len(one.captured)
        key = one.exchange, one.built.body
        if key not in self._distances:
            if one.exchange not in self._bags:
                self._bags[one.exchange] = bag(one.captured)
            self._distances[key] = distance(one.built.body, self._bags[one.exchange], self.words)
        return self._distances[key]


def of(reports: Mapping[str, SessionReport], sample: Sample) -> SessionReport:
    """The report of a sample's session."""
    return reports[sample.recording.session.id]


def bodies(report: SessionReport) -> list[tuple[bytes, object]]:
    """What was built, with its headers."""
    return [(one.built.body, one.built.headers) for one in main(report) if one.built is not None]


def main(report: SessionReport) -> list[RequestReport]:
    """The requests of the main conversation."""
    return [one for one in report.requests if one.kind is ExchangeKind.MAIN]


def wrong(report: SessionReport) -> bool:
    """Whether a request's body or headers differ."""
    return any(not one.exact or one.headers.different for one in main(report))
