"""What the assertions take: built requests, a captured session, a recording, bodies."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspector.cli.offline import Situation
    from inspector.diff import Side
    from inspector.views.conversations import Judged


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests that were built offline."""

    situation: "Situation"

    @property
    def bodies(self) -> tuple[bytes, ...]:
        """The exact bytes, in order."""
        return tuple(body.sent for body in self.situation.bodies)

    @property
    def documents(self) -> tuple[dict[str, Any], ...]:
        """The same, parsed."""
        return tuple(json.loads(body) for body in self.bodies)


@dataclass(frozen=True, slots=True)
class Captured:
    """A session of a real client against the mock."""

    session: str
    store: Path
    code: int
    """The client's exit code."""
    out: str
    err: str

    @property
    def bodies(self) -> tuple[bytes, ...]:
        """The main requests as sent, in order."""
        from inspector import named
        from inspector.views.conversations import requests

        found = named.find(self.session, self.store).recording
        return tuple(sent.prompt.body for sent in requests(found))

    @property
    def documents(self) -> tuple[dict[str, Any], ...]:
        """The same, parsed."""
        return tuple(json.loads(body) for body in self.bodies)


type Subject = Requests | Captured | str | Path | Sequence[bytes | Mapping[str, Any]]


def judged(subject: Subject) -> "Judged":
    """What the cache's rules say of it."""
    if isinstance(subject, str | Path):
        return _recorded(str(subject), None)
    if isinstance(subject, Captured):
        return _recorded(subject.session, subject.store)
    from inspector import profiles
    from inspector.cache import Sent, report
    from inspector.cache.heads import heads
    from inspector.views.conversations import judged_sides

    sides = sides_of(subject)
    client, version = "claude-code", ""
    if isinstance(subject, Requests):
        environment = subject.situation.world.environment
        client, version = environment.client, environment.version
    known = heads(client, version or profiles.names(client)[-1])
    sent = [Sent(side.name, side.prompt) for side in sides]
    return judged_sides(sent, report(sent, known), sides)


def sides_of(subject: Requests | Sequence[bytes | Mapping[str, Any]]) -> "list[Side]":
    """Bodies split, with origins where they were built."""
    from inspector import wire
    from inspector.diff import Side

    if isinstance(subject, Requests):
        return [
            Side(body.exchange, wire.split(body.sent), body.built)
            for body in subject.situation.bodies
        ]
    bodies = [_bytes(item) for item in subject]
    return [Side(f"{at}", wire.split(body)) for at, body in enumerate(bodies, start=1)]


def prompts(subject: Subject) -> list[bytes]:
    """The bodies of a subject."""
    if isinstance(subject, Requests | Captured):
        return list(subject.bodies)
    if isinstance(subject, str | Path):
        return [sent.prompt.body for sent in judged(subject).sent]
    return [_bytes(item) for item in subject]


def _recorded(name: str, store: Path | None) -> "Judged":
    from inspector import named, paths
    from inspector.views import conversations

    return conversations.judged(name, named.find(name, store or paths.store_file(None)))


def _bytes(body: bytes | Mapping[str, Any]) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
