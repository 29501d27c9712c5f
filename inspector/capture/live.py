"""A capture under way: listeners, the addon, and the sessions that its exchanges go to."""

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field

from inspector import redact
from inspector.capture import ca, listener, process, start
from inspector.capture.addon import Capture
from inspector.capture.agent import Agent
from inspector.capture.asking import Asking
from inspector.capture.hosts import near
from inspector.capture.intake import UNKNOWN, Intake, Origin
from inspector.capture.ledger import Ledger
from inspector.capture.parent import Parent
from inspector.capture.process import Process
from inspector.capture.sessions import Sessions, Ways
from inspector.errors import InspectorError, counted
from inspector.session import Snapshot
from inspector.store import Renewed, Store


@dataclass(frozen=True, slots=True)
class Ended:
    """What a capture has kept."""

    left: tuple[Ledger, ...]
    """Sessions of which anything is kept, in the order they began."""
    faults: tuple[str, ...]
    """What was not whole, in words."""
    lost: bool
    """Whether requests came in and none could be kept; the faults say so."""


@dataclass(slots=True)
class Live:
    """What runs and what it keeps."""

    hooks: Capture
    authority: ca.Authority
    addresses: listener.Addresses
    sessions: Sessions
    asking: Asking | None
    """Asks the clients' MCP servers; None: nobody is to be asked."""
    _say: Callable[[str], None]
    _intakes: list[Intake] = field(default_factory=list[Intake])

    faulty: bool = False
    """Whether a fault of storing was said."""
    requests: int = 0
    """How many came in, whether or not they could be stored."""

    def fault(self, line: str) -> None:
        """Say the first fault of storing; the traffic is not touched by any."""
        if not self.faulty:
            self.faulty = True
            self._say(line)

    def check(self) -> None:
        """Say it where nothing can be stored; it is kept as soon as that is mended."""
        try:
            with suppress(Renewed):
                self.sessions.store.check()
        except InspectorError as error:
            self.fault(f"storing failed ({error}); traffic goes on, kept once that is mended")

    def open(self) -> None:
        """Keep what comes from now on."""
        intake = Intake(
            "",
            self.sessions.put,
            new_id=Store.new_id,
            given=self.sessions.given,
            say=self.fault,
            together=self.sessions.store.together,
            begun=self._begun,
        )
        self._intakes.append(intake)
        self.hooks.intake = intake

    def _begun(self, at: str) -> None:
        self.requests += 1
        self.sessions.look(at)

    def settle(self, seconds: float) -> None:
        """Wait for exchanges under way, this long, then store what there is."""
        self.hooks.idle.wait(timeout=seconds)
        self.hooks.done()
        for intake in self._intakes:  # what is put now still asks where it came from
            intake.close()
        self._intakes.clear()

    def end(self, code: int | None = None) -> Ended:
        """Write the sessions' ends; whatever fails there, the client is not touched."""
        self.sessions.settle()
        for note in self.asking.end() if self.asking else ():
            self._say(note)
        try:
            try:
                self.sessions.store.check()
            except Renewed as error:
                self.fault(f"storing failed ({error})")
            self.sessions.close(code)
        except InspectorError as error:
            self.fault(f"storing failed ({error}); what is kept is not whole")
        ledgers = self.sessions.ledgers
        left = tuple(ledger for ledger in ledgers if self._left(ledger))
        faults = tuple(fault for ledger in ledgers for fault in ledger.faults)
        seen = max(self.requests, self.sessions.exchanges)
        if lost := bool(seen) and not left:
            faults = (*faults, f"nothing kept of {counted(seen, 'exchange')}")
        return Ended(left, faults, lost)

    def _left(self, ledger: Ledger) -> bool:
        """Whether anything is kept of a session; what is missing is said."""
        store, name, there = self.sessions.store, ledger.session.id, 0
        with suppress(InspectorError):
            there = store.number_of(name)
            if not there:
                store.remove(name)
        alone = len(self.sessions.ledgers) == 1  # then one line says it for all
        if there < ledger.exchanges and (there or not alone):
            fact = f"{there} of {counted(ledger.exchanges, 'exchange')} kept"
            ledger.faults.append(f"session {name}: {fact}")
        return bool(there)

    def origin(self, exchange: str) -> Origin:
        """Where an exchange came from."""
        origins = [intake.origins.pop(exchange, None) for intake in self._intakes]
        return next(filter(None, origins), UNKNOWN)

    def near_misses(self) -> str:
        """One line about closed hosts with the name of a model's; empty if there are none."""
        found = near(self.hooks.tunnelled)
        if not found:
            return ""
        options = " ".join(f"--host {host}" for host in found[:3])
        return f"not opened: {', '.join(found[:5])}; if a model is there, add {options}"


@contextmanager
def live(  # noqa: PLR0913 - one parameter a part of the capture
    store: Store,
    given: redact.Given,
    *,
    authority: ca.Authority,
    outer: Parent | None,
    ports: tuple[int, int],
    source: str,
    say: Callable[[str], None],
    by_process: bool = True,
    mcp: bool = True,
) -> Generator[Live]:
    """Listen; nothing is kept before `open` is called.

    `ports`: of the forward and the reverse listener, 0 for any. `mcp`: ask the clients' servers.
    """
    hooks, owners = Capture(), process.Owners()
    hooks.opened = owners.opened
    with (
        closing(owners),
        listener.listening(hooks, authority, ports[0], outer, ports[1]) as addresses,
    ):

        def facts(found: Process | None, seen: Agent, route: str) -> Snapshot | None:
            base_url = _base_url(hooks, addresses)
            return start.found(found, seen, route, given, base_url)

        def origin(exchange: str) -> Origin:
            return made.origin(exchange)

        asking = Asking(given, say, at_once=not by_process) if mcp else None
        ask = asking.ask if asking else None
        ways = Ways(source, origin, owners.of, facts, ask, by_process)
        made = Live(hooks, authority, addresses, Sessions(store, given, ways), asking, say)
        yield made


def _base_url(hooks: Capture, addresses: listener.Addresses) -> str:
    plan = hooks.plan
    return plan.gateway or next(iter(plan.gateways.values()), addresses.reverse)
