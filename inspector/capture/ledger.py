"""Keeping a session while it is captured: its exchanges, its client, its snapshot.

`put` runs in the intake's thread, off the proxy's hooks; it reads the tool calls of replies and
never parses a request.
"""

import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from inspector import clients, redact, wire
from inspector.capture.agent import Agent
from inspector.capture.said import conversation, header, kind, spoken, told
from inspector.clients import Client, Server
from inspector.errors import InspectorError
from inspector.segments import Dialect
from inspector.session import (
    MODEL_KINDS,
    Exchange,
    Recording,
    Session,
    Snapshot,
)
from inspector.snapshot import Watch, filled
from inspector.store import Renewed, Store
from inspector.turns import Called, Replied, Turn
from inspector.workspace import Environment, Listing, Tree

_ACCOUNT = "chatgpt-account-id"
_UNLOOKED = 64
_LATELY = timedelta(seconds=0.25)
_MOMENT = 0.02
"""Seconds between a request and its answer in which no tool of the client has run."""


class Ledger:
    """Stores what the intake hands on, and follows what the session learns about itself."""

    def __init__(
        self, store: Store, session: Session, snapshot: Snapshot | None, given: redact.Given
    ) -> None:
        """Write the session and its snapshot, before the client starts if that is known."""
        self.session = session
        self.started_as = session.client
        self.user_agent = ""
        """The first one a known agent gave."""
        self.asked = 0
        """How often its process was looked for since its first exchange."""
        self.faults: list[str] = []
        """What was not whole, in words."""
        self.exchanges = 0
        self.calls = 0
        """Requests in a model's dialect, whatever for."""
        self._counted: int | None = None
        self._account = False
        """Whether a model call named the account that pays for it."""
        self._learned = 0
        """The last exchange that told of the session."""
        self._store, self._given = store, given
        self._client: Client | None = None
        self._environment: Environment | None = None
        self._watch: Watch | None = None
        self._unlooked: deque[tuple[str, tuple[Called, ...]]] = deque(maxlen=_UNLOOKED)
        """Calls that came before it was known what the client reads, and when they did."""
        self._looked, self._glanced = datetime.fromtimestamp(0, UTC), -_MOMENT
        self.owed = ""
        """Why session and snapshot could not be written; tried again with each exchange."""
        try:
            store.put_session(session)
        except InspectorError as error:
            self.owed = str(error)
        self.adopt(snapshot)

    def adopt(self, snapshot: Snapshot | None) -> None:
        """Take a snapshot in place of the one there is; its client is the session's."""
        if snapshot is None:
            return
        if self._watch is not None:
            self._watch.close()
        client = known(snapshot.environment.client)
        self._environment = snapshot.environment
        self._watch = Watch(snapshot, client, given=self._given, news=self._later)
        self._client = client
        try:
            self._store.put_snapshot(self.session.id, snapshot)
        except InspectorError as error:
            self.owed = str(error)
        self._catch_up()

    def _later(self, seen: Snapshot) -> None:
        """Keep what a look saw, in the watch's thread; what cannot be written is owed."""
        if self._watch is None or self.owed:
            return
        try:
            if not self._store.put_later(self.session.id, seen):
                self._store.put_snapshot(self.session.id, self._watch.snapshot)
        except InspectorError as error:
            self.owed = str(error)
            if isinstance(error, Renewed):  # told to whoever meets it first, and to nobody else
                self.faults.append(f"storing failed ({error})")

    def _pay(self) -> None:
        """Write session and snapshot where that failed before."""
        if not self.owed:
            return
        self._store.put_session(self.session)
        if self._watch is not None:
            self._store.put_snapshot(self.session.id, self._watch.snapshot)
        self.owed = ""

    def put(self, exchange: Exchange, complete: bool, number: int = 0) -> None:
        """Store an exchange; called again while it grows and when it is complete.

        `number`: its place in the session; 0 where the exchange has it already.
        """
        number = number or exchange.number
        dialect = spoken(exchange)
        named = kind(exchange, dialect)
        if number > self.exchanges:  # counted first: it was there even if it cannot be stored
            self.exchanges, self.calls = number, self.calls + (dialect is not None)
        self._pay()
        self._store.put(replace(exchange, session=self.session.id, number=number, kind=named))
        if number > self._learned:
            self._learned = number
            self._begun(exchange, dialect)
        if not complete:
            return
        if exchange.error:
            self.faults.append(f"exchange {number} ({exchange.id}): {exchange.error}")
        if dialect is not None:
            self._called(exchange.ended, _calls(exchange, dialect))

    def _begun(self, exchange: Exchange, dialect: Dialect | None) -> None:
        """Take in what a request tells, once."""
        said = told(exchange.request_headers)
        named = said.conversation
        if named is None and dialect is not None and self.session.conversation is None:
            named = conversation(exchange.request)
        self.learn(said.agent, named, said.user_agent)
        if dialect is not None:
            self._account |= bool(header(exchange.request_headers, _ACCOUNT))
            self._look(exchange.started)

    def listed(self, listings: tuple[Listing, ...], notes: Iterable[str] = ()) -> None:
        """Keep what the client's MCP servers say."""
        watch = self._watch
        if watch is not None and listings:
            watch.listed(listings, notes)

    def servers(self, tree: Tree) -> tuple[Server, ...]:
        """The MCP servers the session's client starts."""
        if self._client is None or self._environment is None:
            return ()
        return self._client.servers(tree, self._environment)

    @property
    def cwd(self) -> str | None:
        """The folder the client started in, where that is known."""
        return None if self._environment is None else self._environment.cwd

    def close(self, exit_code: int | None) -> None:
        """Write the session's end."""
        self._update(replace(self.session, exit_code=exit_code))
        if self._watch is not None:
            self._end_snapshot(self._watch)
        self._count()

    def _count(self) -> None:
        """Count model calls as `ls` and `show` do: a known client also sends some to probe."""
        if known(self.session.client) is None:
            return
        exchanges = self._store.exchanges(self.session.id)
        if len(exchanges) == self.exchanges:  # else some were lost, which is told elsewhere
            found = clients.labelled(Recording(self.session, exchanges)).exchanges
            self._counted = sum(exchange.kind in MODEL_KINDS for exchange in found)

    @property
    def model_calls(self) -> int:
        """How many of the calls are no probes; known when the session has ended."""
        return self.calls if self._counted is None else self._counted

    def _end_snapshot(self, watch: Watch) -> None:
        snapshot, self._watch = watch.close(), None
        learned = {"version": self.session.version}
        # What a login's file holds, an account or a key, only its requests tell.
        if self.calls and snapshot.environment.credential == "login" and not self._account:
            learned["credential"] = "key"
        environment = snapshot.environment.model_copy(update=learned)
        snapshot = replace(snapshot, environment=environment)
        self._store.put_snapshot(self.session.id, snapshot)
        if self._client is not None:
            snapshot = filled(self._chain(), self._client, self._given)
            self._store.put_snapshot(self.session.id, snapshot)

    @property
    def about(self) -> str:
        """The client whose facts the snapshot holds; empty without one."""
        return "" if self._environment is None else self._environment.client

    @property
    def watched(self) -> bool:
        """Whether changes of the session's files are still kept."""
        return self._watch is not None

    def look(self, at: str) -> None:
        """Look at the session's files as a request comes in."""
        self._look(at)

    def _look(self, at: str, paths: tuple[str, ...] = ()) -> None:
        watch = self._watch  # the session may end meanwhile
        if watch is None or (not paths and self._saw(at)):
            return
        self._looked, self._glanced = datetime.now(UTC), time.monotonic()
        watch.look(at, paths)

    def _saw(self, at: str) -> bool:
        """Whether the last look came after this moment: of several stored together, one is enough.

        A look long after it says nothing: the clock may have been set back.
        """
        try:
            return timedelta(0) < self._looked - datetime.fromisoformat(at) < _LATELY
        except (ValueError, TypeError):  # no moment, or one without its offset
            return False

    def _chain(self) -> list[Recording]:
        """This session's recording and those it continues, oldest first."""
        found: dict[str, Recording] = {}
        wanted: str | None = self.session.id
        while wanted is not None and wanted not in found:
            found[wanted] = self._store.recording(wanted)
            wanted = found[wanted].session.continues
        return list(reversed(found.values()))

    def reached(self, route: str) -> None:
        """The route of a command that is no client shows with its first exchange."""
        if self.started_as == "other" and not self.exchanges:
            self._update(replace(self.session, route=route))

    def learn(self, seen: Agent | None, named: str | None, user_agent: str = "") -> None:
        """Take in what a request tells of the client, its version and its conversation."""
        session = self.session
        if seen is not None and session.client in ("other", seen.client):
            session = replace(session, client=seen.client, version=seen.version)
            self.user_agent = self.user_agent or user_agent
        if session.conversation is None and named:
            earlier = self._store.find_conversation(named, other_than=session.id)
            continues = earlier.id if earlier is not None else None
            session = replace(session, conversation=named, continues=continues)
        self._update(session)

    def _update(self, session: Session) -> None:
        if session != self.session:
            self.session = session
            self._store.put_session(session)

    def _called(self, at: str, calls: tuple[Called, ...]) -> None:
        """Look at the files that calls name; later, where it is not known yet how they do it."""
        if not calls:
            return
        if self._client is None or self._environment is None:
            self._unlooked.append((at, calls))
            self._catch_up()
            return
        paths = self._client.named_paths(Turn(events=(Replied(blocks=calls),)), self._environment)
        watch, since = self._watch, time.monotonic() - self._glanced
        if since > _MOMENT or watch is None or not watch.knows(paths):
            self._look(at, paths)

    def _catch_up(self) -> None:
        """Look at what earlier calls name, once it is known what the client reads."""
        with suppress(IndexError):  # the other thread was quicker
            while self._client is not None and self._unlooked:
                self._called(*self._unlooked.popleft())


def _calls(exchange: Exchange, dialect: Dialect) -> tuple[Called, ...]:
    """The tool calls of its answer."""
    form = header(exchange.response_headers, "content-type")
    return wire.calls(dialect, exchange.response, form, exchange.status or 0)


def known(client: str) -> Client | None:
    """The client module, for a client that has one."""
    return clients.client(client) if client in clients.names() else None
