"""What a capture says of the sessions it kept: a line for the user, a row for programs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from inspector import clients, profiles
from inspector.capture.ledger import Ledger
from inspector.errors import counted
from inspector.session import Session


@dataclass(frozen=True, slots=True)
class Kept:
    """A session that was kept."""

    session: Session
    exchanges: int
    calls: int
    """Model calls among them."""
    spoken: int
    """Requests in a model's dialect, a client's probes too."""

    @property
    def line(self) -> str:
        """What it is, and what to do with it next."""
        session = self.session
        name = f"{session.client} {session.version}".strip()
        # Nothing is rebuilt of what other clients send.
        command = "show" if session.client == "other" else "verify"
        return (
            f"session {session.id}: {name}, route {session.route},"
            f" {counted(self.calls, 'model call')} in {counted(self.exchanges, 'exchange')};"
            f" next: inspector {command} {session.id}"
        )

    @property
    def unknown(self) -> str:
        """That its client's version has no profile, and what learns it; empty where it has one."""
        session = self.session
        if session.client not in clients.names() or not session.version:
            return ""
        found = profiles.find(session.client, session.version)
        if found.exact:
            return ""
        return profiles.unknown(session.client, session.version, found.version)

    @property
    def lines(self) -> list[str]:
        """What is said of it."""
        return [self.line, *filter(None, [self.unknown])]

    @property
    def row(self) -> dict[str, Any]:
        """The session as `ls` lists it."""
        session = self.session
        return {
            "id": session.id,
            "client": session.client,
            "version": session.version,
            "route": session.route,
            "exchanges": self.exchanges,
            "model_calls": self.calls,
            "started": session.started,
            "continues": session.continues,
        }


def kept(ledgers: Iterable[Ledger]) -> tuple[Kept, ...]:
    """The sessions of ledgers, in their order."""
    return tuple(
        Kept(item.session, item.exchanges, item.model_calls, item.calls) for item in ledgers
    )
