"""Making a profile from probes: start from a known one, look where it differs, learn, look again.

Strategy: every captured request is built with the profile so far. Where the two part, the origins
of the built text say which value of the profile stands there; the captured text says what it should
be. Behaviour is chosen by building with every value that any known profile has.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector import profiles
from inspector.learn.bench import Sample, main, of, wrong
from inspector.learn.choosing import MOST_TRIED, Chooser, a_few, spot
from inspector.learn.draft import Axes, Draft, Key
from inspector.learn.harvest import harvest_session
from inspector.learn.lesson import Lesson, Unlearned
from inspector.learn.look import lessons_of
from inspector.learn.spotted import spotted
from inspector.session import Recording
from inspector.text import Known
from inspector.verify import SessionReport, places

MOST_ROUNDS = 16
MOST_SINGLE = 40
"""Lessons tried one by one where together they make things worse."""
WORKSPACES = 3
"""Unlike workspaces that a text must be equal on (design 5)."""


@dataclass(slots=True)
class Study(Chooser):
    """The profile of one client version while it is learned."""

    seen: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Workspaces that a text was learned on, by digest."""
    taught: dict[Key, dict[str, Axes]] = field(default_factory=dict[Key, dict[str, Axes]])
    """Points that taught a key, by key: one that fits now must go on fitting."""
    prompts: dict[str, str] = field(default_factory=dict[str, str])
    """New texts of the system prompt, by name."""

    def learn(self) -> None:
        """Learn until nothing gets better: what the default model is sent first, then all."""
        learned = [sample for sample in self.samples if not sample.held]
        usual = [sample for sample in learned if sample.axes.get("model") == "default"]
        for some in (usual, learned):
            self._learn(some)
        self.witness(learned, self.reports(self.draft, learned))

    def witness(self, samples: Sequence[Sample], reports: Mapping[str, SessionReport]) -> None:
        """Note the workspaces of exact requests: each learned text in them was equal there, too."""
        for sample in samples:
            for one in main(of(reports, sample)):
                if one.exact and one.built is not None:
                    digests = {
                        place.origin.sha256
                        for place in places(one.built)
                        if isinstance(place.origin, Known)
                    }
                    for digest in digests & self.seen.keys():
                        self.seen[digest].add(sample.workspace)

    def _learn(self, samples: Sequence[Sample]) -> None:
        reports = self.start(samples)
        for _ in range(MOST_ROUNDS):
            if not any(map(wrong, reports.values())):
                return
            better = (
                self._round(samples, reports)
                or self.chosen(samples, reports)
                or self._round(samples, reports, weak=True)
            )
            if better is None:
                return
            reports = better

    def start(self, samples: Sequence[Sample]) -> dict[str, SessionReport]:
        """Every session rebuilt with the draft as it is; words that it names are noted."""
        reports = self.reports(self.draft, samples)
        for report in reports.values():
            self.words |= harvest_session(report)
        sent = [main(report)[-1].captured for report in reports.values() if main(report)]
        self.words |= spotted(sent, self.draft.texts())
        return reports

    def thin(self) -> Iterator[str]:
        """Texts that were seen on fewer unlike workspaces than a digest in the package needs."""
        for digest, found in self.seen.items():
            if len(found) < WORKSPACES:
                yield digest

    def _round(
        self,
        samples: Sequence[Sample],
        reports: Mapping[str, SessionReport],
        *,
        weak: bool = False,
    ) -> dict[str, SessionReport] | None:
        every = self.lessons(samples, reports).items()
        lessons = {key: [one for one in some if weak or not one.weak] for key, some in every}
        lessons = {key: some for key, some in lessons.items() if some}
        if not lessons:
            return None
        together = self.draft.copy()
        for key, found in lessons.items():
            together.set(self._values(key, found), key)
        after = self.reports(together, samples)
        if self.cost(after) < self.cost(reports):
            self._keep(together, [one for found in lessons.values() for one in found])
            return after
        return self._singly(samples, reports, lessons)

    def _singly(
        self,
        samples: Sequence[Sample],
        reports: Mapping[str, SessionReport],
        lessons: Mapping[Key, list[Lesson]],
    ) -> dict[str, SessionReport] | None:
        some = a_few([one for one in samples if wrong(of(reports, one))], reports)[:MOST_TRIED]
        least = self.costs(reports, some)
        draft, kept = self.draft, list[Lesson]()
        for key, found in list(lessons.items())[:MOST_SINGLE]:
            for values in (self._values(key, found), self._apart(samples, draft, key, found)):
                trial = draft.copy()
                trial.set(values, key)
                worth = self.cost(self.reports(trial, some))
                if worth < least:
                    least, draft = worth, trial
                    kept += found
                    break
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
        if self.cost(after) >= self.cost(reports):
            return None
        self._keep(draft, lessons)
        return after

    def _values(self, key: Key, lessons: Sequence[Lesson]) -> list[tuple[Axes, Any]]:
        """The values of a key at every point that ever taught it."""
        taught = self.taught.get(key, {})
        now = {label: (axes, self.draft.get(axes, key)) for label, axes in taught.items()}
        return list({**now, **_by_point(lessons)}.values())

    def _apart(
        self, samples: Sequence[Sample], draft: Draft, key: Key, lessons: Sequence[Lesson]
    ) -> list[tuple[Axes, Any]]:
        """The same, and that all other points keep theirs."""
        every = {spot(one.axes): one.axes for one in samples}
        now = {label: (axes, draft.get(axes, key)) for label, axes in every.items()}
        now = {label: (axes, value) for label, (axes, value) in now.items() if value is not None}
        return list({**now, **_by_point(lessons)}.values())

    def _keep(self, draft: Draft, lessons: Sequence[Lesson]) -> None:
        self.draft = draft
        for key in {lesson.key for lesson in lessons}:
            found = [lesson for lesson in lessons if lesson.key == key]
            points = {label: axes for label, (axes, _) in _by_point(found).items()}
            self.taught.setdefault(key, {}).update(points)
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
        # A prompt of several blocks shows where texts end that another joins.
        for sample in sorted(samples, key=lambda one: -_blocks(of(reports, one))):
            report = reports[sample.recording.session.id]
            if not wrong(report):
                continue
            label = spot(sample.axes)
            if label not in resolved:
                resolved[label] = self.profile_of(self.draft, sample.axes)
            profile, recording = resolved[label], sample.recording
            for lesson in lessons_of(self._point(sample), self.draft, profile, report, recording):
                if not any(own in _spelled(lesson) for own in _own(recording)):
                    found.setdefault(lesson.key, []).append(lesson)
        return found

    def _point(self, sample: Sample) -> tuple[Axes, str, Mapping[str, str], dict[str, str]]:
        return sample.axes, sample.workspace, self.words, self.prompts


def _by_point(lessons: Sequence[Lesson]) -> dict[str, tuple[Axes, Any]]:
    """One value a point, the one most of its requests teach."""
    votes: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        votes.setdefault(spot(lesson.axes), []).append(lesson)
    out: dict[str, tuple[Axes, Any]] = {}
    for label, found in votes.items():
        counted = [repr(one.value) for one in found]
        best = max(found, key=lambda one: counted.count(repr(one.value)))
        out[label] = best.axes, best.value
    return out


def _blocks(report: SessionReport) -> int:
    """How many blocks the system prompt has."""
    found: dict[str, Any] = json.loads(main(report)[0].captured) if main(report) else {}
    return len(found.get("system", ()))


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


def unlearned(reports: Mapping[str, SessionReport]) -> Iterator[Unlearned]:
    """The places that still differ."""
    for report in reports.values():
        for one in main(report):
            for item in one.comparison.differences:
                origin = item.origin
                reason = f"{item.verdict}: {origin.kind}:{origin.name}" if origin else item.verdict
                yield Unlearned(item.path, reason, item.built, item.captured)
