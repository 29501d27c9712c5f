"""Importing: exchanges that other programs kept, sorted into sessions, redacted, then stored.

Strategy: one exchange at a time, in the order of its source. A conversation is a session; what
names no conversation (a client's settings, a handshake) joins the session under way. Nothing is
written before its secrets are replaced.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

from inspector import clients, formats, redact, wire
from inspector.capture import codec
from inspector.capture.agent import Agent, agent
from inspector.capture.cleaning import Cleaner
from inspector.capture.hosts import HOSTS
from inspector.errors import BadInput, NothingCaptured
from inspector.formats import Body, Item, Skipped
from inspector.jsontext import read
from inspector.session import Exchange, ExchangeKind, Headers, Recording, Session
from inspector.store import Store

_CONVERSATION = ("x-claude-code-session-id", "thread-id", "session-id")
_CALLS = ("/messages", "/messages/count_tokens", "/responses", "/responses/compact")
_CLAUDE_VERSION = re.compile(rb"cc_version=(\d+\.\d+\.\d+)")
_OLD_USER = re.compile(r"_session_([0-9a-f-]{36})$")
UNKNOWN_ROUTE = "unknown"
"""The route of bodies that came without their address."""


@dataclass(slots=True)
class Brought:
    """What an import has stored, and what it could not read."""

    sessions: dict[str, Session] = field(default_factory=dict[str, Session])
    """By id, in the order they began."""
    rows: dict[str, list[Exchange]] = field(default_factory=dict[str, list[Exchange]])
    """By session, its exchanges without headers and bodies."""
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    replaced: int = 0
    """Secrets."""

    @property
    def recordings(self) -> list[Recording]:
        """The sessions, with what a listing tells of their exchanges."""
        return [
            Recording(session, tuple(self.rows[name])) for name, session in self.sessions.items()
        ]


type Progress = Callable[[Path, int], None]
"""Told the source and how many of its bytes have been read."""


def bring(
    paths: list[Path], store: Store, given: redact.Given, now: str, progress: Progress
) -> Brought:
    """Import files and folders. Raises `BadInput` where nothing could be read.

    `given` are secrets known beforehand, `now` the time of this import. Raises `NothingCaptured`
    where all was read and no model call was in it.
    """
    for path in paths:
        if not path.exists():
            raise BadInput(f"{path}: no such file or folder; give what a browser or proxy saved")
    done, cleaner = Brought(), Cleaner(given)
    for path in paths:
        source = _Source(store, cleaner, now, done)
        for item in formats.read(path, lambda at, path=path: progress(path, at)):  # type: ignore[misc]
            if isinstance(item, Skipped):
                done.skipped.append(item)
            else:
                source.take(item)
        source.close(path)
    if not done.sessions:
        _nothing(done)
    return done


def _nothing(done: Brought) -> None:
    first = done.skipped[0] if done.skipped else None
    if first is None:
        raise BadInput("nothing to import: the files hold no exchange; give others")
    more = f" (and {len(done.skipped) - 1} more)" if len(done.skipped) > 1 else ""
    if all(item.reason.startswith(_LEFT_OUT) for item in done.skipped):
        raise NothingCaptured(f"{first.path}: {first.reason}{more}; capture a client's own traffic")
    raise BadInput(f"{first.path}: {first.reason}{more}; nothing was imported")


_LEFT_OUT = "no model traffic"


class _Source:
    """One path, and its sessions."""

    def __init__(self, store: Store, cleaner: Cleaner, now: str, done: Brought) -> None:
        self._store, self._cleaner, self._now, self._done = store, cleaner, now, done
        self._sessions: dict[str, Session] = {}
        self._counts: dict[str, int] = {}
        self._last: Session | None = None
        self._hosts: set[str] = set(HOSTS)
        self._left_out = 0

    def take(self, item: Item) -> None:
        """Store an exchange in the session it belongs to; foreign traffic is only counted."""
        exchange = converted(item, self._store.new_id())
        about = _About.of(item, exchange)
        if not about.ours(self._hosts):
            self._left_out += 1
            return
        if about.is_call and about.host:
            self._hosts.add(about.host)
        session = self._session(item, about)
        number = self._counts[session.id] = self._counts.get(session.id, 0) + 1
        exchange = replace(exchange, session=session.id, number=number, kind=about.kind)
        clean = _labelled(session, self._clean(exchange))
        self._store.put(clean)
        self._done.rows[session.id].append(_light(clean))
        self._done.replaced += clean.replaced

    def _clean(self, exchange: Exchange) -> Exchange:
        clean = self._cleaner.request(exchange)
        # Where a format lost the bytes as sent, their digest stays unknown.
        clean = replace(clean, wire_sha256=exchange.wire_sha256)
        return self._cleaner.response(clean, clean)

    def close(self, path: Path) -> None:
        """Name what was left out."""
        if self._left_out:
            reason = f"{_LEFT_OUT} in {self._left_out} of its exchanges, which were left out"
            self._done.skipped.append(Skipped(str(path), reason))

    def _session(self, item: Item, about: "_About") -> Session:
        key = item.group or about.conversation
        found = self._under_way(item, key)
        session = found or Session(
            id=self._store.new_id(),
            client="other",
            version="",
            route=item.route or about.route,
            started=item.started or self._now,
            source="import",
        )
        session = self._learnt(session, item, about)
        if session != found:
            self._store.put_session(session)
        self._done.sessions[session.id] = session
        self._done.rows.setdefault(session.id, [])
        self._sessions[key] = session
        if not item.group:
            self._last = session
        return session

    def _under_way(self, item: Item, key: str) -> Session | None:
        found = self._sessions.get(key) if key else self._last
        if found is not None or item.group or self._last is None:
            return found
        # What came before the conversation was named belongs to it.
        return self._last if self._last.conversation is None else None

    def _learnt(self, session: Session, item: Item, about: "_About") -> Session:
        if about.agent is not None and session.client in ("other", about.agent.client):
            version = session.version or about.agent.version
            session = replace(session, client=about.agent.client, version=version)
        if about.is_call and session.route == UNKNOWN_ROUTE:
            session = replace(session, route=item.route or about.route)
        if session.conversation is None and about.conversation:
            earlier = self._store.find_conversation(about.conversation, other_than=session.id)
            goes_on = earlier is not None and _before(earlier.started, session.started)
            continues = earlier.id if earlier is not None and goes_on else None
            session = replace(session, conversation=about.conversation, continues=continues)
        return session


def _before(one: str, other: str) -> bool:
    """Whether a time is known to be before another; sources differ in their offsets."""
    try:
        first, second = map(datetime.fromisoformat, (one, other))
        return first < second
    except (ValueError, TypeError):  # no times, or one without an offset
        return False


@dataclass(frozen=True, slots=True)
class _About:
    """What an exchange tells about itself."""

    agent: Agent | None
    conversation: str
    host: str
    is_call: bool
    kind: ExchangeKind

    @classmethod
    def of(cls, item: Item, exchange: Exchange) -> "_About":
        """Headers first; a body is looked into where they are silent."""
        url = _parts(exchange.url)
        posted = exchange.method == "POST" and url.path.endswith(_CALLS)
        is_call = posted or (exchange.method != "GET" and _is_shaped(exchange.request))
        conversation = item.conversation or next(
            filter(None, map(exchange.header, _CONVERSATION)), ""
        )
        named = agent(exchange.header("user-agent") or "")
        if is_call and not (conversation and named):
            body = Said.of(exchange.request)
            conversation, named = conversation or body.conversation, named or body.agent
        return cls(named, conversation, url.hostname or "", is_call, _kind(url.path, is_call))

    @property
    def route(self) -> str:
        """How the client reached its model, as far as an address tells."""
        if not self.host:
            return UNKNOWN_ROUTE
        return "tls" if self.host in HOSTS else "base-url"

    def ours(self, hosts: set[str]) -> bool:
        """Whether it is a model's or a known client's traffic."""
        return self.is_call or self.agent is not None or self.host in hosts


def _parts(url: str) -> SplitResult:
    try:
        found = urlsplit(url)
        _ = found.hostname
    except ValueError:  # no address, as `http://[`
        return urlsplit("")
    return found


def _is_shaped(body: bytes) -> bool:
    return wire.split(body).dialect is not None


def _kind(path: str, is_call: bool) -> ExchangeKind:
    """For clients without a model of ours; the others' are labelled when they are read."""
    if path.endswith("/count_tokens"):
        return ExchangeKind.COUNT_TOKENS
    return ExchangeKind.MAIN if is_call else ExchangeKind.AUX


