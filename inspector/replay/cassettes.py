"""Cassettes: recordings that a test replays, sealed, as folders that can be reviewed in git.

`cassette.json` beside a recording has the digest of each of its files: what was edited by hand, or
merged badly, is told and not replayed.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from inspector import clients, folder, words
from inspector.errors import BadInput
from inspector.match import Terms
from inspector.named import Found
from inspector.replay.terms import terms, there
from inspector.sealing import shared
from inspector.session import MODEL_KINDS, Exchange, Recording
from inspector.workspace import Environment

MANIFEST = "cassette.json"


def is_cassette(path: Path) -> bool:
    """Whether a folder holds one."""
    return (path / MANIFEST).is_file()


def write(found: Found, path: Path) -> None:
    """Seal a recording and write it. Raises `BadInput` for one that could not be replayed."""
    recording = found.recording
    if not any(one.kind in MODEL_KINDS for one in recording.exchanges):
        raise BadInput(f"{recording.session.id}: no model request in it, so it makes no cassette")
    _put(_sealed(found), path)


def add(found: Found, path: Path, digests: Sequence[str]) -> None:
    """Put requests of a later session, named by their digests, behind a cassette's own.

    They are written as if they had been sent where and when the cassette was recorded.
    """
    check(path)
    old = folder.read(path)
    known = terms(_facts(found.recording), _facts(old))
    wanted = {one.id for one in found.recording.exchanges if one.request_sha256 in digests}
    new = [_moved(one, known) for one in _sealed(found).exchanges if one.id in wanted]
    _put(replace(old, exchanges=tuple(_numbered([*old.exchanges, *new]))), path)


def _facts(recording: Recording) -> Environment | None:
    return recording.snapshot.environment if recording.snapshot is not None else None


def _moved(exchange: Exchange, known: Terms) -> Exchange:
    request = there(exchange.request, known)
    changed = request != exchange.request
    return replace(
        exchange,
        request=request,
        request_wire=request if changed else exchange.request_wire,
        request_sha256=sha256(request).hexdigest() if changed else exchange.request_sha256,
        response=there(exchange.response, known),
    )


def _put(recording: Recording, path: Path) -> None:
    folder.write(recording, path)
    digests = {name: _digest(path / name) for name in _files(path)}
    text = json.dumps({"schema": 1, "files": digests}, indent=1) + "\n"
    (path / MANIFEST).write_text(text, encoding="utf-8")


def check(path: Path) -> None:
    """Raises `BadInput` for a cassette whose files are not as they were written."""
    if not is_cassette(path):
        return
    try:
        noted = json.loads((path / MANIFEST).read_text(encoding="utf-8"))["files"]
        names = {*noted, *_files(path)}
        changed = sorted(name for name in names if noted.get(name) != _digest(path / name))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        changed = [MANIFEST]
    if changed:
        raise BadInput(
            f"{path}: {changed[0]} is not as it was recorded (its digest differs); take it from git"
            " again, or record anew"
        )


def _sealed(found: Found) -> Recording:
    """The recording without ids of accounts, client texts and what nobody can explain."""
    if found.recording.session.client not in clients.names():
        return found.recording  # nobody knows texts of such a client; secrets were replaced before
    return shared(found, words.load())


def _numbered(exchanges: Sequence[Exchange]) -> Iterator[Exchange]:
    last = 0
    for one in exchanges:
        last = max(one.number, last + 1)
        yield replace(one, number=last)


def _files(path: Path) -> list[str]:
    """What `folder` reads."""
    names = [path / name for name in ("session.json", "snapshot.json", "turns.yaml")]
    inside = sorted((path / "exchanges").iterdir()) if (path / "exchanges").is_dir() else []
    return [str(one.relative_to(path)) for one in (*names, *inside) if one.is_file()]


def _digest(path: Path) -> str:
    with suppress(OSError):
        return sha256(path.read_bytes()).hexdigest()
    return ""
