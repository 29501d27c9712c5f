"""Recordings by the names people use: an id, a unique id prefix, a folder, or `last`.

A session that resumes another is verified from the start of its conversation, so a recording is
found with all those before it that are still kept.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from inspector import folder
from inspector.errors import BadInput, InspectorError
from inspector.session import Exchange, Recording
from inspector.snapshot import SnapshotTree
from inspector.store import Store
from inspector.verify import Carried, SessionReport, verify

LONGEST_CHAIN = 1000


@dataclass(frozen=True, slots=True)
class Found:
    """A recording and the sessions it continues, oldest first."""

    recording: Recording
    earlier: tuple[Recording, ...] = ()


def find(name: str, store: Path) -> Found:
    """The recording with this name. Raises `BadInput`."""
    path = Path(name)
    if path.is_dir():
        return _in_folder(path)
    with Store.open(store, create=False) as opened:
        recording = opened.recording(opened.find(name).id)
        return Found(recording, _chain(recording, lambda session: _stored(opened, session)))


def find_exchange(name: str, store: Path) -> Exchange:
    """The exchange with this id or unique id prefix, or `FOLDER:N`, `SESSION:N` by its number."""
    session, colon, number = name.rpartition(":")
    if colon and number.isdigit():
        recording = find(session, store).recording
        for exchange in recording.exchanges:
            if exchange.number == int(number):
                return exchange
        raise BadInput(f"{name}: that session has no exchange {number}; see `inspector show {session}`")
    with Store.open(store, create=False) as opened:
        return opened.find_exchange(name)


def recordings(path: Path) -> Iterator[Path]:
    """The recording folders at or below a path, in order of their names."""
    if folder.is_recording(path):
        yield path
        return
    for below in sorted(path.iterdir()) if path.is_dir() else ():
        if below.is_dir():
            yield from recordings(below)


def verified(
    found: Found, words: Mapping[str, str], bodies: Mapping[int, bytes] | None = None
) -> SessionReport:
    """Verify a recording, its chain first; `bodies` stand in for the stored ones by number."""
    carried: Carried | None = None
    for earlier in found.earlier:
        carried = verify(earlier, words, SnapshotTree, carried).carried
    return verify(found.recording, words, SnapshotTree, carried, bodies)


def _in_folder(path: Path) -> Found:
    if not folder.is_recording(path):
        inside = next(recordings(path), None)
        hint = f"such as {inside}" if inside else "with a session.json"
        raise BadInput(f"{path}: not a recording's folder; name one {hint}")
    recording = folder.read(path)
    return Found(recording, _chain(recording, lambda session: _beside(path, session)))


def _chain(recording: Recording, get: Callable[[str], Recording | None]) -> tuple[Recording, ...]:
    chain: list[Recording] = []
    seen = {recording.session.id}
    wanted = recording.session.continues
    while wanted and wanted not in seen and len(chain) < LONGEST_CHAIN:
        seen.add(wanted)
        earlier = get(wanted)
        if earlier is None:
            break
        chain.append(earlier)
        wanted = earlier.session.continues
    return tuple(reversed(chain))


def _stored(store: Store, session: str) -> Recording | None:
    try:
        return store.recording(session)
    except InspectorError:
        return None


def _beside(path: Path, session: str) -> Recording | None:
    for other in sorted(path.resolve().parent.iterdir()):
        if folder.is_recording(other):
            recording = folder.read(other)
            if recording.session.id == session:
                return recording
    return None
