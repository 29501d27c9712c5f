"""Capturing a client run: the proxy beside it, the snapshot before it, the session after it.

Order: command, store, script, CA, listeners; then the client's own facts and `Launch`; then the
snapshot; then the child. Whatever can be refused is refused before the child starts.
"""

import json
import os
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from inspector import mcp_client, mock, paths, redact, snapshot
from inspector.capture import ca, child, listener, start
from inspector.capture.addon import Capture, Plan
from inspector.capture.intake import Intake, now
from inspector.capture.ledger import Ledger, known
from inspector.capture.parent import parent
from inspector.capture.program import Program, program
from inspector.clients import Launch
from inspector.errors import BadInput, NothingCaptured
from inspector.session import Session
from inspector.store import Store
from inspector.workspace import Environment, Listing

ROUTES = ("auto", "tls", "base-url")

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
    source: str = "run"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    session: Session
    code: int
    """The child's exit code."""
    exchanges: int
    calls: int
    faults: tuple[str, ...]
    complaint: str = ""
    """Why the run fails although the child did not: nothing captured, a script not played out."""


def say(line: str) -> None:
    """Our own words go to standard error."""
    print(f"inspector: {line}", file=sys.stderr, flush=True)  # noqa: T201


def run(order: Order, env: Mapping[str, str] | None = None) -> int:
    """Capture a run; the exit code.

    Raises `NothingCaptured` when the child ended well without a model call.
    """
    outcome = capture(order, dict(os.environ) if env is None else env)
    for fault in outcome.faults:
        say(fault)
    session = outcome.session
    if outcome.calls:
        name = f"{session.client} {session.version}".strip()
        say(
            f"session {session.id}: {name}, route {session.route}, {outcome.calls} model calls in"
            f" {outcome.exchanges} exchanges; next: inspector verify {session.id}"
        )
    if outcome.complaint and not outcome.code:
        if not outcome.calls:
            raise NothingCaptured(outcome.complaint)
        say(outcome.complaint)
        return 1
    if outcome.complaint:
        say(outcome.complaint)
    return outcome.code


def capture(order: Order, env: Mapping[str, str]) -> Outcome:
    """Capture a run and say how it ended."""
    started = program(order.command, env)
    _check(order)
    with ExitStack() as stack:
        store = stack.enter_context(Store.open(order.store))
        server = stack.enter_context(_mock(order, env, store)) if order.script else None
        authority = ca.authority(paths.data_folder(env), env)
        hooks = Capture()
        outer = None if server else parent(env)
        addresses = stack.enter_context(listener.listening(hooks, authority, order.port, outer))
        bundle = str(authority.bundle)
        environment, launch = start.launched(started, order.route, env, addresses, bundle)
        hooks.plan = Plan(
            hosts=frozenset(launch.hosts),
            upstream=server.url if server else order.upstream,
            gateway=launch.upstream if launch.route == "base-url" else None,
            endpoint=_ENDPOINTS.get(started.client),
            parent=outer,
            closed=server is not None,
        )
        child_env = start.environ(env, launch, addresses, bundle, closed=server is not None)
        run_ = _Run(order, started, env, environment, launch, hooks)
        outcome = run_.through(store, child_env)
        if not outcome.complaint and server and (complaint := server.complaint()):
            outcome = replace(outcome, complaint=complaint)
    _report(order, outcome)
    return outcome


def _check(order: Order) -> None:
    if order.route not in ROUTES:
        raise BadInput(f"route {order.route}: unknown; choose one of {', '.join(ROUTES)}")
    if order.script and order.upstream:
        raise BadInput("--mock and --upstream: both given; choose one")
    parts = urlsplit(order.upstream or "http://none")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{order.upstream}: no http or https URL; give --upstream as one")
    if order.report and not order.report.absolute().parent.is_dir():
        raise BadInput(
            f"{order.report}: its folder does not exist; make it, or give another --report"
        )


def _mock(
    order: Order, env: Mapping[str, str], store: Store
) -> AbstractContextManager[mock.Server]:
    assert order.script is not None
    holes = {"{WS}": str(Path.cwd()), "{HOME}": env.get("HOME", ""), **order.holes}
    number = len(store.sessions()) if order.mock_run is None else order.mock_run
    return mock.serve(mock.script(order.script, holes), log=order.mock_log, run=number)


