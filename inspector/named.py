"""Recordings by the names people use: an id, a unique id prefix, a folder, or `last`.

A session that resumes another is verified from the start of its conversation, so a recording is
found with all those before it that are still kept.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from inspector import clients, folder, wire
from inspector.clients import State
from inspector.diff import Side
from inspector.errors import BadInput, InspectorError, NotKept
from inspector.session import WEBSOCKET, Exchange, ExchangeKind, Recording
from inspector.snapshot import SnapshotTree
from inspector.store import Store
from inspector.turns import Turns
from inspector.verify import Carried, SessionReport, lacking, verify
from inspector.wire.joined import joined

_NUMBERED = re.compile(r"(.+):(m?\d{1,9})", re.DOTALL)
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
    _no_path(name)
    with Store.open(store, create=False) as opened:
        recording = clients.labelled(opened.recording(opened.find(name).id))
        return Found(recording, _chain(recording, lambda session: _stored(opened, session)))


def everything(store: Path) -> list[Recording]:
    """All sessions of a store with their exchanges, newest last; none where there is no store."""
    if not store.exists():
        return []
    with Store.open(store, create=False) as opened:
        return [
            clients.labelled(Recording(session, opened.exchanges(session.id)))
            for session in opened.sessions()
        ]


def turns(recording: Recording) -> Turns:
    """The turns of a recording: its own, or else as its client's model reads its capture."""
    session = recording.session
    if recording.turns is not None:
        return recording.turns
    reason = lacking.whole(recording)
    if reason or recording.snapshot is None:
        raise BadInput(f"{session.id}: its turns are not known: {reason}")
    client = clients.client(session.client)
    return client.turns(recording.exchanges, recording.snapshot.environment)


def given(found: Found) -> Turns:
    """The turns with only what the world said: nothing in them that the client writes itself.

    Where the builder comes to a stop, they stay as the capture has them.
    """
    whole = turns(found.recording)
    built = verified(found, {}).turns
    return whole.model_copy(update={"turns": built}) if len(built) == len(whole.turns) else whole


def find_exchange(name: str, store: Path) -> Exchange:
    """The exchange with this id or unique id prefix, or one of a session (or its folder).

    `SESSION:N` is exchange N as `inspector show` counts them, `SESSION:mN` the Nth model request.
    """
    session, number = _parts(name)
    if session:
        recording = find(session, store).recording
        for exchange in recording.exchanges:
            if str(exchange.number) == number:
                return exchange
        calls = [item for item in recording.exchanges if item.kind is ExchangeKind.MAIN]
        if number.startswith("m") and 0 < int(number[1:]) <= len(calls):
            return calls[int(number[1:]) - 1]
        what = f"no model request {number[1:]}" if number[0] == "m" else f"no exchange {number}"
        raise BadInput(f"{name}: that session has {what}; see `inspector show {session}`")
    _no_path(name)
    with Store.open(store, create=False) as opened:
        return opened.find_exchange(name)


def _no_path(name: str) -> None:
    """Refuse what can only be a path: nothing in a store is called so."""
    if "/" in name or name.endswith(".json"):
        what = "a file, not a session" if Path(name).is_file() else "no such file or folder"
        raise BadInput(f"{name}: {what}; name a session (see `inspector ls`) or its folder")


def _parts(name: str) -> tuple[str, str]:
    """Session and number of `SESSION:N` or `SESSION:mN`; nothing where it is another name."""
    match = _NUMBERED.fullmatch(name)
    return (match[1], match[2]) if match else ("", "")


def joined_request(exchange: Exchange, recording: Recording) -> bytes:
    """A request on a WebSocket with all it goes on from, a view; any other as it was sent."""
    if exchange.method != WEBSOCKET:
        return exchange.request
    view = joined(recording.exchanges).get(exchange.id)
    if view is None:
        raise BadInput(f"{exchange.id}: this message asks for no response; see it with `raw`")
    if view.missing:
        raise BadInput(
            f"{exchange.id}: it goes on from response {view.missing}, which this session does not"
            " hold; see the message itself with `raw`"
        )
    return view.body


def joined_sides(name: str, store: Path) -> list[Side]:
    """What `diff --joined` compares: as `sides`, requests on a WebSocket joined."""
    path = Path(name)
    if path.is_file():
        return [_alone(name, path.read_bytes())]
    try:
        recording = find(name, store).recording
        chosen = [item for item in recording.exchanges if item.kind is ExchangeKind.MAIN]
    except BadInput:
        if path.is_dir():
            raise
        chosen = [find_exchange(name, store)]
        recording = holding(name, chosen[0], store)
    if not chosen:
        raise BadInput(f"{name}: no main request in it; see `inspector show {name}`")
    return [Side(item.id, wire.split(joined_request(item, recording))) for item in chosen]


