"""A capture under way: listeners, the addon, and the sessions that its exchanges go to."""

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from inspector import redact
from inspector.capture import ca, listener, process, start
from inspector.capture.addon import Capture
from inspector.capture.agent import Agent
from inspector.capture.hosts import near
from inspector.capture.intake import UNKNOWN, Intake, Origin
from inspector.capture.parent import Parent
from inspector.capture.process import Process
from inspector.capture.sessions import Sessions, Ways
from inspector.session import Snapshot
from inspector.store import Store


@dataclass(slots=True)
class Live:
    """What runs and what it keeps."""

    hooks: Capture
    authority: ca.Authority
    addresses: listener.Addresses
    sessions: Sessions
    _say: Callable[[str], None]
    _intakes: list[Intake] = field(default_factory=list[Intake])

    faulty: bool = False
    """Whether a fault of storing was said."""

    def fault(self, line: str) -> None:
        """Say the first fault of storing; the traffic is not touched by any."""
        if not self.faulty:
            self.faulty = True
            self._say(line)

    def open(self) -> None:
        """Keep what comes from now on."""
        intake = Intake(
            "",
            self.sessions.put,
            new_id=Store.new_id,
            given=self.sessions.given,
            say=self.fault,
            together=self.sessions.store.together,
            begun=self.sessions.look,
        )
        self._intakes.append(intake)
        self.hooks.intake = intake

    def settle(self, seconds: float) -> None:
        """Wait for exchanges under way, this long, then store what there is."""
        self.hooks.idle.wait(timeout=seconds)
        self.hooks.done()
        for intake in self._intakes:  # what is put now still asks where it came from
            intake.close()
        self._intakes.clear()

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
) -> Generator[Live]:
    """Listen; nothing is kept before `open` is called.

    `ports`: of the forward and the reverse listener, 0 for any.
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

        ways = Ways(source, origin, owners.of, facts, by_process)
        made = Live(hooks, authority, addresses, Sessions(store, given, ways), say)
        yield made


def _base_url(hooks: Capture, addresses: listener.Addresses) -> str:
    plan = hooks.plan
    return plan.gateway or next(iter(plan.gateways.values()), addresses.reverse)
