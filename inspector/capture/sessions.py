"""One stream of exchanges, many sessions: each goes to the client process it came from.

Strategy: a client names its conversation in a header; a conversation belongs to one session. A
conversation not seen before belongs to the process that sent it, where the system tells which that
is (and the run asked for it); else to a session that has no conversation yet, or to a new one. What
names no conversation (settings, handshakes) joins the newest session of its client. What a process
could read is looked at in a thread beside: it takes a while, and exchanges are kept meanwhile.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from inspector import redact
from inspector.capture.agent import Agent, interactive
from inspector.capture.intake import Origin
from inspector.capture.ledger import Ledger
from inspector.capture.process import Process
from inspector.capture.said import spoken, told
from inspector.errors import reason
from inspector.session import Exchange, Session, Snapshot
from inspector.store import Store

_WATCHED = 16
"""Sessions whose files are looked at again and again; older ones have most likely ended."""

_REMEMBERED = 4096
"""Exchanges that may still be put again: when they end, late on a WebSocket, after a fault."""

_TRIES = 8
"""Exchanges of a session whose process is looked for."""


@dataclass(frozen=True, slots=True)
class Ways:
    """What sorting needs to know of the world; each is asked once a session."""

    source: str
    origin: Callable[[str], Origin]
    """Where the exchange with this id came from."""
    owner: Callable[[int], Process | None]
    """Whose connection leaves from a local port."""
    facts: Callable[[Process | None, Agent, str], Snapshot | None]
    """What a client process could read, given its route; None where nobody knows."""
    ask: Callable[[Ledger, Mapping[str, str], int], None] | None = None
    """Asks the MCP servers of a session's client; None: nobody is to be asked."""
    by_process: bool = True
    """Whether a process is one session, however many conversations it holds."""


