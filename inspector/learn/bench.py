"""Rebuilding captured sessions with a draft, and how far what is built is from what was sent.

Strategy: of each session the last few rebuilds are kept, with the values of the profile that each
of them read. A draft that has the same ones brings the same requests, so nothing is built again.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from inspector import profiles
from inspector.learn.distance import bag, distance
from inspector.learn.draft import Axes, Draft, Key
from inspector.learn.noted import Reads
from inspector.profiles import Profile, resolve
from inspector.session import Exchange, ExchangeKind, Recording
from inspector.shelves import shelved
from inspector.text import Built, Run
from inspector.verify import (
    Again,
    Carried,
    Comparing,
    Comparison,
    MaskState,
    RequestReport,
    SessionReport,
    Trees,
    compare,
    verify,
)

PLACE = 40
"""What a place that differs weighs beside its characters."""
SLACK = 400
"""How much farther off a session may come to stand at first, ids that are masked among it."""
_KEPT = 6
"""Rebuilds of a session that are kept."""

type _Compared = dict[tuple[str, bytes, tuple[Run, ...], frozenset[tuple[str, str]]], Comparison]


@dataclass(frozen=True, slots=True)
class Sample:
    """One captured session of a probe."""

    label: str
    workspace: str
    held: bool
    axes: Axes
    recording: Recording

    @property
    def session(self) -> str:
        """The session's id."""
        return self.recording.session.id


@dataclass(frozen=True, slots=True)
class _Rebuilt:
    """A session rebuilt with a profile, and what that depended on."""

    reads: Reads
    earlier: Carried | None
    document: object
    """The draft, where the builder looked at the whole profile."""
    report: SessionReport

    def holds(self, profile: Profile, earlier: Carried | None, draft: object) -> bool:
        """Whether it would be the same again."""
        told = self.document is None or self.document is draft
        return told and self.earlier is earlier and self.reads.same(profile)


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
    _kept: dict[str, list[_Rebuilt]] = field(default_factory=dict[str, list[_Rebuilt]])
    _compared: _Compared = field(default_factory=dict[Any, Any])
    _bags: dict[str, Counter[tuple[str, bytes]]] = field(default_factory=dict[str, Any])
    _distances: dict[tuple[str, bytes], int] = field(default_factory=dict[tuple[str, bytes], int])

    def reports(self, draft: Draft, samples: Sequence[Sample]) -> dict[str, SessionReport]:
        """Every session rebuilt with a draft, by session."""
        out: dict[str, SessionReport] = {}
        for sample in samples:
            earlier = out.get(sample.recording.session.continues or "")
            carried = earlier.carried if earlier else None
            out[sample.session] = self._rebuilt(draft, sample, carried, self.compare)
        return out

    def tried(
        self, draft: Draft, samples: Sequence[Sample], before: Mapping[str, SessionReport]
    ) -> dict[str, SessionReport]:
        """The same, without the sessions that come to stand farther off than they were."""
        out: dict[str, SessionReport] = {}
        here = {sample.session for sample in samples}
        for sample in samples:
            name, continues = sample.session, sample.recording.session.continues or ""
            if continues in here and continues not in out:
                continue
            carried = out[continues].carried if continues in out else None
            nearer = _Nearer(self, {one.exchange: self.weight(one) for one in main(before[name])})
            with suppress(_Farther):
                out[name] = self._rebuilt(draft, sample, carried, nearer)
        return out

    def rebuilt(
        self, document: Mapping[str, Any], samples: Sequence[Sample]
    ) -> dict[str, SessionReport]:
        """Every session rebuilt with a profile as it is kept, by session."""
        out: dict[str, SessionReport] = {}
        with shelved({f"{self.client}/{self.version}": document}):
            for sample in samples:
                earlier = out.get(sample.recording.session.continues or "")
                carried = earlier.carried if earlier else None
                out[sample.session] = verify(sample.recording, {}, self.trees, carried)
        return out

    def read(self, report: SessionReport, keys: Sequence[Key]) -> bool:
        """Whether one of some values was read for a session; where that is not known, it may be."""
        kept = self._kept.get(report.session, ())
        found = next((one for one in kept if one.report is report), None)
        return found is None or found.document is not None or found.reads.any_of(keys)

    def _rebuilt(
        self, draft: Draft, sample: Sample, earlier: Carried | None, comparing: Comparing
    ) -> SessionReport:
        profile = self.profile_of(draft, sample.axes)
        kept = self._kept.setdefault(sample.session, [])
        for one in kept:
            if one.holds(profile, earlier, draft):
                return one.report
        reads, shelf = Reads(profile), _Asked(f"{self.client}/{self.version}", draft)
        with shelved(shelf):
            again = Again(reads.profile, comparing)
            report = verify(sample.recording, {}, self.trees, earlier, again=again)
        kept.insert(0, _Rebuilt(reads, earlier, draft if shelf.asked else None, report))
        del kept[_KEPT:]
        return report

    def profile_of(self, draft: Draft, axes: Axes) -> Profile:
        """The draft's values at one point."""
        label = repr(sorted(axes.items()))
        if label not in draft.resolved:
            draft.resolved[label] = self._amended(draft, axes) or self._whole(draft, axes)
        return draft.resolved[label]

    def _whole(self, draft: Draft, axes: Axes) -> Profile:
        with shelved({f"{self.client}/{self.version}": draft.document()}):
            return resolve(profiles.find(self.client, self.version), axes)

    def _amended(self, draft: Draft, axes: Axes) -> Profile | None:
        """The parent's values with those that were set; None where that is not all of it."""
        if draft.parent is None:
            return None
        changed: dict[str, dict[str, Any]] = {}
        for key in draft.since:
            section, name, *inside = key
            if inside or section == "values" or (section == "lists" and draft.edited(name)):
                return None
            changed.setdefault(section, {})[name] = draft.get(axes, key)
        parent = self.profile_of(draft.parent, axes)
        given = {"client": parent.client, "version": parent.version, **changed}
        more = Profile.model_validate(given, strict=False)
        update = {name: {**getattr(parent, name), **getattr(more, name)} for name in changed}
        return parent.model_copy(update=update)

    def costs(self, reports: Mapping[str, SessionReport], samples: Sequence[Sample]) -> int:
        """How far those of some sessions are."""
        return self.cost({one.session: of(reports, one) for one in samples})

    def cost(self, reports: Mapping[str, SessionReport]) -> int:
        """How far the built requests are from the captured ones."""
        return sum(self.weight(one) for report in reports.values() for one in main(report))

    def weight(self, one: RequestReport) -> int:
        """How far one request is."""
        places = len(one.comparison.differences) + len(one.headers.different)
        return PLACE * places + (0 if one.exact else self._far(one))

    def _far(self, one: RequestReport) -> int:
        if one.built is None:
            return 2 * len(one.captured)
        return self.distance(one.exchange, one.built.body, one.captured)

    def distance(self, exchange: str, built: bytes, captured: bytes) -> int:
        """Characters that only the built or the captured body has."""
        key = exchange, built
        if key not in self._distances:
            if exchange not in self._bags:
                self._bags[exchange] = bag(captured)
            self._distances[key] = distance(built, self._bags[exchange], self.words)
        return self._distances[key]

    def compare(
        self, exchange: Exchange, built: Built, captured: bytes, masks: MaskState
    ) -> Comparison:
        """A comparison, made once."""
        key = (exchange.id, built.body, built.runs, frozenset(masks.items()))
        if key not in self._compared:
            self._compared[key] = compare(built, captured, masks)
        return self._compared[key]


