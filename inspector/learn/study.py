"""Making a profile from probes: start from a known one, look where it differs, learn, look again.

Strategy: every captured request is built with the profile so far. Where the two part, the origins
of the built text say which value of the profile stands there; the captured text says what it should
be. Behaviour is chosen by building with every value that any known profile has.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector import profiles
from inspector.learn.draft import Axes, Draft, Key
from inspector.learn.harvest import harvest_session
from inspector.learn.lesson import Lesson, Unlearned
from inspector.learn.look import lessons_of
from inspector.profiles import resolve
from inspector.session import ExchangeKind, Recording
from inspector.shelves import shelved
from inspector.verify import Carried, RequestReport, SessionReport, Trees, verify

MOST_ROUNDS = 12
MOST_SINGLE = 40
"""Lessons tried one by one where together they make things worse."""
MOST_TRIED = 4
"""Sessions a switch is tried on."""
_PLACE = 40
"""What a place that differs weighs beside its bytes."""
WORKSPACES = 3
"""Unlike workspaces that a text must be equal on (design 5)."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One captured session of a probe."""

    label: str
    workspace: str
    held: bool
    axes: Axes
    recording: Recording


@dataclass(slots=True)
class Study:
    """The profile of one client version while it is learned."""

    client: str
    version: str
    samples: Sequence[Sample]
    trees: Trees
    draft: Draft
    words: dict[str, str] = field(default_factory=dict[str, str])
    """Words by digest: those known before, and those learned."""
    seen: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Workspaces that a text was learned on, by digest."""
    taught: dict[Key, dict[str, tuple[Axes, Any]]] = field(
        default_factory=dict[Key, dict[str, tuple[Axes, Any]]]
    )
    """What was learned so far, by key and point: a point that fits now must go on fitting."""

    def learn(self) -> None:
        """Learn until nothing gets better."""
        learned = [sample for sample in self.samples if not sample.held]
        reports = self.reports(self.draft, learned)
        for report in reports.values():
            self.words |= harvest_session(report)
        for _ in range(MOST_ROUNDS):
            if not any(map(wrong, reports.values())):
                return
            better = self._round(learned, reports) or self._choices(learned, reports)
            if better is None:
                return
            reports = better

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
                out[session.id] = verify(sample.recording, {}, self.trees, earlier)
        return out

    def profile_of(self, draft: Draft, axes: Axes) -> profiles.Profile:
        """The draft's values at one point."""
        with shelved({f"{self.client}/{self.version}": draft.document()}):
            return resolve(profiles.find(self.client, self.version), axes)

    def thin(self) -> Iterator[str]:
        """Texts that were seen on fewer unlike workspaces than a digest in the package needs."""
        for digest, found in self.seen.items():
            if len(found) < WORKSPACES:
                yield digest

    def _round(
        self, samples: Sequence[Sample], reports: Mapping[str, SessionReport]
    ) -> dict[str, SessionReport] | None:
        lessons = self.lessons(samples, reports)
        if not lessons:
            return None
        together = self.draft.copy()
        for key, found in lessons.items():
            together.set(self._values(key, found), key)
        after = self.reports(together, samples)
        if cost(after) < cost(reports):
            self._keep(together, [one for found in lessons.values() for one in found])
            return after
        return self._singly(samples, reports, lessons)

    def _singly(
        self,
        samples: Sequence[Sample],
        reports: Mapping[str, SessionReport],
        lessons: Mapping[Key, list[Lesson]],
    ) -> dict[str, SessionReport] | None:
        few = _few([one for one in samples if wrong(_of(reports, one))], reports)[:MOST_TRIED]
        least = cost({one.recording.session.id: _of(reports, one) for one in few})
        draft, kept = self.draft, list[Lesson]()
        for key, found in list(lessons.items())[:MOST_SINGLE]:
            trial = draft.copy()
            trial.set(self._values(key, found), key)
            worth = cost(self.reports(trial, few))
            if worth < least:
                least, draft = worth, trial
                kept += found
        return self._settled(samples, reports, draft, kept)

    def _settled(
        self,
        samples: Sequence[Sample],
        reports: Mapping[str, SessionReport],
        draft: Draft,
        lessons: Sequence[Lesson],
    ) -> dict[str, SessionReport] | None:
        """What was better on a few sessions is kept where it is on all."""
        if draft is self.draft:
            return None
        after = self.reports(draft, samples)
        if cost(after) >= cost(reports):
            return None
        self._keep(draft, lessons)
        return after

    def _values(self, key: Key, lessons: Sequence[Lesson]) -> list[tuple[Axes, Any]]:
        """The values of a key at every point that ever taught it."""
        return list({**self.taught.get(key, {}), **_by_point(lessons)}.values())

    def _keep(self, draft: Draft, lessons: Sequence[Lesson]) -> None:
        self.draft = draft
        for key in {lesson.key for lesson in lessons}:
            found = [lesson for lesson in lessons if lesson.key == key]
            self.taught.setdefault(key, {}).update(_by_point(found))
        for lesson in lessons:
            if lesson.words is not None:
                digest = lesson.value["sha256"]
                self.words[digest] = lesson.words
                self.seen.setdefault(digest, set()).add(lesson.workspace)

    def lessons(
        self, samples: Sequence[Sample], reports: Mapping[str, SessionReport]
    ) -> dict[Key, list[Lesson]]:
        """What all sessions teach, by key; a point that teaches two values for one teaches none."""
        found: dict[Key, list[Lesson]] = {}
        resolved: dict[str, profiles.Profile] = {}
        for sample in samples:
            report = reports[sample.recording.session.id]
            if not wrong(report):
                continue
            label = _label(sample.axes)
            if label not in resolved:
                resolved[label] = self.profile_of(self.draft, sample.axes)
            profile, recording = resolved[label], sample.recording
            for lesson in lessons_of(self._point(sample), self.draft, profile, report, recording):
                if not any(own in _spelled(lesson) for own in _own(recording)):
                    found.setdefault(lesson.key, []).append(lesson)
        return found

    def _point(self, sample: Sample) -> tuple[Axes, str, Mapping[str, str]]:
        return sample.axes, sample.workspace, self.words

    def _choices(
        self, samples: Sequence[Sample], reports: Mapping[str, SessionReport]
    ) -> dict[str, SessionReport] | None:
        """Try every value of every switch where something differs; the best is kept."""
        troubled = [one for one in samples if wrong(reports[one.recording.session.id])]
        few = _few(troubled, reports)[:MOST_TRIED]
        before = {one.recording.session.id: reports[one.recording.session.id] for one in few}
        least, draft = cost(before), self.draft
        for key, value in self._candidates():
            points = [one.axes for one in troubled if draft.get(one.axes, key) != value]
            if not points:
                continue
            trial = draft.copy()
            trial.set([(axes, value) for axes in points], key)
            worth = cost(self.reports(trial, few))
            if worth < least:
                least, draft = worth, trial
        return self._settled(samples, reports, draft, ())

    def _candidates(self) -> Iterator[tuple[Key, Any]]:
        """Every switch, region and marked role with every value a known profile has for it."""
        seen: dict[Key, list[Any]] = {}
        for key, value in _known(self.client):
            if value not in seen.setdefault(key, []):
                seen[key].append(value)
        for key, values in seen.items():
            if len(values) > 1:
                for value in values:
                    yield key, value