@dataclass(slots=True)
class Sessions:
    """Sorts exchanges into sessions and keeps those."""

    store: Store
    given: redact.Given
    ways: Ways
    own: Ledger | None = None
    """The session of the command that was started."""
    ledgers: list[Ledger] = field(default_factory=list[Ledger])
    """In the order they began."""
    _of: dict[str, tuple[Ledger, int]] = field(default_factory=dict[str, tuple[Ledger, int]])
    """By exchange, its session and its place there."""
    _named: dict[str, Ledger] = field(default_factory=dict[str, Ledger])
    """By conversation."""
    _pids: dict[int, Ledger] = field(default_factory=dict[int, Ledger])
    _last: Ledger | None = None
    _facts: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, "inspector-facts")
    )
    _awaiting: list[Ledger] = field(default_factory=list[Ledger])
    """Sessions whose process is being looked at."""

    def begin(self, session: Session, snapshot: Snapshot | None) -> Ledger:
        """Start a session before its first exchange."""
        watched = [item for item in self.ledgers if item.watched and item is not self.own]
        for ledger in watched[: max(len(watched) - _WATCHED, 0)]:
            ledger.close(None)
        ledger = Ledger(self.store, session, snapshot, self.given)
        self.ledgers.append(ledger)
        return ledger

    def put(self, exchange: Exchange, complete: bool) -> None:
        """Store an exchange in its session; called again when it is complete."""
        placed = self._of.get(exchange.id)
        if placed is None:
            ledger = self._last = self._place(exchange, self.ways.origin(exchange.id))
            placed = self._of[exchange.id] = (ledger, ledger.exchanges + 1)
            while len(self._of) > _REMEMBERED:
                del self._of[next(iter(self._of))]
        ledger, number = placed
        ledger.put(exchange, complete, number)

    def look(self, at: str) -> None:
        """Look at the files of sessions under way as a request comes in, before it is answered."""
        for ledger in tuple(self.ledgers):
            ledger.look(at)

    def settle(self) -> None:
        """Wait for what processes tell; none is looked at any more."""
        self._facts.shutdown()

    def close(self, code: int | None) -> None:
        """End every session; the exit code is that of the command's own."""
        self.settle()
        for ledger in self.ledgers:
            ledger.close(code if ledger is self.own else None)

    @property
    def exchanges(self) -> int:
        """How many there are in all sessions."""
        return sum(ledger.exchanges for ledger in self.ledgers)

    @property
    def calls(self) -> int:
        """How many of them are model calls."""
        return sum(ledger.calls for ledger in self.ledgers)

    def _place(self, exchange: Exchange, origin: Origin) -> Ledger:
        said = told(exchange.request_headers)
        seen, name = said.agent, said.conversation
        for known in filter(None, (name, said.parent)):
            if known in self._named:
                ledger = self._joined(name, self._named[known])
                if seen is not None and ledger.about != seen.client:
                    self._inform(ledger, seen, self._owner(ledger, origin))
                return ledger
        if name is None:
            ledger = self._nameless(exchange, seen) or self._new(exchange, origin)
            ledger.reached(origin.route)
            return ledger
        process = self.ways.owner(origin.port)
        ledger = (
            self._of_process(process)
            or self._waiting(seen)
            or self._chatting(exchange, seen)
            or self._new(exchange, origin)
        )
        ledger.reached(origin.route)
        self._inform(ledger, seen, process)
        return self._joined(name, ledger)

    def _owner(self, ledger: Ledger, origin: Origin) -> Process | None:
        """Who sent an exchange of a session without facts: its first may have ended too soon."""
        ledger.asked += 1
        return self.ways.owner(origin.port) if ledger.asked <= _TRIES else None

    def _inform(self, ledger: Ledger, seen: Agent | None, process: Process | None) -> None:
        """Give a session what its process tells, soon."""
        if process is None:
            return
        self._pids[process.pid] = ledger
        if seen is not None and ledger.about != seen.client and ledger not in self._awaiting:
            self._awaiting.append(ledger)
            self._facts.submit(self._take_in, ledger, seen, process)

    def _take_in(self, ledger: Ledger, seen: Agent, process: Process) -> None:
        try:
            ledger.adopt(self.ways.facts(process, seen, ledger.session.route))
            if self.ways.ask is not None:
                self.ways.ask(ledger, process.env, process.pid)
        except Exception as error:  # noqa: BLE001 - said at the end, and the capture goes on
            ledger.faults.append(
                f"session {ledger.session.id}: its files were not kept ({reason(error)})"
            )
        finally:
            self._awaiting.remove(ledger)

    def _joined(self, name: str | None, ledger: Ledger) -> Ledger:
        if name is not None:
            self._named[name] = ledger
        return ledger

    def _of_process(self, process: Process | None) -> Ledger | None:
        if process is None or not self.ways.by_process:
            return None
        return self._pids.get(process.pid)

    def _waiting(self, seen: Agent | None) -> Ledger | None:
        """A session without a conversation that this client may have begun."""
        return next((ledger for ledger in self.ledgers if _fits(ledger, seen)), None)

    def _chatting(self, exchange: Exchange, seen: Agent | None) -> Ledger | None:
        """The command's own session, where a person has another chat in it (`/clear`, a title).

        A client started by a tool is not typed to. One process may call itself by several names:
        Codex is `codex_cli_rs` and then `codex-tui` [codex 0.171.0, terminal].
        """
        own, name = self.own, told(exchange.request_headers).user_agent
        if own is None or seen is None or not interactive(name) or not self.ways.by_process:
            return None
        return own if own.started_as == seen.client and interactive(own.user_agent) else None

    def _nameless(self, exchange: Exchange, seen: Agent | None) -> Ledger | None:
        """Where an exchange without a conversation belongs."""
        newest = self.ledgers[::-1]
        if seen is not None:
            same = next((item for item in newest if item.session.client == seen.client), None)
            return same or self._waiting(seen)
        if spoken(exchange) is None:
            return self._last or (newest[0] if newest else None)
        foreign = (item for item in newest if not item.exchanges or item.session.client == "other")
        return next(foreign, None)

    def _new(self, exchange: Exchange, origin: Origin) -> Ledger:
        session = Session(
            id=Store.new_id(),
            client="other",
            version="",
            route=origin.route,
            started=exchange.started,
            source=self.ways.source,
        )
        return self.begin(session, None)


def _fits(ledger: Ledger, seen: Agent | None) -> bool:
    session = ledger.session
    if session.conversation is not None:
        return False
    if session.client == "other":
        # Model calls of another program, an SDK's say, are no part of this client's session.
        return not ledger.calls
    return seen is not None and seen.client == session.client