@dataclass(frozen=True, slots=True)
class Said:
    """What a body tells: its conversation, its client."""

    conversation: str = ""
    agent: Agent | None = None

    @classmethod
    def of(cls, data: bytes) -> "Said":
        """Claude Code's metadata and billing block, Codex's cache key and metadata."""
        try:
            body = _object(read(data))
        except ValueError:
            return cls()
        user = _object(body.get("metadata")).get("user_id")
        if isinstance(user, str):
            version = _CLAUDE_VERSION.search(data)
            found = Agent("claude-code", version[1].decode()) if version else None
            return cls(_session_of(user), found)
        told = _object(body.get("client_metadata"))
        key = body.get("prompt_cache_key")
        found = Agent("codex", "") if any(name.startswith("x-codex") for name in told) else None
        return cls(key if isinstance(key, str) else "", found)


def _session_of(user: str) -> str:
    try:
        found = _object(read(user)).get("session_id")
    except ValueError:
        old = _OLD_USER.search(user)
        return old[1] if old else ""
    return found if isinstance(found, str) else ""


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _labelled(session: Session, exchange: Exchange) -> Exchange:
    return clients.labelled(Recording(session, (exchange,))).exchanges[0]


def _light(exchange: Exchange) -> Exchange:
    return replace(
        exchange,
        request=b"",
        request_wire=b"",
        response=b"",
        request_headers=(),
        response_headers=(),
    )


