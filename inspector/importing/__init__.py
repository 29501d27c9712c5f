"""Importing: exchanges that other programs kept, sorted into sessions, redacted, then stored.

Strategy: one exchange at a time, in the order of its source. A conversation is a session; what
names no conversation (a client's settings, a handshake) joins the session under way. Nothing is
written before its secrets are replaced.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from inspector import clients, formats, redact
from inspector.capture.cleaning import Cleaner
from inspector.capture.hosts import HOSTS
from inspector.errors import BadInput, NothingCaptured
from inspector.formats import Item, Skipped
from inspector.importing.about import UNKNOWN_ROUTE, About, Said
from inspector.importing.conversion import converted
from inspector.session import Exchange, Recording, Session
from inspector.store import Store

__all__ = ["Brought", "Said", "bring", "converted"]


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
        about = About.of(item, exchange)
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

    def _session(self, item: Item, about: About) -> Session:
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

    def _learnt(self, session: Session, item: Item, about: About) -> Session:
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
