"""Keeping a session while it is captured: its exchanges, its client, its snapshot.

`put` runs in the intake's thread, off the proxy's hooks; it reads the tool calls of replies and
never parses a request.
"""

from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from inspector import clients, redact, wire
from inspector.capture.agent import agent
from inspector.clients import Client
from inspector.segments import Dialect
from inspector.session import WEBSOCKET, Exchange, Recording, Session, Snapshot
from inspector.snapshot import Watch, filled
from inspector.store import Store
from inspector.turns import Called, Replied, Turn
from inspector.workspace import Listing

_CONVERSATION = ("x-claude-code-session-id", "thread-id", "session-id")
"""Headers with the client's id of a conversation [claude-code 2.1.332, fp_basic; codex, base]."""

_PATHS = {"/messages": "anthropic", "/responses": "openai"}
"""How the paths of model calls end, and the dialect spoken there."""


class Ledger:
    """Stores what the intake hands on, and follows what the session learns about itself."""

    def __init__(
        self, store: Store, session: Session, snapshot: Snapshot, given: redact.Given
    ) -> None:
        """Write the session and its snapshot, before the client starts."""
        self.session = session
        self.faults: list[str] = []
        """What was not whole, in words."""
        self.exchanges = 0
        self.calls = 0
        """Model calls, by their path."""
        self._store = store
        self._client, self._environment = known(session.client), snapshot.environment
        self._watch = Watch(snapshot, self._client, given=given)
        self._given = given
        store.put_session(session)
        store.put_snapshot(session.id, snapshot)

    def put(self, exchange: Exchange, complete: bool) -> None:
        """Store an exchange; called when its request is there, and again when it is complete."""
        self._store.put(exchange)
        dialect = spoken(exchange)
        if not complete:
            self.exchanges += 1
            self._recognise(exchange)
            if dialect is not None:
                self.calls += 1
                self._watch.look(exchange.started)
            return
        if exchange.error:
            self.faults.append(f"exchange {exchange.number} ({exchange.id}): {exchange.error}")
        if dialect is not None and (paths := self._named_paths(exchange, dialect)) is not None:
            self._watch.look(exchange.ended, paths)

    def close(
        self, exit_code: int | None, listings: tuple[Listing, ...], notes: Iterable[str] = ()
    ) -> Snapshot:
        """Write the session's end; the snapshot as it was kept."""
        snapshot = self._watch.close()
        version = {"version": self.session.version}
        snapshot = replace(
            snapshot,
            environment=snapshot.environment.model_copy(update=version),
            listings=listings,
            notes=(*snapshot.notes, *notes),
        )
        self._store.put_snapshot(self.session.id, snapshot)
        self._update(replace(self.session, exit_code=exit_code))
        if self._client is not None:
            snapshot = filled(self._chain(), self._client, self._given)
            self._store.put_snapshot(self.session.id, snapshot)
        return snapshot

    def _chain(self) -> list[Recording]:
        """This session's recording and those it continues, oldest first."""
        found: dict[str, Recording] = {}
        wanted: str | None = self.session.id
        while wanted is not None and wanted not in found:
            found[wanted] = self._store.recording(wanted)
            wanted = found[wanted].session.continues
        return list(reversed(found.values()))

    def shaped(self) -> list[Exchange]:
        """Stored exchanges with the body of a model call, whatever their path."""
        stored = self._store.exchanges(self.session.id)
        return [item for item in stored if item.request and wire.split(item.request).dialect]

    def _recognise(self, exchange: Exchange) -> None:
        """Learn the client, its version and its conversation from a request's headers."""
        session = self.session
        seen = agent(exchange.header("user-agent") or "")
        if seen is not None and session.client in ("other", seen.client):
            session = replace(session, client=seen.client, version=seen.version)
        if session.conversation is None and (conversation := _conversation(exchange)):
            earlier = self._store.find_conversation(conversation, other_than=session.id)
            continues = earlier.id if earlier is not None else None
            session = replace(session, conversation=conversation, continues=continues)
        self._update(session)

    def _update(self, session: Session) -> None:
        if session != self.session:
            self.session = session
            self._store.put_session(session)

    def _named_paths(self, exchange: Exchange, dialect: Dialect) -> tuple[str, ...] | None:
        """The files the reply's tool calls name; None for a reply without tool calls."""
        kind = _header(exchange.response_headers, "content-type")
        said = wire.reply(dialect, exchange.response, kind, exchange.status or 0)
        if not isinstance(said, Replied) or not any(
            isinstance(block, Called) for block in said.blocks
        ):
            return None
        if self._client is None:
            return ()
        return self._client.named_paths(Turn(events=(said,)), self._environment)


def known(client: str) -> Client | None:
    """The client module, for a client that has one."""
    return clients.client(client) if client in clients.names() else None


def spoken(exchange: Exchange) -> Dialect | None:
    """The dialect of a model call, by its path."""
    if exchange.method not in ("POST", WEBSOCKET):
        return None
    path = urlsplit(exchange.url).path
    return next((wire.named(name) for end, name in _PATHS.items() if path.endswith(end)), None)


def _conversation(exchange: Exchange) -> str | None:
    return next(filter(None, map(exchange.header, _CONVERSATION)), None)


def _header(headers: Iterable[tuple[str, str]], name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")
