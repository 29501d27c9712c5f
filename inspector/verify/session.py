"""Verifying a recorded session: build every request from snapshot and turns, then compare.

Rule: nothing of a captured request reaches the builder; only `turns` may have read one (users'
sessions), and a golden's turns have not.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from inspector import clients, wire
from inspector.build import Conversation
from inspector.clients import Client
from inspector.errors import counted
from inspector.profiles import Profile, find, resolve
from inspector.session import MODEL_KINDS, Exchange, ExchangeKind, Recording, Snapshot
from inspector.text import Built
from inspector.turns import Turn, Turns
from inspector.verify import lacking
from inspector.verify.compare import adopted, compare
from inspector.verify.headers import HeaderReport, judge
from inspector.verify.ledger import Comparison, Counts, Difference, MaskState
from inspector.verify.report import Carried, RequestReport, SessionReport
from inspector.verify.upcoming import Upcoming, not_built, spell
from inspector.workspace import Tree, World

_FAILED = 400
_ASIDES = frozenset({ExchangeKind.WARMUP, ExchangeKind.COMPACTION})

type Trees = Callable[[Snapshot, str], Tree]
"""The tree a snapshot held at a moment (`inspector.snapshot.SnapshotTree` at the edge)."""


type Comparing = Callable[[Exchange, Built, bytes, MaskState], Comparison]
"""Compares a request that was built with the captured body, by the masks before it."""


@dataclass(frozen=True, slots=True)
class Again:
    """What who rebuilds one session many times knows better: no notes are made of it."""

    profile: Profile | None
    """None: of the axes, as ever."""
    comparing: Comparing


def verify(
    recording: Recording,
    words: Mapping[str, str],
    trees: Trees,
    earlier: Carried | None = None,
    bodies: Mapping[int, bytes] | None = None,
    again: Again | None = None,
) -> SessionReport:
    """Rebuild and compare every model request; `bodies` stand in for stored ones by number."""
    recording = clients.labelled(recording)
    session = recording.session
    if reason := lacking.whole(recording):
        return _unbuilt(recording, reason)
    found = find(session.client, session.version)
    fold = _Fold(
        clients.client(session.client),
        recording,
        words,
        trees,
        bodies or {},
        dict(earlier.masks) if earlier else {},
        again,
    )
    fold.begin(earlier)
    requests = tuple(fold.request(exchange) for exchange in _model_calls(recording))
    return SessionReport(
        session=session.id,
        client=session.client,
        version=session.version,
        route=session.route,
        profile=found.version,
        profile_exact=found.exact,
        requests=requests,
        notes=() if again else fold.notes(requests),
        missing=len(fold.turns),
        uncounted=fold.upcoming.uncounted if fold.upcoming else 0,
        unsent=fold.upcoming.unsent if fold.upcoming else 0,
        faults=() if again else fold.faults(),
        turns=tuple(fold.built),
        carried=Carried(fold.conversation.state, fold.masks) if fold.conversation else None,
    )


def _model_calls(recording: Recording) -> list[Exchange]:
    """The model requests, and the counts of tokens that stand between them."""
    kinds = MODEL_KINDS | {ExchangeKind.COUNT_TOKENS}
    return [exchange for exchange in recording.exchanges if exchange.kind in kinds]


def _unbuilt(recording: Recording, reason: str) -> SessionReport:
    session = recording.session
    requests = (_not_built(exchange, reason, {}) for exchange in _model_calls(recording))
    return SessionReport(
        session=session.id,
        client=session.client,
        version=session.version,
        route=session.route,
        profile="",
        profile_exact=False,
        requests=tuple(requests),
        notes=(reason,),
    )


def _not_built(
    exchange: Exchange, reason: str, masks: MaskState, body: bytes | None = None
) -> RequestReport:
    captured = exchange.request if body is None else body
    return RequestReport(
        exchange.id,
        exchange.number,
        exchange.kind,
        exact=False,
        sha256_checked=False,
        reason=reason,
        comparison=adopted(captured, masks),
        headers=HeaderReport(unclaimed=tuple(name for name, _ in exchange.request_headers)),
        captured=captured,
        built=None,
    )


@dataclass(slots=True)
class _Fold:
    client: Client
    recording: Recording
    words: Mapping[str, str]
    trees: Trees
    bodies: Mapping[int, bytes]
    masks: MaskState
    again: Again | None
    upcoming: Upcoming | None = None
    turns: list[Turn] = field(default_factory=list[Turn])
    failure: str = ""

    @property
    def conversation(self) -> Conversation | None:
        return self.upcoming.conversation if self.upcoming else None

    @property
    def built(self) -> list[Turn]:
        return self.conversation.turns if self.conversation else []

    def world(self, at: str) -> World:
        snapshot = self.recording.snapshot
        assert snapshot is not None
        return World(self.trees(snapshot, at), snapshot.environment, snapshot.listings)

    def begin(self, earlier: Carried | None) -> None:
        """Read what the client reads at start; a builder's fault makes every request adopted."""
        world = self.world("")
        try:
            self.turns = list(self.take_turns().turns)
            given = self.again.profile if self.again else None
            profile = given or self.resolved(world)
            begun = Conversation.begin(
                self.client, world, profile, self.words, earlier.state if earlier else None
            )
            self.upcoming = Upcoming(begun, self.turns, self.world)
        except Exception as error:  # noqa: BLE001 - one builder fault must not lose the report
            self.failure = spell(error)

    def resolved(self, world: World) -> Profile:
        session = self.recording.session
        return resolve(find(session.client, session.version), self.client.axes(world))

    def take_turns(self) -> Turns:
        if self.recording.turns is not None:
            return self.recording.turns
        return self.client.turns(self.recording.exchanges, self.world("").environment)

    def request(self, exchange: Exchange) -> RequestReport:
        given = self.bodies.get(exchange.number)
        body = exchange.request if given is None else given
        made = self.made(exchange, body)
        if isinstance(made, str):
            return _not_built(exchange, made, self.masks, given)
        return self.judged(exchange, made, body)

    def made(self, exchange: Exchange, body: bytes) -> Built | str:
        """What the builder makes of a request, or why it makes nothing."""
        counts = exchange.kind is ExchangeKind.COUNT_TOKENS
        aside = exchange.kind in _ASIDES
        if exchange.kind is not ExchangeKind.MAIN and not counts and not aside:
            return not_built(exchange.kind)
        if not self.again and (problem := wire.unreadable(exchange.request)):
            return f"{problem}, so nothing was built"
        if self.upcoming is None:
            return self.failure
        answered = (exchange.status or 0) < _FAILED
        if counts:
            return self.upcoming.count(body, self.masks, answered=answered)
        if aside:
            return self.upcoming.aside(exchange.kind, answered=answered and not exchange.error)
        return self.upcoming.main()

    def judged(self, exchange: Exchange, built: Built, captured: bytes) -> RequestReport:
        before = self.masks
        if self.again:
            comparison = self.again.comparing(exchange, built, captured, before)
        else:
            comparison = compare(built, captured, before)
        headers, self.masks = judge(built.headers, exchange.request_headers, comparison.masks)
        checked, reason = _checkable(exchange, comparison, captured)
        if checked and comparison.equal:
            comparison = _digest(exchange, comparison)
        return RequestReport(
            exchange.id,
            exchange.number,
            exchange.kind,
            exact=comparison.equal,
            sha256_checked=checked and comparison.equal,
            reason=reason or ("" if comparison.equal else "the bodies differ"),
            comparison=comparison,
            headers=headers,
            captured=captured,
            built=built,
            before=before,
        )

    def notes(self, requests: tuple[RequestReport, ...]) -> tuple[str, ...]:
        return (*self.left_over(), *lacking.before(self.built), *self.lacking(requests))

    def faults(self) -> tuple[str, ...]:
        """What the client refuses of the workspace it started in."""
        try:
            return self.client.faults(self.world(""))
        except Exception as error:  # noqa: BLE001 - as above
            return (spell(error),)

    def lacking(self, requests: tuple[RequestReport, ...]) -> tuple[str, ...]:
        """Servers that nobody heard and switches nobody modelled, where a request is not exact."""
        if all(item.exact for item in requests if item.kind is ExchangeKind.MAIN):
            return ()
        world = self.world("")
        return (*lacking.listings(self.client, world), *lacking.switches(self.client, world))

    def left_over(self) -> tuple[str, ...]:
        if not self.turns:
            return ()
        return (f"{counted(len(self.turns), 'turn')} without a captured request",)


def _checkable(exchange: Exchange, comparison: Comparison, captured: bytes) -> tuple[bool, str]:
    if captured is not exchange.request:
        return False, "compared with a body given from outside"
    if not exchange.request_sha256:
        return False, "no digest of the body as sent was kept"
    if not exchange.intact:
        secrets = counted(exchange.body_replaced, "replaced secret")
        return False, f"{secrets} in the stored body"
    if comparison.unfilled:
        count, first = len(comparison.unfilled), ", ".join(comparison.unfilled[:3])
        more = ", …" if count > 3 else ""
        texts = counted(count, "client text")
        return False, f"the words of {texts} are not at hand ({first}{more})"
    return True, ""


def _digest(exchange: Exchange, comparison: Comparison) -> Comparison:
    body = comparison.filled.body
    if hashlib.sha256(body).hexdigest() == exchange.request_sha256:
        return comparison
    difference = Difference("", "sha256", None, 0, "", exchange.request_sha256)
    counts = replace(Counts(), different=comparison.counts.total)
    return replace(comparison, counts=counts, differences=(difference,))