def _known(client: str) -> Iterator[tuple[Key, Any]]:
    """The switches of all known profiles, and what else the builder can do."""
    for name, regions in profiles.CHOICES.items():
        for region in regions:
            yield ("regions", name), region
    for version in profiles.names(client):
        for document in profiles.layers(client, version):
            yield from _switches(document.get("base", {}))
            for overlay in document.get("overlays", ()):
                yield from _switches(overlay["set"])


def _switches(values: Mapping[str, Any]) -> Iterator[tuple[Key, Any]]:
    for section in ("switches", "regions"):
        for name, value in values.get(section, {}).items():
            yield (section, name), value
    if "marked" in values.get("lists", {}):
        yield ("lists", "marked"), values["lists"]["marked"]


def _few(samples: Sequence[Sample], reports: Mapping[str, SessionReport]) -> list[Sample]:
    """A sample for each way to differ, and what it resumes."""
    out: dict[str, Sample] = {}
    for sample in samples:
        for request in main(reports[sample.recording.session.id]):
            for item in request.comparison.differences:
                out.setdefault(f"{item.verdict} {item.path.count('/')} {item.origin}", sample)
    chosen = {sample.recording.session.continues for sample in out.values()}
    earlier = [one for one in samples if one.recording.session.id in chosen]
    return list({one.recording.session.id: one for one in [*earlier, *out.values()]}.values())


def _by_point(lessons: Sequence[Lesson]) -> dict[str, tuple[Axes, Any]]:
    """One value a point, the one most of its requests teach."""
    votes: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        votes.setdefault(_label(lesson.axes), []).append(lesson)
    out: dict[str, tuple[Axes, Any]] = {}
    for label, found in votes.items():
        counted = [repr(one.value) for one in found]
        best = max(found, key=lambda one: counted.count(repr(one.value)))
        out[label] = best.axes, best.value
    return out


def _label(axes: Axes) -> str:
    return repr(sorted(axes.items()))


def _spelled(lesson: Lesson) -> str:
    """The words a lesson would put into the profile."""
    if lesson.words is not None:
        return lesson.words
    return lesson.value if isinstance(lesson.value, str) else ""


def _own(recording: Recording) -> tuple[str, ...]:
    """Words of the workspace and the day, which are never a client's own."""
    snapshot = recording.snapshot
    if snapshot is None:
        return ()
    around = snapshot.environment
    return tuple(filter(None, (around.cwd, around.home, around.temp, around.date)))


def _of(reports: Mapping[str, SessionReport], sample: Sample) -> SessionReport:
    return reports[sample.recording.session.id]


def main(report: SessionReport) -> list[RequestReport]:
    """The requests of the main conversation."""
    return [one for one in report.requests if one.kind is ExchangeKind.MAIN]


def wrong(report: SessionReport) -> bool:
    """Whether a request's body or headers differ."""
    return any(not one.exact or one.headers.different for one in main(report))


def cost(reports: Mapping[str, SessionReport]) -> int:
    """How far the built requests are from the captured ones."""
    total = 0
    for report in reports.values():
        for one in main(report):
            counts = one.comparison.counts
            total += counts.different + counts.adopted + _PLACE * len(one.comparison.differences)
            total += sum(
                len(item.built) for item in one.comparison.differences if item.verdict == "extra"
            )
            total += _PLACE * len(one.headers.different)
    return total


def unlearned(reports: Mapping[str, SessionReport]) -> Iterator[Unlearned]:
    """The places that still differ."""
    for report in reports.values():
        for one in main(report):
            for item in one.comparison.differences:
                origin = item.origin
                reason = f"{item.verdict}: {origin.kind}:{origin.name}" if origin else item.verdict
                yield Unlearned(item.path, reason, item.built, item.captured)
