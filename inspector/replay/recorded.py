"""A recording as what is expected to come: requests with their origins, checked to be whole."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from urllib.parse import urlsplit

from inspector import clients, named, profiles, wire
from inspector.errors import BadInput, NotKept, counted
from inspector.match import Expected, Span
from inspector.named import Found
from inspector.segments import Prompt
from inspector.session import (
    MODEL_KINDS,
    PRIVATE,
    WEBSOCKET,
    Exchange,
    ExchangeKind,
    Recording,
    Snapshot,
)
from inspector.snapshot import SnapshotTree
from inspector.text import Built, Kind
from inspector.turns import Connected
from inspector.verify import RequestReport, places
from inspector.workspace import World

JUDGED = MODEL_KINDS | {ExchangeKind.COUNT_TOKENS}
"""Kinds of requests that must match; the rest is answered and not judged."""
_MODEL_ENDPOINTS = frozenset({"messages", "responses", "count_tokens", "compact", "completions"})


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording, ready to answer from."""

    found: Found
    expected: Mapping[str, tuple[Expected, ...]]
    """By method and endpoint, in the order recorded."""
    exchanges: Mapping[str, Exchange]
    version: str
    client: str
    snapshot: Snapshot | None
    _sources: dict[str, str | None] = field(default_factory=dict[str, str | None])

    @property
    def literals(self) -> Iterable[str]:
        """The client's own sentences; none where its version is not known."""
        if self.client not in clients.names() or self.snapshot is None:
            return ()
        client = clients.client(self.client)
        world = World(SnapshotTree(self.snapshot, ""), self.snapshot.environment)
        found = profiles.find(self.client, self.version)
        return profiles.resolve(found, client.axes(world)).literals.values()

    @property
    def judged(self) -> list[Exchange]:
        """The exchanges whose requests are to come again."""
        return [one for one in self.exchanges.values() if one.kind in JUDGED]

    @property
    def sockets(self) -> bool:
        """Whether the client spoke on a WebSocket."""
        return any(one.method == WEBSOCKET for one in self.exchanges.values())

    @property
    def refusal(self) -> int:
        """The status that a client gets in place of a WebSocket.

        426 says that there is none, for good; after 503 it tries again and again, and its first
        request says so [codex 0.171.0, websocket_fails].
        """
        for one in self.exchanges.values():
            if one.method == "GET" and endpoint("GET", one.url) == "GET responses" and one.status:
                return one.status
        turns = self.found.recording.turns
        events = [event for turn in turns.turns for event in turn.events] if turns else []
        gave_up = any(isinstance(one, Connected) and one.transport == "http" for one in events)
        return 503 if gave_up else 426

    def origin(self, expected: Expected, path: str, start: int) -> tuple[str, str, int | None]:
        """Kind, name and line of what a recorded text has at a place; empty where nobody knows."""
        spans = expected.spans.get(path, ())
        inside = [span for span in spans if span.start <= start < span.end]
        span = inside[0] if inside else next((one for one in spans if one.end == start), None)
        if span is None:
            return "", "", None
        line = None
        if span.origin.kind is Kind.FILE:
            text = self._text(span.origin.name, self.exchanges[expected.name].started)
            if text is not None:
                line = text.count("\n", 0, span.at + max(start - span.start, 0)) + 1
        return span.origin.kind.value, span.origin.name, line

    def _text(self, path: str, moment: str) -> str | None:
        if self.snapshot is None:
            return None
        try:
            data = SnapshotTree(self.snapshot, moment).read(path)
        except NotKept:
            return None
        return None if data is None else data.decode("utf-8", "replace")


def endpoint(method: str, url: str) -> str:
    """What tells requests apart before their bodies do: a model's endpoints by their last word."""
    path = urlsplit(url).path
    last = path.rstrip("/").rpartition("/")[2]
    return f"{method} {last if last in _MODEL_ENDPOINTS else path}"


