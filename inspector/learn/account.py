"""Learning from a user's own sessions what an account's server-side flags change.

Rule: nothing is learned that fewer sessions than two show equal, among which path, date, git state,
names and files differ, nor anything with a word of the user's in it. What is learned holds for the
version, the login and the host it was seen with, and for nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspector import profiles
from inspector.learn import requests
from inspector.learn.additions import additions, by_digest
from inspector.learn.draft import Draft, Key, Layer, put
from inspector.learn.harvest import harvest_session
from inspector.learn.lesson import Lesson, Point
from inspector.learn.look import of_request
from inspector.learn.own import Own, Vocabulary, stolen
from inspector.learn.sessions import CLASS, Taken, check
from inspector.learn.trials import (
    bound,
    far,
    groups,
    main,
    of_a_plugin,
    reshaped,
    spelled,
    switches,
    value_of,
)
from inspector.learn.unlike import alike, likeness
from inspector.profiles import Profile
from inspector.session import ExchangeKind
from inspector.shelves import shelved
from inspector.verify import Carried, SessionReport, Trees, verify

MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that differs and was not learned."""

    what: str
    reason: str
    sessions: tuple[str, ...]


@dataclass(slots=True)
class Account:
    """The study of a few sessions of one client version and account class."""

    taken: Sequence[Taken]
    trees: Trees
    words: Mapping[str, str]
    """The client's words that are at hand, by digest."""
    learned: dict[Key, Lesson] = field(default_factory=dict[Key, Lesson])
    seen: dict[Key, tuple[str, ...]] = field(default_factory=dict[Key, tuple[str, ...]])
    """The sessions that show what was learned."""
    refused: dict[str, Refused] = field(default_factory=dict[str, Refused])
    layers: list[Layer] = field(default_factory=list[Layer])
    """What was learned, as overlays."""
    found: dict[str, str] = field(default_factory=dict[str, str])
    """Words that the sessions show, by digest."""
    said: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    """Words of all that was ever taught, by digest."""
    before: Mapping[str, SessionReport] = field(default_factory=dict[str, SessionReport])
    after: Mapping[str, SessionReport] = field(default_factory=dict[str, SessionReport])
    _own: dict[str, Own] = field(default_factory=dict[str, Own])
    _base: Draft = field(init=False)

    @property
    def client(self) -> str:
        """The client."""
        return self.taken[0].recording.session.client

    @property
    def version(self) -> str:
        """Its version."""
        return self.taken[0].recording.session.version

    def learn(self) -> None:
        """Learn until nothing gets better. Raises `BadInput` where these are no sessions for it."""
        check(self.taken)
        found = profiles.find(self.client, self.version)
        self._base = Draft.of(profiles.whole(found))
        reports: Mapping[str, SessionReport] = self.reports(())
        self.before = self.after = reports
        for one in self.taken:
            self.found |= harvest_session(reports[one.name])
            self._own[one.name] = Own.of(one.recording, reports[one.name].turns)
        vocabulary = Vocabulary(tuple(self.found.values()))
        for _ in range(MOST_ROUNDS):
            better = self._round(reports, vocabulary)
            if better is None:
                break
            self.after = reports = better
        self._prune()

    def _prune(self) -> None:
        """Let go of texts that no request has after all."""
        used = {
            run.origin.name
            for report in self.after.values()
            for one in main(report)
            for run in (one.built.runs if one.built is not None else ())
        }
        known = {name for layer in self._base.layers for name in layer.values.get("texts", {})}
        for layer in self.layers:
            texts: Mapping[str, Any] = layer.values.get("texts", {})
            gone = {*texts} - used - known
            left = {name: text for name, text in texts.items() if name not in gone}
            for name in gone:
                self.learned.pop(("texts", name), None)
            others = {name: item for name, item in layer.values.items() if name != "texts"}
            layer.values = {**others, "texts": left} if left else others
        self.layers = [layer for layer in self.layers if layer.values]

    def overlays(self) -> list[dict[str, Any]]:
        """What was learned, for a profile; marked as an account's."""
        names = [one.name for one in self.taken]
        return [
            {"when": layer.when, "set": layer.values, "account": names} for layer in self.layers
        ]

    def reports(
        self, layers: Sequence[Layer], taken: Sequence[Taken] | None = None
    ) -> dict[str, SessionReport]:
        """Sessions (all, if none are named) rebuilt with some overlays, by session."""
        document = Draft([*self._base.layers, *layers]).document()
        out: dict[str, SessionReport] = {}
        with shelved({f"{self.client}/{self.version}": document}):
            for one in self.taken if taken is None else taken:
                carried: Carried | None = None
                for earlier in one.earlier:
                    carried = verify(earlier, {}, self.trees, carried).carried
                out[one.name] = verify(one.recording, {}, self.trees, carried)
        return out

    def _round(
        self, reports: Mapping[str, SessionReport], vocabulary: Vocabulary
    ) -> Mapping[str, SessionReport] | None:
        """Learn what all sessions teach; None where that makes nothing better."""
        lessons = list(self._lessons(reports, vocabulary))
        best: Mapping[str, SessionReport] | None = None
        known = self._profile(self.taken[0]).texts
        for group in (*groups(lessons, known), lessons):
            layers = self._with(group)
            if not group or layers == self.layers:
                continue
            after = self.reports(layers)
            if self.cost(after) < self.cost(best or reports):
                self._keep(group, layers)
                best = after
        return best or self._switched(reports)

    def _switched(self, reports: Mapping[str, SessionReport]) -> Mapping[str, SessionReport] | None:
        """Try the values that switches have in any version; each session must come nearer."""
        best: Mapping[str, SessionReport] | None = None
        first = self.taken[0]
        if not all(map(reshaped, reports.values())):
            return None
        now = self._profile(first).switches
        for name, value in switches(self.client):
            lesson = Lesson(("switches", name), value, first.axes, "")
            layers = self._with([lesson])
            if now.get(name) in {None, value} or not self._nearer(layers, best or reports, [first]):
                continue
            # A switch is no text: it counts only where every session comes nearer by it.
            if self._nearer(layers, best or reports, self.taken):
                self._keep([lesson], layers)
                self.seen[lesson.key] = tuple(one.name for one in self.taken)
                best = self.reports(layers)
        return best

    def _nearer(
        self,
        layers: Sequence[Layer],
        before: Mapping[str, SessionReport],
        taken: Sequence[Taken],
    ) -> bool:
        """Whether every one of some sessions comes nearer with other overlays."""
        after = self.reports(layers, taken)
        costs = [
            (self.cost({"": after[one.name]}), self.cost({"": before[one.name]})) for one in taken
        ]
        return all(now < then for now, then in costs)

    def cost(self, reports: Mapping[str, SessionReport]) -> int:
        """How far the built requests are from the captured ones."""
        words = _Words(self.found, self.said, self.words)
        return sum(far(one, words) for report in reports.values() for one in main(report))

    def _lessons(
        self, reports: Mapping[str, SessionReport], vocabulary: Vocabulary
    ) -> Iterator[Lesson]:
        """What may be learned; what may not is noted with its reason."""
        taught: dict[Key, dict[str, tuple[Lesson, list[str]]]] = {}
        for one in self.taken:
            for lesson in self._taught(one, reports[one.name]):
                if lesson.words is not None:
                    self.said[lesson.value["sha256"]] = lesson.words
                values = taught.setdefault(lesson.key, {})
                sessions = values.setdefault(repr(lesson.value), (lesson, []))[1]
                if one.name not in sessions:
                    sessions.append(one.name)
        held = {key: self._reason(values, vocabulary) for key, values in taught.items()}
        for key, values in taught.items():
            lesson, sessions = max(values.values(), key=lambda one: len(one[1]))
            if held[key]:
                name = ".".join(key)
                self.refused[name] = Refused(name, held[key], tuple(sessions))
            else:
                self.seen[key] = tuple(sessions)
                yield lesson

    def _reason(
        self, values: Mapping[str, tuple[Lesson, list[str]]], vocabulary: Vocabulary
    ) -> str:
        """Why something is not the client's to all that is known; empty where it is."""
        lesson, sessions = max(values.values(), key=lambda one: len(one[1]))
        if len(sessions) < 2:
            others = len(values) > 1
            return "it is another text in each session" if others else "only one session shows it"
        by_name = {one.name: one.recording for one in self.taken}
        same = alike([likeness(by_name[name]) for name in sessions])
        if same:
            return f"the sessions that show it have the same {', '.join(same)}"
        before = self._before(lesson)
        if of_a_plugin(lesson, before):
            return "its name is that of a plugin, whose files were not kept"
        owners = [self._own[name] for name in sessions]
        prose = lesson.key[0] in {"texts", "literals"}
        for text in spelled(lesson, before):
            if word := stolen(text, owners, vocabulary, prose=prose):
                return f"it has {word[:60]!r} in it, which is yours"
        return ""

    def _before(self, lesson: Lesson) -> object:
        """The value that a lesson would take the place of."""
        by_name = {one.name: one for one in self.taken}
        return value_of(self._profile(by_name[lesson.workspace]).model_dump(), lesson.key)

    def _taught(self, one: Taken, report: SessionReport) -> Iterator[Lesson]:
        """What a session teaches, each long text by its digest."""
        profile = self._profile(one)
        flat = Draft([Layer({}, profile.model_dump(exclude={"client", "version"}))])
        words = _Words(self.found, self.words)
        point = Point(one.axes, one.name, profile.literals, words, profile.slots)
        sent = {item.id: item.request_headers for item in one.recording.exchanges}
        for request in report.requests:
            if request.kind is ExchangeKind.MAIN and request.built is not None:
                for lesson in of_request(point, flat, profile, request):
                    yield from by_digest(lesson, profile)
                made = request.built.headers
                yield from requests.headers(point, flat, made, sent[request.exchange])
        yield from additions(point, profile, report, one.recording)

    def _profile(self, one: Taken) -> Profile:
        document = Draft([*self._base.layers, *self.layers]).document()
        with shelved({f"{self.client}/{self.version}": document}):
            return profiles.resolve(profiles.find(self.client, self.version), one.axes)

    def _with(self, lessons: Sequence[Lesson]) -> list[Layer]:
        """The overlays with more in them."""
        layers = Draft(self.layers).copy().layers
        for lesson in lessons:
            when = self._when(lesson)
            layer = next((one for one in layers if one.when == when), None)
            if layer is None:
                layer = Layer(when, {})
                layers.append(layer)
            layer.values = put(layer.values, lesson.key, lesson.value)
        return layers

    def _when(self, lesson: Lesson) -> dict[str, list[str]]:
        """The account class, and what the value it replaces was bound to."""
        account = {axis: [lesson.axes[axis]] for axis in CLASS if axis in lesson.axes}
        return {**bound(self._base.layers, lesson.axes, lesson.key), **account}

    def _keep(self, lessons: Sequence[Lesson], layers: list[Layer]) -> None:
        self.layers = layers
        for lesson in lessons:
            self.learned[lesson.key] = lesson
            self.refused.pop(".".join(lesson.key), None)
            if lesson.words is not None:
                self.found[lesson.value["sha256"]] = lesson.words


class _Words(Mapping[str, str]):
    """Words of two places, read only when asked for."""

    def __init__(self, *places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, digest: str) -> str:
        for place in self._places:
            if digest in place:
                return place[digest]
        raise KeyError(digest)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(digest for place in self._places for digest in place))

    def __len__(self) -> int:
        return sum(1 for _ in self)
