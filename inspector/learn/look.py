"""Looking at one session: where built and captured requests part, and what that teaches."""

from collections.abc import Iterator, Mapping

from inspector.jsontext import Node
from inspector.learn import listings, prompt, requests
from inspector.learn.draft import Axes, Draft
from inspector.learn.gaps import gaps
from inspector.learn.lesson import Lesson, Point, of_gap
from inspector.profiles import Profile
from inspector.session import ExchangeKind, Recording
from inspector.text import Kind, Known
from inspector.verify import Counts, RequestReport, SessionReport, compare, leaf, places
from inspector.verify.pair import Pair


def lessons_of(
    at: tuple[Axes, str, Mapping[str, str], dict[str, str]],
    draft: Draft,
    profile: Profile,
    report: SessionReport,
    recording: Recording,
) -> Iterator[Lesson]:
    """What a session teaches."""
    axes, workspace, words, prompts = at
    point = Point(axes, workspace, profile.literals, words, profile.slots, prompts)
    sent = {exchange.id: exchange.request_headers for exchange in recording.exchanges}
    for request in report.requests:
        if request.kind is ExchangeKind.MAIN and request.built is not None:
            yield from of_request(point, draft, profile, request)
            made = request.built.headers
            yield from requests.headers(point, draft, made, sent[request.exchange])


def of_request(
    point: Point, draft: Draft, profile: Profile, request: RequestReport
) -> Iterator[Lesson]:
    """What a request that was built teaches, its headers apart."""
    assert request.built is not None
    built, captured = requests.body(request.built.body), requests.body(request.captured)
    yield from requests.members(point, draft, built, captured)
    lists = [*requests.tools(point, draft, built, captured)]
    yield from lists
    found = _Seen(point, Pair(request.built, request.captured), request.before)
    compare(request.built, request.captured, request.before, seen=found)
    yield from listings.listings(point, draft, found.texts, _own(request))
    for lesson in found.lessons:
        if not lists or not lesson.key[1].startswith("tool."):
            yield lesson
    yield from requests.definitions(point, profile, captured, requests.schemas(request.captured))


def _own(request: RequestReport) -> frozenset[str]:
    """Names of listed entries that are the user's: what the built request has from files."""
    assert request.built is not None
    names = (
        place.origin.name
        for place in places(request.built)
        if place.origin.kind is Kind.FILE and place.origin.name.endswith(".md")
    )
    found: set[str] = set()
    for name in names:
        parts = name.split("/")
        found |= {parts[-1].removesuffix(".md"), parts[-2] if len(parts) > 1 else ""}
    return frozenset(found)


class _Seen:
    """Hears of every pair of values that a comparison walks."""

    def __init__(self, point: Point, pair: Pair, masks: Mapping[str, str]) -> None:
        self.lessons: list[Lesson] = []
        self.texts: list[str] = []
        self._point, self._pair, self._masks = point, pair, masks

    def __call__(self, path: str, built: Node, captured: Node, counts: Counts) -> None:
        if captured.kind == "string" and path.startswith("/messages"):
            self.texts.append(captured.string)
        if not (counts.different or counts.adopted):
            return
        runs = self._pair.runs(built.start, built.end)
        whole = runs[0].origin if len(runs) == 1 and runs[0].start <= built.start else None
        if isinstance(whole, Known) and runs[0].end >= built.end:
            self.lessons.append(self._point.text(whole.name, captured.text))
        elif built.kind == "string" and captured.kind == "string":
            self._string(path, built, captured)

    def _string(self, path: str, built: Node, captured: Node) -> None:
        low, high = built.start + 1, built.end - 1
        runs = self._pair.runs(low, high)
        parts = list(leaf.stretches(self._pair.built.body, low, high, runs))
        system = path.startswith("/system/")
        found = [*prompt.slots(self._point, parts, captured.string)] if system else []
        self.lessons += found
        for gap in gaps(parts, captured.string, self._point.words, masks=self._masks):
            self.lessons += [
                one for one in of_gap(self._point, gap) if not found or prompt.apart(one)
            ]