def _model_requests(recording: Recording) -> str:
    """The numbers to name instead."""
    calls = [item.number for item in recording.exchanges if item.kind is ExchangeKind.MAIN]
    shown = ", ".join(str(number) for number in calls[:10]) + (", …" if len(calls) > 10 else "")
    return f"this session's are {shown}" if calls else "this session has none"


def _alone(name: str, body: bytes, hint: str = "see `inspector show`") -> Side:
    """One request body to compare. Raises `BadInput` for what is none."""
    prompt = wire.split(body)
    if prompt.problem:
        raise BadInput(f"{name}: {prompt.problem}; name a model request: {hint}")
    return Side(name, prompt)


def holding(name: str, exchange: Exchange, store: Path) -> Recording:
    """The recording an exchange of this name is in."""
    return find(_parts(name)[0] or exchange.session, store).recording


def sides(name: str, store: Path, words: Mapping[str, str]) -> list[Side]:
    """What `diff` compares: the body in a file, one exchange, or a session's main requests."""
    path = Path(name)
    if path.is_file():
        return [_alone(name, path.read_bytes())]
    try:
        found = find(name, store)
    except BadInput:
        if path.is_dir():
            raise
        exchange = find_exchange(name, store)
        whole = find(_parts(name)[0] or exchange.session, store)
        alone = _alone(exchange.id, exchange.request, _model_requests(whole.recording))
        return [side for side in model_sides(whole, words) if side.name == exchange.id] or [alone]
    made = model_sides(found, words)
    if not made:
        raise BadInput(f"{name}: no main request in it; see `inspector show {name}`")
    return made


def rebuilt_sides(
    name: str, store: Path, words: Mapping[str, str]
) -> tuple[list[Side], list[Side]]:
    """What was rebuilt of a session or one request, and what was sent. Raises `BadInput`."""
    sent = [side for side in sides(name, store, words) if side.built is not None]
    if not sent:
        raise BadInput(f"{name}: nothing of it could be rebuilt; see `inspector verify`")
    made = [
        Side(side.name, wire.split(side.built.body), side.built, side.source)
        for side in sent
        if side.built is not None
    ]
    return made, sent


def model_sides(found: Found, words: Mapping[str, str]) -> list[Side]:
    """The main requests of a session, each with its origins where it could be rebuilt."""
    made: list[Side] = []
    started = {exchange.id: exchange.started for exchange in found.recording.exchanges}
    for request in verified(found, words).requests:
        if request.kind is ExchangeKind.MAIN:
            parent = made[-1].prompt if made else None
            prompt = wire.split(request.captured, parent=parent)
            built = None if request.built is None else request.comparison.filled
            moment = started.get(request.exchange, "")
            made.append(Side(request.exchange, prompt, built, _texts(found.recording, moment)))
    return made


def _texts(recording: Recording, moment: str) -> Callable[[str], str | None] | None:
    """The files of a recording as they were at a moment."""
    if recording.snapshot is None:
        return None
    tree = SnapshotTree(recording.snapshot, moment)

    def text(path: str) -> str | None:
        try:
            data = tree.read(path)
        except NotKept:
            return None
        return None if data is None else data.decode("utf-8", "replace")

    return text


def recordings(path: Path) -> Iterator[Path]:
    """The recording folders at or below a path, in order of their names."""
    if folder.is_recording(path):
        yield path
        return
    for below in sorted(path.iterdir()) if path.is_dir() else ():
        if below.is_dir():
            yield from recordings(below)


def is_recorded(path: Path) -> bool:
    """Whether a folder is a recording's or holds recordings, and so is no workspace."""
    return any(folder.is_recording(one) for one in (path, *path.iterdir()))


def verified(
    found: Found, words: Mapping[str, str], bodies: Mapping[int, bytes] | None = None
) -> SessionReport:
    """Verify a recording, its chain first; `bodies` stand in for the stored ones by number."""
    carried: Carried | None = None
    for earlier in found.earlier:
        carried = verify(earlier, words, SnapshotTree, carried).carried
    return verify(found.recording, words, SnapshotTree, carried, bodies)


def part(found: Found, index: int) -> Found:
    """The session at a place of a recording's chain, with those before it; the last is itself."""
    chain = (*found.earlier, found.recording)
    return Found(chain[index], chain[:index])


def before(found: Found) -> State:
    """The state that the sessions before a recording hand to it; None where there are none."""
    carried: Carried | None = None
    for earlier in found.earlier:
        carried = verify(earlier, {}, SnapshotTree, carried).carried
    return carried.state if carried else None


def _in_folder(path: Path) -> Found:
    if not folder.is_recording(path):
        inside = next(recordings(path), None)
        hint = f"such as {inside}" if inside else "with a session.json"
        raise BadInput(f"{path}: not a recording's folder; name one {hint}")
    recording = clients.labelled(folder.read(path))
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
