"""Capturing a client run: the proxy beside it, the snapshot before it, the sessions after it.

Order: command, store, the client's own facts, script, CA, listeners; then `Launch`; then the
snapshot; then the child. Whatever can be refused is refused before the child starts.
"""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from inspector import mock, paths, raw_export, snapshot
from inspector.capture import advice, attempt, ca, child, hosts, other, private, start
from inspector.capture.addon import Plan
from inspector.capture.answering import Answering, Answers
from inspector.capture.intake import now
from inspector.capture.kept import Kept, kept
from inspector.capture.ledger import Ledger
from inspector.capture.live import Live, live
from inspector.capture.parent import parent
from inspector.capture.program import program
from inspector.capture.start import Setting
from inspector.clients import Launch
from inspector.errors import BadInput, NothingCaptured, reason
from inspector.given import secrets_of
from inspector.session import Session
from inspector.store import Store
from inspector.workspace import Environment, World

ROUTES = ("auto", "tls", "base-url", "raw-export")

_ENDPOINTS = {"claude-code": "https://api.anthropic.com", "codex": "https://api.openai.com/v1"}
"""Where a client without a gateway of its own sends model calls."""


@dataclass(frozen=True, slots=True)
class Order:
    """What `inspector run` was asked to do."""

    command: tuple[str, ...]
    store: Path
    route: str = "auto"
    upstream: str | None = None
    script: Path | None = None
    holes: Mapping[str, str] = field(default_factory=dict[str, str])
    mock_log: Path | None = None
    mock_run: int | None = None
    report: Path | None = None
    mcp: bool = True
    port: int = 0
    host: tuple[str, ...] = ()
    """Hosts to open beside the models' own."""
    source: str = "run"
    answers: Answers | None = None
    """Answers in place of a model, as a script does; nothing else is reached."""
    stdout: int | None = None
    """Where the command's output goes, if not to ours."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    sessions: tuple[Kept, ...]
    """In the order they began; the first is the command's own."""
    code: int
    """The child's exit code."""
    faults: tuple[str, ...]
    complaint: str = ""
    """Why the run fails although the child did not: nothing captured, a script not played out."""
    notice: str = ""
    """What may be worth another run: hosts that look like a model's and were left closed."""

    surplus: str = ""
    """What was asked of the mock beyond its script's end."""
    lost: bool = False
    """Whether requests came in and none could be kept; the faults say so."""

    @property
    def calls(self) -> int:
        """Calls of models in all sessions, a client's probes too."""
        return sum(one.spoken for one in self.sessions)


def say(line: str) -> None:
    """Our own words go to standard error."""
    print(f"inspector: {line}", file=sys.stderr, flush=True)  # noqa: T201


def run(order: Order, env: Mapping[str, str] | None = None) -> int:
    """Capture a run; the exit code.

    Raises `NothingCaptured` when the child ended well without a model call.
    """
    outcome = capture(order, dict(os.environ) if env is None else env)
    for line in (*outcome.faults, *filter(None, [outcome.surplus, outcome.notice])):
        say(line)
    for one in outcome.sessions if outcome.calls else ():
        for line in one.lines:
            say(line)
    if outcome.complaint and not outcome.code:
        if not outcome.calls and not outcome.lost:
            raise NothingCaptured(outcome.complaint)
        say(outcome.complaint)
        return 1
    if outcome.complaint:
        say(outcome.complaint)
    return outcome.code


def capture(order: Order, env: Mapping[str, str]) -> Outcome:
    """Capture a run and say how it ended."""
    started = program(order.command, env)
    asked = _check(order)
    with ExitStack() as stack:
        store = stack.enter_context(Store.open(order.store, later=True))
        given = start.setting(started, env, order.route)
        server = stack.enter_context(_mock(order, env, store)) if order.script else None
        serving = order.answers.serving(given) if order.answers else nullcontext(None)
        answering = stack.enter_context(serving)
        data = paths.data_folder(env)
        authority = stack.enter_context(ca.at_hand(data, given.env, say))
        model = server or answering
        outer = None if model else parent(given.env)
        # Before our own listeners are up: a process can hold only one mitmproxy at a time.
        route = start.chosen(
            given, order.route, lambda: attempt.trusts(started, env, authority, data, say)
        )
        folder = stack.enter_context(_folder(order, data))
        proxy = stack.enter_context(
            live(
                store,
                secrets_of(env),
                authority=authority,
                outer=outer,
                ports=(order.port, 0),
                source=order.source,
                say=say,
                mcp=order.mcp,
            )
        )
        bundle = str(authority.bundle)
        environment, launch = start.launched(given, route, proxy.addresses, bundle, folder)
        launch = stack.enter_context(private.started(launch, data))
        closed = model is not None
        proxy.hooks.plan = replace(
            _plan(given, launch),
            hosts=frozenset((*launch.hosts, *asked)),
            upstream=model.url if model else order.upstream,
            parent=outer,
            closed=closed,
        )
        child_env = start.environ(env, launch, proxy.addresses, bundle, closed=closed, asked=asked)
        under_way = _Run(order, given, environment, launch, proxy, folder, answering)
        outcome = under_way.through(child_env)
        if server and (surplus := server.surplus()):
            outcome = replace(outcome, surplus=surplus)
        if not outcome.complaint and server and (complaint := server.complaint()):
            outcome = replace(outcome, complaint=complaint)
    _report(order, outcome)
    return outcome