@dataclass(slots=True)
class _Run:
    """One run, from the snapshot to the session's end."""

    order: Order
    started: Program
    env: Mapping[str, str]
    environment: Environment
    launch: Launch
    hooks: Capture

    def through(self, store: Store, child_env: Mapping[str, str]) -> Outcome:
        """Snapshot, child, end."""
        given = redact.given(self.env)
        client = known(self.started.client)
        taken = snapshot.take(client, self.environment, given=given)
        session = Session(
            id=Store.new_id(),
            client=self.started.client,
            version=self.started.version,
            route=self.launch.route,
            started=now(),
            source=self.order.source,
        )
        ledger = Ledger(store, session, taken, given)
        intake = Intake(session.id, ledger.put, new_id=Store.new_id, given=given, say=say)
        self.hooks.intake = intake
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(self._listings, child_env)
            code = child.run(self.launch.argv, child_env)
            self.hooks.idle.wait(timeout=2)
            self.hooks.done()
            intake.close()
            listings = _clean(asked.result(), given)
        unread = [item for item in listings if item.state != "ready"]
        notes = tuple(f"MCP server {item.server}: {item.state} ({item.reason})" for item in unread)
        for note in notes:
            say(note)
        ledger.close(code, listings, notes)
        calls = ledger.calls or len(ledger.shaped())
        complaint = "" if calls else self._nothing(ledger)
        faults = tuple(ledger.faults)
        return Outcome(ledger.session, code, ledger.exchanges, calls, faults, complaint)

    def _listings(self, child_env: Mapping[str, str]) -> tuple[Listing, ...]:
        """Ask the MCP servers the client starts; a fault of ours is no fault of the run."""
        client = known(self.started.client)
        if client is None or not self.order.mcp:
            return ()
        try:
            servers = client.servers(snapshot.DiskTree(), self.environment)
            if servers:
                names = ", ".join(server.name for server in servers)
                say(f"asking the MCP servers too ({names}): each starts twice; see --no-mcp")
            return mcp_client.ask_all(servers, env=child_env, cwd=self.environment.cwd)
        except Exception as error:  # noqa: BLE001 - said, and the capture goes on
            say(f"MCP servers were not asked ({type(error).__name__}: {error})")
            return ()

    def _nothing(self, ledger: Ledger) -> str:
        """Why there was no model call, and what to try."""
        name = Path(self.started.argv[0]).name
        if self.hooks.distrusted:
            hosts = ", ".join(sorted(self.hooks.distrusted))
            return f"{name}: it does not trust our certificate for {hosts}; {self._advice()}"
        if ledger.exchanges:
            return (
                f"{name}: {ledger.exchanges} requests reached a model host, none was a model call;"
                f" see `inspector show {ledger.session.id}`"
            )
        if self.hooks.tunnelled:
            hosts = ", ".join(sorted(self.hooks.tunnelled)[:5])
            return f"{name}: no model call, only {hosts}; if its model is there, name it as gateway"
        return f"{name}: no request reached us; {self._advice()}"

    def _advice(self) -> str:
        if self.started.client == "other":
            return "it must honour HTTPS_PROXY and SSL_CERT_FILE; or run claude or codex"
        route = "tls" if self.launch.route == "base-url" else "base-url"
        return f"try --route {route}, or `inspector doctor`"


def _clean(listings: tuple[Listing, ...], given: redact.Given) -> tuple[Listing, ...]:
    return tuple(
        Listing.model_validate_json(redact.data(item.model_dump_json().encode(), given)[0])
        for item in listings
    )


def _report(order: Order, outcome: Outcome) -> None:
    if order.report is None:
        return
    session = outcome.session
    document = {
        "schema": 1,
        "sessions": [
            {
                "id": session.id,
                "client": session.client,
                "version": session.version,
                "route": session.route,
                "exchanges": outcome.exchanges,
                "model_calls": outcome.calls,
                "started": session.started,
                "continues": session.continues,
            }
        ],
        "exit_code": outcome.code,
        "faults": list(outcome.faults),
    }
    try:
        order.report.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        say(f"{order.report}: the report cannot be written ({error.strerror})")