def recorded(name: str, found: Found, words: Mapping[str, str]) -> Recorded:
    """Read a recording. Raises `BadInput` for one that cannot answer, or that was tampered with."""
    recording = _labelled(found.recording)
    exchanges = {one.id: one for one in recording.exchanges}
    calls = [one for one in exchanges.values() if one.kind in MODEL_KINDS]
    if not calls:
        raise BadInput(f"{name}: no model request in it, so there is nothing to replay")
    if recording.session.source == PRIVATE:
        raise BadInput(f"{name}: sealed with --private, so it cannot be replayed; seal it without")
    for one in calls:
        _check(name, one)
    reports = {item.exchange: item for item in named.verified(found, words).requests}
    expected: dict[str, list[Expected]] = {}
    for one in exchanges.values():
        group = expected.setdefault(endpoint(one.method, one.url), [])
        group.append(_expected(one, reports.get(one.id), group))
    return Recorded(
        found,
        {key: tuple(items) for key, items in expected.items()},
        exchanges,
        recording.session.version,
        recording.session.client,
        recording.snapshot,
    )


def _labelled(recording: Recording) -> Recording:
    """Of a client nobody models, every request in a model's dialect is a main one."""
    if recording.session.client in clients.names():
        return recording
    kinds = {
        one.id: ExchangeKind.MAIN if wire.split(one.request).dialect else one.kind
        for one in recording.exchanges
    }
    return replace(
        recording,
        exchanges=tuple(replace(one, kind=kinds[one.id]) for one in recording.exchanges),
    )


def _check(name: str, exchange: Exchange) -> None:
    """A body that is kept as it was sent has the digest noted with it."""
    if not exchange.intact or "⟦".encode() in exchange.request:
        return
    if sha256(exchange.request).hexdigest() != exchange.request_sha256:
        raise BadInput(
            f"{name}: request {exchange.number} is not the one recorded (its digest differs);"
            " record it again"
        )


def _expected(
    exchange: Exchange, report: RequestReport | None, before: Sequence[Expected]
) -> Expected:
    body = exchange.request
    spans: Mapping[str, tuple[Span, ...]] = {}
    if report is not None and report.built is not None:
        filled = report.comparison.filled
        if report.exact:
            body = filled.body
        spans = _Spans(filled, body)
    prompt = wire.split(body, parent=before[-1].prompt if before else None)
    return Expected(exchange.id, exchange.number, prompt, spans)


class _Spans(Mapping[str, tuple[Span, ...]]):
    """Where the texts of a request came from, looked up when somebody asks: seldom."""

    def __init__(self, filled: Built, body: bytes) -> None:
        self._filled, self._body = filled, body

    @cached_property
    def _found(self) -> dict[str, tuple[Span, ...]]:
        return dict(_spans(self._filled, self._body))

    def __getitem__(self, path: str) -> tuple[Span, ...]:
        return self._found[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _spans(filled: Built, body: bytes) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """Where the texts came from, of those that the body has as they were rebuilt."""
    found: dict[str, list[Span]] = {}
    for place in places(filled):
        found.setdefault(place.path, []).append(
            Span(place.start, place.end, place.origin, place.at)
        )
    same = filled.body == body
    prompts = () if same else (wire.split(filled.body), wire.split(body))
    for path, spans in found.items():
        if same or _alike(prompts, path):
            yield path, tuple(spans)


def _alike(prompts: Sequence[Prompt], path: str) -> bool:
    built, kept = (prompt.root.find(path) for prompt in prompts)
    return built is not None and kept is not None and built.raw == kept.raw


def hidden(source: Recorded) -> str:
    """How many texts are sealed that nobody could explain, in one line: they are not compared."""
    count = sum(one.request.count("⟦unknown:".encode()) for one in source.judged)
    return f"{counted(count, 'sealed text')} of unknown origin cannot be compared" if count else ""


def unanswered(exchange: Exchange) -> bool:
    """Whether no answer was kept, although the client waited for one."""
    return exchange.status is None and not exchange.response and not left(exchange)


def left(exchange: Exchange) -> bool:
    """Whether the client hung up before the answer's end."""
    return "client" in exchange.error.lower()


def incomplete(source: Recorded) -> str:
    """What the recording lacks, in one line."""
    missing = [one.number for one in source.judged if unanswered(one)]
    if not missing:
        return ""
    shown = ", ".join(map(str, missing[:5]))
    lacking = counted(len(missing), "request")
    return f"the recording is not whole: {lacking} without an answer ({shown})"