def _plan(given: Setting, launch: Launch) -> Plan:
    """Where requests that come by base URL go on to."""
    return Plan(
        gateway=launch.upstream if launch.route == "base-url" else None,
        endpoint=_ENDPOINTS.get(given.started.client),
        gateways={} if given.client else other.by_dialect(given.env),
    )


def _check(order: Order) -> tuple[str, ...]:
    """The hosts asked for. Raises `BadInput` for an order that cannot be followed."""
    if order.route not in ROUTES:
        raise BadInput(f"route {order.route}: unknown; choose one of {', '.join(ROUTES)}")
    if order.script and order.upstream:
        raise BadInput("--mock and --upstream: both given; choose one")
    if order.route == "raw-export" and (order.script or order.upstream):
        name = "--mock" if order.script else "--upstream"
        raise BadInput(f"--route raw-export: no proxy, so {name} gets nothing; take another route")
    parts = urlsplit(order.upstream or "http://none")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{order.upstream}: no http or https URL; give --upstream as one")
    if order.report and not order.report.absolute().parent.is_dir():
        raise BadInput(
            f"{order.report}: its folder does not exist; make it, or give another --report"
        )
    return hosts.chosen(order.host)


def _folder(order: Order, data: Path) -> AbstractContextManager[str]:
    """A folder for the client's own export, on that route."""
    return private.folder(data) if order.route == "raw-export" else nullcontext("")


def _mock(
    order: Order, env: Mapping[str, str], store: Store
) -> AbstractContextManager[mock.Server]:
    assert order.script is not None
    holes = {"{WS}": str(Path.cwd()), "{HOME}": env.get("HOME", ""), **order.holes}
    number = len(store.sessions()) if order.mock_run is None else order.mock_run
    return mock.serve(mock.script(order.script, holes), log=order.mock_log, run=number)


@dataclass(slots=True)
class _Run:
    """One run, from the snapshot to the sessions' end."""

    order: Order
    given: Setting
    environment: Environment
    launch: Launch
    live: Live
    folder: str
    answering: Answering | None = None

    def through(self, child_env: Mapping[str, str]) -> Outcome:
        """Snapshot, child, end."""
        sessions, secrets = self.live.sessions, self.live.sessions.given
        taken = snapshot.take(self.given.client, self.environment, given=secrets)
        if self.answering is not None:
            self.answering.began(taken)
        if self.launch.route != "tls":
            say(f"route {self.launch.route}: {self.launch.note}")
        for line in self._faults():
            say(line)
        own = sessions.own = sessions.begin(self._session(), taken)
        if own.owed:
            self.live.fault(f"storing failed ({own.owed}); the command runs all the same")
        self.live.open()
        with self._following(own):
            if self.live.asking is not None:
                self.live.asking.ask(own, child_env)
            over = self.answering.over if self.answering else None
            code = child.run(self.launch.argv, child_env, over, self.order.stdout)
            self.live.settle(2)
        ended = self.live.end(code)
        calls = sessions.calls
        missing = not calls and not ended.lost
        return Outcome(
            kept(ended.left),
            code,
            ended.faults,
            advice.nothing(self.live, self.given.started, self.launch.route) if missing else "",
            self.live.near_misses() if calls else "",
            lost=ended.lost,
        )

    def _faults(self) -> tuple[str, ...]:
        """What the client refuses of its workspace; a fault of ours is no fault of the run."""
        if self.given.client is None:
            return ()
        try:
            return self.given.client.faults(World(snapshot.DiskTree(), self.environment))
        except Exception as error:  # noqa: BLE001 - said, and the capture goes on
            return (f"its workspace was not checked ({reason(error)})",)

    def _session(self) -> Session:
        started = self.given.started
        return Session(
            id=Store.new_id(),
            client=started.client,
            version=started.version,
            route=self.launch.route,
            started=now(),
            source=self.order.source,
        )

    def _following(self, own: Ledger) -> AbstractContextManager[object]:
        if not self.folder:
            return nullcontext()
        base = self.launch.upstream or _ENDPOINTS[self.given.started.client]
        secrets = self.live.sessions.given
        return raw_export.following(Path(self.folder), own, base, secrets, self.live.fault)


def _report(order: Order, outcome: Outcome) -> None:
    if order.report is None:
        return
    document = {
        "schema": 1,
        "sessions": [one.row for one in outcome.sessions],
        "exit_code": outcome.code,
        "faults": list(outcome.faults),
    }
    try:
        order.report.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        say(f"{order.report}: the report cannot be written ({error.strerror})")
