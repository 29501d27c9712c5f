"""Sessions and exchanges: the record of what went over the wire, as values."""

import math
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from inspector.turns import Turns
from inspector.workspace import Entry, Environment, Listing

type Headers = tuple[tuple[str, str], ...]


class ExchangeKind(StrEnum):
    """What a request was for."""

    MAIN = "main"
    SUBAGENT = "subagent"
    TITLE = "title"
    COMPACTION = "compaction"
    COUNT_TOKENS = "count_tokens"
    WARMUP = "warmup"
    AUX = "aux"


PRIVATE = "private"
"""Source of a session whose texts are gone (`seal --private`)."""

WEBSOCKET = "WEBSOCKET"
"""Stands in place of an HTTP method: the exchange is a client's message on a WebSocket."""

MODEL_KINDS = frozenset(ExchangeKind) - {ExchangeKind.AUX, ExchangeKind.COUNT_TOKENS}
"""Kinds that count as model calls."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One stored request and its response."""

    id: str
    """Unique in the store; `show` prints it and every command takes it."""
    session: str
    number: int
    """Place in the session, from 1."""
    method: str
    url: str
    request_headers: Headers
    request_wire: bytes
    """The request body as sent, before content-decoding, secrets replaced."""
    request: bytes
    """The request body after content-decoding, secrets replaced."""
    request_sha256: str
    """Of the decoded body as the client sent it, before any replacement."""
    wire_sha256: str
    status: int | None = None
    response_headers: Headers = ()
    response: bytes = b""
    """The response body after content-decoding; for a stream, all chunks that passed."""
    started: str = ""
    """ISO 8601 with offset."""
    first_byte: str = ""
    ended: str = ""
    error: str = ""
    """Why the exchange is incomplete (`client went away`, `upstream refused` …)."""
    replaced: int = 0
    """How many secrets were replaced in it, headers and both bodies."""
    body_replaced: int = 0
    """How many of them stood in the request body."""
    kind: ExchangeKind = ExchangeKind.AUX

    def header(self, name: str) -> str | None:
        """The first request header with this name, in any case."""
        lower = name.lower()
        return next((value for key, value in self.request_headers if key.lower() == lower), None)

    @property
    def intact(self) -> bool:
        """Whether the stored decoded body is the very bytes the client sent."""
        return self.body_replaced == 0


@dataclass(frozen=True, slots=True)
class FileVersion:
    """What a path held from one moment on."""

    at: str
    """ISO 8601 with offset; empty: from the start of the session."""
    data: bytes | None
    """None: there was no readable file."""


@dataclass(frozen=True, slots=True)
class FolderVersion:
    """What a directory listed from one moment on, in file-system order."""

    at: str
    entries: tuple[Entry, ...] | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Workspace, environment and MCP listings, with later versions of what changed."""

    environment: Environment
    files: dict[str, tuple[FileVersion, ...]] = field(
        default_factory=dict[str, tuple[FileVersion, ...]]
    )
    folders: dict[str, tuple[FolderVersion, ...]] = field(
        default_factory=dict[str, tuple[FolderVersion, ...]]
    )
    listings: tuple[Listing, ...] = ()
    notes: tuple[str, ...] = ()
    """What the snapshot could not keep, in words (budget exceeded, server not asked)."""

    def joined(self, seen: "Snapshot") -> "Snapshot":
        """This snapshot with what a later look saw, where that is news."""
        files, folders = dict(self.files), dict(self.folders)
        for path, versions in seen.files.items():
            for version in versions:
                files[path] = _joined(files.get(path, ()), version)
        for path, listed in seen.folders.items():
            for listing in listed:
                folders[path] = _joined(folders.get(path, ()), listing)
        notes = (*self.notes, *(note for note in seen.notes if note not in self.notes))
        listings = seen.listings or self.listings
        return replace(self, files=files, folders=folders, listings=listings, notes=notes)

    def since(self, before: "Snapshot") -> "Snapshot":
        """What this snapshot holds beyond an earlier state of it: `joined` to that, it is this."""
        return replace(
            self,
            files=_since(self.files, before.files),
            folders=_since(self.folders, before.folders),
            listings=self.listings if self.listings != before.listings else (),
            notes=tuple(note for note in self.notes if note not in before.notes),
        )

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it but the environment."""
        return not (self.files or self.folders or self.listings or self.notes)


def moment(at: str) -> float:
    """An ISO 8601 time as seconds; the start, which is empty, before all others."""
    return -math.inf if not at else datetime.fromisoformat(at).timestamp()


def _joined[Version: FileVersion | FolderVersion](
    versions: tuple[Version, ...], seen: Version
) -> tuple[Version, ...]:
    """The versions with one more, unless the last says the same; an earlier one comes first."""
    if versions and moment(seen.at) < moment(versions[0].at):
        rest = versions[1:] if replace(versions[0], at=seen.at) == seen else versions
        return (seen, *rest)
    if versions and replace(versions[-1], at=seen.at) == seen:
        return versions
    return (*versions, seen)


def _since[Version](
    now: dict[str, tuple[Version, ...]], before: dict[str, tuple[Version, ...]]
) -> dict[str, tuple[Version, ...]]:
    """By path, the versions that are new."""
    out: dict[str, tuple[Version, ...]] = {}
    for path, versions in now.items():
        old = before.get(path, ())
        if versions is not old and versions != old:
            longer = versions[: len(old)] == old
            new = versions[len(old) :] if longer else tuple(v for v in versions if v not in old)
            out[path] = new
    return out


@dataclass(frozen=True, slots=True)
class Session:
    """The exchanges of one client process."""

    id: str
    client: str
    """`claude-code`, `codex` or `other`."""
    version: str
    route: str
    started: str
    continues: str | None = None
    """Id of the session this one resumes."""
    conversation: str | None = None
    """The client's own id of the conversation."""
    exit_code: int | None = None
    source: str = "run"
    """`run`, `proxy`, `import`, `replay`, `demo`, or `PRIVATE`."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A session with all that is kept of it."""

    session: Session
    exchanges: tuple[Exchange, ...]
    snapshot: Snapshot | None = None
    turns: Turns | None = None
    """Set where turns come from somewhere else than the capture (goldens)."""

    def with_turns(self, turns: Turns) -> "Recording":
        """The same recording with turns given from outside."""
        return replace(self, turns=turns)