def converted(item: Item, made_id: str) -> Exchange:
    """An exchange as it is stored, but for its session, its place and its secrets."""
    request, faults = _decoded(item.request, item.request_headers, "request")
    response, more = _decoded(item.response, item.response_headers, "response")
    digest = hashlib.sha256(request).hexdigest()
    as_sent = item.request.coding == "as-sent"
    return Exchange(
        id=made_id,
        session="",
        number=0,
        method=item.method,
        url=item.url,
        request_headers=item.request_headers,
        request_wire=item.request.data if as_sent else request,
        request=request,
        request_sha256=digest,
        wire_sha256=_wire_digest(item, digest),
        status=item.status,
        response_headers=item.response_headers,
        response=response,
        started=item.started,
        first_byte=item.first_byte,
        ended=item.ended,
        error="; ".join(filter(None, (item.error, *faults, *more))),
    )


def _wire_digest(item: Item, decoded: str) -> str:
    """Of the bytes as sent; empty where a format kept only what was under their coding."""
    if item.request.coding == "as-sent":
        return hashlib.sha256(item.request.data).hexdigest()
    return "" if _header(item.request_headers, "content-encoding") else decoded


def _decoded(body: Body, headers: Headers, which: str) -> tuple[bytes, Iterator[str]]:
    if body.coding == "decoded":
        return body.data, iter(())
    found = codec.decode(body.data, _header(headers, "content-encoding"))
    return found.data, iter([f"{which}: {found.fault}"] if found.fault else [])


def _header(headers: Headers, name: str) -> str:
    return ", ".join(value for key, value in headers if key.lower() == name)