class _Farther(Exception):
    """What is built of a session stands farther off than before."""


@dataclass(slots=True)
class _Nearer:
    """Compares requests as long as what is built of a session is no farther off than it was."""

    bench: Bench
    before: Mapping[str, int]
    """How far each request was."""
    left: int = SLACK

    def __call__(
        self, exchange: Exchange, built: Built, captured: bytes, masks: MaskState
    ) -> Comparison:
        """Raises `_Farther` before it compares much for nothing."""
        counted = exchange.kind is ExchangeKind.MAIN
        far = self.bench.distance(exchange.id, built.body, captured) if counted else 0
        self.left += self.before.get(exchange.id, 0)
        if far > self.left:
            raise _Farther
        found = self.bench.compare(exchange, built, captured, masks)
        if counted and not found.equal:
            self.left -= far + PLACE * len(found.differences)
        if self.left < 0:
            raise _Farther
        return found


class _Asked(Mapping[str, Mapping[str, Any]]):
    """A shelf with a draft on it that knows whether somebody took it."""

    def __init__(self, name: str, draft: Draft) -> None:
        self._name, self._draft = name, draft
        self.asked = False

    def __getitem__(self, name: str) -> Mapping[str, Any]:
        if name != self._name:
            raise KeyError(name)
        self.asked = True
        return self._draft.document()

    def __iter__(self) -> Iterator[str]:
        return iter((self._name,))

    def __len__(self) -> int:
        return 1


def of(reports: Mapping[str, SessionReport], sample: Sample) -> SessionReport:
    """The report of a sample's session."""
    return reports[sample.session]


def bodies(report: SessionReport) -> list[tuple[bytes, object]]:
    """What was built, with its headers."""
    return [(one.built.body, one.built.headers) for one in main(report) if one.built is not None]


def main(report: SessionReport) -> list[RequestReport]:
    """The requests of the main conversation."""
    return [one for one in report.requests if one.kind is ExchangeKind.MAIN]


def wrong(report: SessionReport) -> bool:
    """Whether a request's body or headers differ."""
    return any(not one.exact or one.headers.different for one in main(report))
