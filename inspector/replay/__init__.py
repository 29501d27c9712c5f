"""Replaying a recording to the real client: offline, matched by meaning."""

import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self

from inspector import clients, mock, named, words
from inspector import run as running
from inspector.capture.start import Setting
from inspector.errors import BadInput
from inspector.given import secrets_of
from inspector.mock.answer import Ids
from inspector.mock.desk import Desk as ScriptDesk
from inspector.mock.server import hosted
from inspector.replay import cassettes
from inspector.replay.desk import Desk, Rules, moved
from inspector.replay.recorded import Recorded, hidden, incomplete, recorded
from inspector.replay.report import Divergence, Miss, Report, changed
from inspector.replay.server import Answerer
from inspector.replay.terms import terms
from inspector.run import say
from inspector.session import ExchangeKind, Snapshot
from inspector.workspace import Environment

__all__ = ["Divergence", "Miss", "Order", "Replayed", "Report", "replay", "serve"]

LIMIT = 600.0
"""Seconds a client may take if nothing else is said."""
_SIGNALLED = 128
"""Above it an exit code says which signal ended a command."""
_SCRIPTED = 900
"""Run number in the ids of a script's replies, so that they are no recorded ones."""


@dataclass(frozen=True, slots=True)
class Order:
    """What `inspector replay` was asked to do."""

    session: str
    store: Path
    command: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)
    script: Path | None = None
    """Answers after a fork, or what is missing."""
    upstream: str = ""
    timing: Literal["zero", "recorded"] = "zero"
    route: str = ""
    """Empty: the recording's own."""
    limit: float = LIMIT
    port: int = 0
    log: Path | None = None
    holes: Mapping[str, str] = field(default_factory=dict[str, str])
    stdout: int | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a replay ended."""

    report: Report
    code: int | None
    """The client's exit code; None where none was started."""
    session: str = ""
    """Where what was sent now is kept."""
    faults: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 when every request was matched, 1 on a divergence, 3 when nothing was asked."""
        if not self.report.fine:
            return 1
        asked = self.report.reused or self.report.answered
        return 0 if asked else 3


def replay(order: Order, env: Mapping[str, str]) -> Replayed:
    """Run the client against its recording. Raises `BadInput` for what cannot be replayed."""
    source = _source(order)
    answers = _Answers(order, source, env)
    route = order.route or _route(source)
    outcome = running.capture(
        running.Order(
            order.command,
            order.store,
            route=route,
            port=order.port,
            source="replay",
            answers=answers,
            stdout=order.stdout,
            mcp=False,
        ),
        env,
    )
    report = answers.ended()
    if outcome.code > _SIGNALLED and report.unused and not report.late:
        report.late = f"the client was ended by signal {outcome.code - _SIGNALLED}"
    kept = outcome.sessions[0].session.id if outcome.sessions else ""
    return Replayed(report, outcome.code, kept, outcome.faults)


@contextmanager
def serve(order: Order, env: Mapping[str, str]) -> Generator[tuple[str, Report]]:
    """Serve a recording without starting a client; its base URL, and the report at the end."""
    answers = _Answers(order, _source(order), env)
    with answers.at(None, order.port) as under_way:
        yield under_way.url, answers.desk.report
    answers.ended()


def _source(order: Order) -> Recorded:
    _check(order)
    cassettes.check(Path(order.session))
    found = named.find(order.session, order.store)
    source = recorded(order.session, found, words.load())
    for line in _notes(source):
        say(line)
    calls = sum(one.kind is ExchangeKind.MAIN for one in source.judged)
    if order.rules.fork is not None and order.rules.fork > calls:
        raise BadInput(f"--fork {order.rules.fork}: the recording has {calls} main requests only")
    return source


def _notes(source: Recorded) -> list[str]:
    return [line for line in (incomplete(source), hidden(source)) if line]


def _check(order: Order) -> None:
    """Raises `BadInput` for an order that cannot be followed."""
    elsewhere = bool(order.script or order.upstream)
    if order.script and order.upstream:
        raise BadInput("--script and --upstream: both given; choose one")
    wanted = order.rules.mode == "record-missing" or order.rules.fork is not None
    if wanted and not elsewhere:
        what = "--fork" if order.rules.fork is not None else "record-missing"
        raise BadInput(f"{what}: nothing answers what is not recorded; add --script or --upstream")
    if elsewhere and not wanted:
        raise BadInput("--script and --upstream answer only with --fork or --mode record-missing")
    if order.rules.allow and order.rules.mode != "lenient":
        raise BadInput("--allow: only with --mode lenient")


def _route(source: Recorded) -> str:
    route = source.found.recording.session.route
    return route if route in {"tls", "base-url"} else "auto"


@dataclass(slots=True)
class _Answers:
    """Our server, for one client run."""

    order: Order
    source: Recorded
    env: Mapping[str, str]
    desk: Desk = field(init=False)

    def serving(self, given: Setting) -> "_Serving":
        """Serve for a client that is about to start. Raises `BadInput` for another client."""
        started = given.started
        if started.client != self.source.client:
            raise BadInput(
                f"{started.argv[0]}: this is {started.client}, the recording is of"
                f" {self.source.client}; replay it with that client"
            )
        if started.version != self.source.version:
            say(
                f"recorded with {self.source.client} {self.source.version}, this is"
                f" {started.version}: what differs is the version's; see `inspector drift`"
                f" {self.source.version} {started.version}"
            )
        return self.at(given.environment, 0)

    def at(self, here: Environment | None, port: int) -> "_Serving":
        """Serve where the client's facts are these."""
        recorded_facts = self.source.snapshot.environment if self.source.snapshot else None
        known = self.source.client in clients.names()
        self.desk = Desk(
            self.source,
            terms(recorded_facts, here, self.source.literals),
            self.order.rules,
            Report(
                self.source.found.recording.session.id,
                self.order.rules.mode,
                notes=_notes(self.source),
            ),
            client=clients.client(self.source.client) if known else None,
            given=secrets_of(self.env),
            otherwise="script" if self.order.script else "upstream" if self.order.upstream else "",
            log=self.order.log,
        )
        script = mock.script(self.order.script, self.order.holes) if self.order.script else None
        answerer = Answerer(
            self.desk,
            self.order.timing,
            ScriptDesk(script, Ids(_SCRIPTED)) if script else None,
            self.order.upstream,
        )
        return _Serving(self.desk, answerer, self.order.limit, port)

    def ended(self) -> Report:
        """The report, with what nobody asked for."""
        report = self.desk.report
        report.unused = self.desk.unused()
        return report


@dataclass(slots=True)
class _Serving:
    """The server while the client runs."""

    desk: Desk
    answerer: Answerer
    limit: float
    port: int
    url: str = ""
    _stack: ExitStack = field(default_factory=ExitStack)
    _until: float = 0.0

    def __enter__(self) -> Self:
        sockets = self.desk.source.sockets
        app = hosted(self.answerer.app(), port=self.port, sockets=sockets)
        self.url = self._stack.enter_context(app)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def began(self, taken: Snapshot) -> None:
        """Note what the client can read; from now on its time runs."""
        files = changed(self.desk.source.snapshot, taken, moved(self.desk.terms))
        self.desk.changed = files
        self._until = time.monotonic() + self.limit

    def over(self) -> bool:
        """Whether the client is to be ended."""
        if time.monotonic() > self._until:
            self.desk.late(f"the client did not end within {self.limit:g} s; see --limit")
        return self.desk.stopped.is_set()
