"""Letting go of what was kept: sessions by name, age or size, or everything that is ours.

Rule: a file is deleted only when its place, its name and, for a store, its content say that we
made it. Folders go when they are empty then.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from inspector.errors import BadInput
from inspector.given import KEY
from inspector.store import Store

_SPAN = re.compile(r"(\d{1,6})\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)?", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SIZE = re.compile(r"(\d{1,12})\s*([kmgt]?)i?b?", re.IGNORECASE)
_THOUSANDS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_HEX = "[0-9a-f]"
_OURS = {
    "ca": re.compile(
        rf"mitmproxy-(?:ca(?:-cert)?|dhparam)\.(?:pem|p12|cer)|(?:bundle|roots)-{_HEX}{{16}}\.pem"
    ),
    "routes": re.compile(rf"{_HEX}{{64}}"),
    "texts": re.compile(rf"{_HEX}{{64}}|\.new-\w+"),
}
"""By folder of the data folder, the names of our files in it."""
_EXPORT = re.compile(r"export-\d+-\w+")
_EXPORTED = re.compile(r"[0-9a-f-]{36}\.(?:request|response)\.json|index\.jsonl|settings\.json")
"""Folders of a client's own export, where a run was killed."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What went."""

    sessions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    freed: int = 0
    """Bytes."""
    left: tuple[str, ...] = ()
    """Folders of ours that hold something else, and stay."""


def span(text: str) -> timedelta:
    """A length of time: a number of days, or `90m`, `12h`, `30d`, `2w`. Raises `BadInput`."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise BadInput(f"{text}: no length of time; give days, or 90m, 12h, 30d, 2w")
    unit = _UNITS[(found[2] or "d")[0].lower()]
    return timedelta(**{unit: int(found[1])})


def size(text: str) -> int:
    """A number of bytes: `500MB`, `2GB`. Raises `BadInput`."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise BadInput(f"{text}: no size; give bytes, or 500MB, 2GB")
    return int(found[1]) * _THOUSANDS[found[2].lower()]


def older(store: Store, age: timedelta, now: datetime) -> list[str]:
    """Sessions whose last exchange is further back than `age`; those of unknown time stay."""
    cut = now - age
    ids = [session.id for session in store.sessions()]
    return [name for name in ids if (at := _moment(store.last_activity(name), now)) and at < cut]


def remove(store: Store, ids: Iterable[str]) -> Removed:
    """Remove sessions, and shrink the file."""
    before = _weight(store.path)
    gone: list[str] = []
    for name in ids:
        store.remove(name)
        gone.append(name)
    if gone:
        store.vacuum()
    return Removed(tuple(gone), freed=max(before - _weight(store.path), 0))


def collect(store: Store) -> Removed:
    """Let go of what no session holds, and shrink the file."""
    before = _weight(store.path)
    store.vacuum()
    return Removed(freed=max(before - _weight(store.path), 0))


def shrink(store: Store, limit: int) -> Removed:
    """Remove the oldest sessions until the store takes no more than `limit` bytes.

    The newest session stays, whatever its size: it may be under way.
    """
    before, over = _weight(store.path), store.used() - limit
    if over <= 0:
        return Removed()
    gone: list[str] = []
    rest = store.weights()
    for session in store.sessions()[:-1]:
        if over <= 0:
            store.gc()  # what was weighed is without the file's own bookkeeping
            over = store.used() - limit
        if over <= 0:
            break
        store.remove(session.id)
        gone.append(session.id)
        over -= rest.get(session.id, 0)
    if gone:
        store.vacuum()
    return Removed(tuple(gone), freed=max(before - _weight(store.path), 0))


def everything(store: Path, data: Path) -> list[Path]:
    """All files of ours: the store and its logs, the CA, the learned texts, the redaction's key.

    Raises `BadInput` if the store's file is none of ours.
    """
    found: list[Path] = []
    if store.exists():
        Store.open(store, create=False).close()
    found += [path for path in (store, *_logs(store), data / KEY) if path.is_file()]
    for name, pattern in _OURS.items():
        folder = data / name
        if folder.is_dir() and not folder.is_symlink():
            found += sorted(
                path for path in folder.iterdir() if pattern.fullmatch(path.name) and path.is_file()
            )
    for folder in _exports(data):
        found += sorted(path for path in folder.iterdir() if _EXPORTED.fullmatch(path.name))
    return found


def _exports(data: Path) -> list[Path]:
    folders = [path for path in data.glob("export-*") if _EXPORT.fullmatch(path.name)]
    return sorted(path for path in folders if path.is_dir() and not path.is_symlink())


def delete(files: Iterable[Path], data: Path) -> Removed:
    """Delete files that `everything` named, then our folders if they are empty."""
    gone: list[str] = []
    freed = 0
    for path in files:
        weight = path.stat().st_size
        path.unlink()
        freed += weight
        gone.append(str(path))
    folders = [*(data / name for name in _OURS), *_exports(data), data]
    left = [folder for folder in folders if not _rmdir(folder)]
    return Removed(files=tuple(gone), freed=freed, left=tuple(map(str, left)))


def _rmdir(folder: Path) -> bool:
    """Whether a folder is gone."""
    if not folder.exists():
        return True
    if any(folder.iterdir()):
        return False
    folder.rmdir()
    return True


def _logs(store: Path) -> Iterator[Path]:
    for end in ("-wal", "-shm", "-journal"):
        yield store.with_name(store.name + end)


def _weight(store: Path) -> int:
    return sum(path.stat().st_size for path in (store, *_logs(store)) if path.is_file())


def _moment(text: str, now: datetime) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)
