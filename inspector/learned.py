"""Profiles that were learned on this machine, one file a version in the data folder."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from inspector import paths
from inspector.errors import BadInput


class Learned(Mapping[str, Mapping[str, Any]]):
    """`CLIENT/VERSION` → profile, read from the folder when asked for."""

    def __init__(self, folder: Path | None = None) -> None:
        """Look in a folder, which need not exist; without one, in that of the data folder."""
        self._given = folder
        self._read: dict[Path, tuple[int, Mapping[str, Any]]] = {}

    def __getitem__(self, key: str) -> Mapping[str, Any]:
        path = self._path(key)
        try:
            changed = path.stat().st_mtime_ns
        except OSError:
            raise KeyError(key) from None
        before = self._read.get(path)
        if before is None or before[0] != changed:
            before = self._read[path] = changed, _load(path)
        return before[1]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._path(key).is_file()

    def __iter__(self) -> Iterator[str]:
        for file in sorted(self._folder.glob("*/*.yaml")):
            yield f"{file.parent.name}/{file.name.removesuffix('.yaml')}"

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def _folder(self) -> Path:
        return self._given or paths.data_folder() / "profiles"

    def _path(self, key: str) -> Path:
        client, _, version = key.partition("/")
        return self._folder / client / f"{version}.yaml"


def save(
    client: str, version: str, document: Mapping[str, Any], folder: Path | None = None
) -> Path:
    """Write a profile, whole or not at all, and return its file."""
    import yaml

    place = (folder or paths.data_folder() / "profiles") / client
    place.mkdir(parents=True, exist_ok=True)
    head = f"# {client} {version}, learned from the client itself (`inspector learn`).\n"
    text: str = yaml.safe_dump(  # pyright: ignore[reportUnknownMemberType]
        dict(document), sort_keys=False, allow_unicode=True, width=100
    )
    path = place / f"{version}.yaml"
    paths.write(path, (head + text).encode())
    return path


ACCOUNT = "account"
"""The member of an overlay that was learned from a user's sessions: their ids."""


def add(client: str, version: str, overlays: Iterable[Mapping[str, Any]]) -> Path:
    """Put what was learned from sessions behind a version's profile, and return its file."""
    own: Mapping[str, Any] = Learned().get(f"{client}/{version}", {"extends": version, "base": {}})
    return save(client, version, {**own, "overlays": [*own.get("overlays", ()), *overlays]})


def accounts(client: str, version: str) -> list[Mapping[str, Any]]:
    """What was learned from sessions so far, which a profile made anew keeps."""
    own = Learned().get(f"{client}/{version}", {})
    return [one for one in own.get("overlays", ()) if ACCOUNT in one]


def _load(path: Path) -> Mapping[str, Any]:
    import yaml

    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        found = None
    if not isinstance(found, dict):
        raise BadInput(f"{path}: no profile; remove it, or learn it again")
    return cast("Mapping[str, Any]", found)
