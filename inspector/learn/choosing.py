"""Choosing behaviour: every value that a known profile has is tried where something differs.

Strategy: a choice is built for a few sessions that differ, each in its own way. One that brings
some of them nearer is tried on all, and kept where that brings them nearer together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector.learn.bench import Bench, Sample, bodies, main, of, wrong
from inspector.learn.choices import Choice, candidates
from inspector.learn.draft import SPLIT, Axes, Draft
from inspector.verify import SessionReport

MOST_TRIED = 4
"""Sessions a switch is tried on."""


@dataclass(slots=True)
class Chooser(Bench):
    """A bench that chooses."""

    _idle: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Choices that changed nothing of what was built of a session."""
    _vain: dict[tuple[str, int], SessionReport] = field(
        default_factory=dict[tuple[str, int], SessionReport]
    )
    """Reports that a choice made no better, by the choice and the report's identity."""

    def chosen(
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
        return a_few([one for one in samples if wrong(of(reports, one))], reports)[:MOST_TRIED]

    def _with(
        self,
        draft: Draft,
        samples: Sequence[Sample],
        points: Sequence[Axes],
        choice: Choice,
    ) -> Draft | None:
        """The draft with a choice at some points; None where it is so already."""
        labels, trial = {spot(axes) for axes in points}, draft.copy()
        every = {spot(sample.axes): sample.axes for sample in samples}
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


def a_few(samples: Sequence[Sample], reports: Mapping[str, SessionReport]) -> list[Sample]:
    """A sample for each way to differ, and what it resumes."""
    out: dict[str, Sample] = {}
    for sample in samples:
        for request in main(reports[sample.recording.session.id]):
            for item in request.comparison.differences:
                out.setdefault(f"{item.verdict} {item.path.count('/')} {item.origin}", sample)
    chosen = {sample.recording.session.continues for sample in out.values()}
    earlier = [one for one in samples if one.recording.session.id in chosen]
    return list({one.recording.session.id: one for one in [*earlier, *out.values()]}.values())


def _differing(reports: Mapping[str, SessionReport]) -> set[str]:
    """Names of what built text that differs came from."""
    requests = [one for report in reports.values() for one in main(report)]
    items = [item for one in requests for item in one.comparison.differences]
    return {item.origin.name for item in items if item.origin is not None}


def spot(axes: Axes) -> str:
    """A name for a point of the axes."""
    return repr(sorted(axes.items()))
