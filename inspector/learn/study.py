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
from inspector.learn.bench import Bench, Sample, bodies, main, of, wrong
from inspector.learn.choices import Choice, candidates
from inspector.learn.draft import SPLIT, Axes, Draft, Key
from inspector.learn.harvest import harvest_session
from inspector.learn.lesson import Lesson, Unlearned
from inspector.learn.look import lessons_of
from inspector.learn.spotted import spotted
from inspector.session import Recording
from inspector.verify import SessionReport

MOST_ROUNDS = 16
MOST_SINGLE = 40
"""Lessons tried one by one where together they make things worse."""
MOST_TRIED = 4
"""Sessions a switch is tried on."""
WORKSPACES = 3
"""Unlike workspaces that a text must be equal on (design 5)."""


@dataclass(slots=True)
class Study(Bench):
    """The profile of one client version while it is learned."""

    seen: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Workspaces that a text was learned on, by digest."""
    taught: dict[Key, dict[str, Axes]] = field(default_factory=dict[Key, dict[str, Axes]])
    """Points that taught a key, by key: one that fits now must go on fitting."""
    prompts: dict[str, str] = field(default_factory=dict[str, str])
    """New texts of the system prompt, by name."""
    _idle: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Choices that changed nothing of what was built of a session."""
    _vain: dict[tuple[str, int], SessionReport] = field(
        default_factory=dict[tuple[str, int], SessionReport]
    )
    """Reports that a choice made no better, by the choice and the report's identity."""

    def learn(self) -> None:
        """Learn until nothing gets better."""
        learned = [sample for sample in self.samples if not sample.held]
        reports = self.start(learned)
        for _ in range(MOST_ROUNDS):
            if not any(map(wrong, reports.values())):
                return
            better = (
                self._round(learned, reports)
                or self._choices(learned, reports)
                or self._round(learned, reports, weak=True)
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
        few = _few([one for one in samples if wrong(of(reports, one))], reports)[:MOST_TRIED]
        least = self.costs(reports, few)
        draft, kept = self.draft, list[Lesson]()
        for key, found in list(lessons.items())[:MOST_SINGLE]:
            for values in (self._values(key, found), self._apart(samples, draft, key, found)):
                trial = draft.copy()
                trial.set(values, key)
                worth = self.cost(self.reports(trial, few))
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
        every = {_label(one.axes): one.axes for one in samples}
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
            label = _label(sample.axes)
            if label not in resolved:
                resolved[label] = self.profile_of(self.draft, sample.axes)
            profile, recording = resolved[label], sample.recording
            for lesson in lessons_of(self._point(sample), self.draft, profile, report, recording):
                if not any(own in _spelled(lesson) for own in _own(recording)):
                    found.setdefault(lesson.key, []).append(lesson)
        return found

    def _point(self, sample: Sample) -> tuple[Axes, str, Mapping[str, str], dict[str, str]]:
        return sample.axes, sample.workspace, self.words, self.prompts

    def _choices(
        self, samples: Sequence[Sample], reports: Mapping[str, SessionReport]
    ) -> dict[str, SessionReport] | None:
        """Try every value of every switch where something differs; what is better is kept."""
        now, draft = dict(reports), self.draft
        few = self._worst(samples, now)
        slots = next((self._slots(one) for one in few), ())
        for choice in candidates(self.client, _differing(now), slots):
            for points in self._helped(samples, (now, draft, few), choice):
                trial = self._with(draft, samples, points, choice)
                if trial is None:
                    continue
                after = self.reports(trial, samples)
                if self.cost(after) < self.cost(now):
                    now, draft = after, trial
                    few = self._worst(samples, now)
                    break
        if draft is self.draft:
            return None
        self.draft = draft
        return now

    def _slots(self, sample: Sample) -> Sequence[Mapping[str, Any]]:
        """Those of the second part of the system prompt."""
        return self.draft.get(sample.axes, ("slots", "system.dynamic")) or ()

    def _helped(
        self,
        samples: Sequence[Sample],
        at: tuple[Mapping[str, SessionReport], Draft, Sequence[Sample]],
        choice: Choice,
    ) -> Iterator[list[Axes]]:
        """The points a choice may be right for: all, else those like one that it is better for."""
        reports, draft, every = at
        told = repr(choice)
        few = [one for one in every if self._open(told, of(reports, one), choice)]
        if not few:
            return
        before = {one.recording.session.continues for one in few}
        troubled = [one.axes for one in samples if wrong(of(reports, one))]
        trial = self._with(draft, samples, troubled, choice)
        if trial is None:
            return
        earlier = [one for one in every if one.session in before and one not in few]
        after = self.tried(trial, [*earlier, *few], reports)
        near = [one for one in few if one.session in after]
        same = [one for one in near if bodies(of(after, one)) == bodies(of(reports, one))]
        self._idle |= {(told, one.session) for one in same}
        better = [one for one in near if self.costs(after, [one]) < self.costs(reports, [one])]
        vain = [of(reports, one) for one in few if one not in better]
        self._vain |= {(told, id(report)): report for report in vain}
        if not better:
            return
        yield troubled
        for axis in SPLIT:
            values = {one.axes[axis] for one in better}
            some = [axes for axes in troubled if axes[axis] in values]
            if len(some) < len(troubled):
                yield some

    def _open(self, told: str, report: SessionReport, choice: Choice) -> bool:
        """Whether a choice may make something of a session better."""
        tried = (told, report.session) in self._idle or (told, id(report)) in self._vain
        return not tried and self.read(report, [key for key, _ in choice])

    def _worst(
        self, samples: Sequence[Sample], reports: Mapping[str, SessionReport]
    ) -> list[Sample]:
        """A few sessions that something differs in, one for each way to differ."""
        return _few([one for one in samples if wrong(of(reports, one))], reports)[:MOST_TRIED]

    def _with(
        self,
        draft: Draft,
        samples: Sequence[Sample],
        points: Sequence[Axes],
        choice: Choice,
    ) -> Draft | None:
        """The draft with a choice at some points; None where it is so already."""
        labels, trial = {_label(axes) for axes in points}, draft.copy()
        every = {_label(sample.axes): sample.axes for sample in samples}
        changed = False
        for key, value in choice:
            now = {label: draft.get(axes, key) for label, axes in every.items()}
            if any(label in labels and old != value for label, old in now.items()):
                # A point that has no such value has none to keep.
                values = [
                    (axes, value if label in labels else now[label])
                    for label, axes in every.items()
                    if label in labels or now[label] is not None
                ]
                trial.set(values, key)
                changed = True
        return trial if changed else None


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


def _differing(reports: Mapping[str, SessionReport]) -> set[str]:
    """Names of what built text that differs came from."""
    requests = [one for report in reports.values() for one in main(report)]
    items = [item for one in requests for item in one.comparison.differences]
    return {item.origin.name for item in items if item.origin is not None}


def _blocks(report: SessionReport) -> int:
    """How many blocks the system prompt has."""
    found: dict[str, Any] = json.loads(main(report)[0].captured) if main(report) else {}
    return len(found.get("system", ()))


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


def unlearned(reports: Mapping[str, SessionReport]) -> Iterator[Unlearned]:
    """The places that still differ."""
    for report in reports.values():
        for one in main(report):
            for item in one.comparison.differences:
                origin = item.origin
                reason = f"{item.verdict}: {origin.kind}:{origin.name}" if origin else item.verdict
                yield Unlearned(item.path, reason, item.built, item.captured)
