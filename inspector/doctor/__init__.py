"""What is installed, where our files are, and which routes work: found out by trying.

The routes are tried on loopback against the mock: one model call through the forward listener with
our certificate, one through the listener for base URLs. Nothing is sent to the network.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from inspector import paths, retention
from inspector.capture import ca
from inspector.capture.parent import parent
from inspector.doctor.routes import CLIENTS, Installed, Route, listeners, tried, ways
from inspector.errors import BadInput, InspectorError, counted
from inspector.store import Store

PACKAGES = ("mitmproxy", "anthropic", "mcp", "rich", "pydantic", "PyYAML", "deepdiff")


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found."""

    python: str
    packages: Mapping[str, str | None]
    paths: Mapping[str, str]
    store: str
    clients: tuple[Installed, ...]
    proxy: str | None
    """The user's own proxy, which our connections go through."""
    routes: tuple[Route, ...]
    problems: tuple[str, ...]

    @property
    def document(self) -> dict[str, Any]:
        """The report as JSON values."""
        return asdict(self)


def where(store: Path, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Every place of our own files."""
    data = paths.data_folder(env)
    return {
        "data": str(data),
        "store": str(store),
        "ca": str(data / "ca"),
        "texts": str(paths.texts_folder(env)),
        "routes": str(data / "routes"),
        "cache": str(paths.cache_folder()),
    }


def kept(store: Path, env: Mapping[str, str] | None = None) -> list[str]:
    """Every file of ours that there is."""
    return [str(path) for path in retention.everything(store, paths.data_folder(env))]


def examine(store: Path, env: Mapping[str, str] | None = None, *, trying: bool = False) -> Report:
    """Look at everything; with `trying`, start each client on each of its routes."""
    env = dict(os.environ) if env is None else env
    problems: list[str] = []
    packages = {name: _version(name) for name in PACKAGES}
    missing = [name for name, found in packages.items() if found is None]
    problems += [f"{name}: not installed; install inspector again" for name in missing]
    stored = _store(store, problems)
    outer = _proxy(env, problems)
    problems += ca.broken(env)
    authority, faults = listeners(env, problems)
    clients: list[Installed] = []
    routes: list[Route] = []
    for client in CLIENTS:
        installed, found = ways(client, env, store, authority, faults)
        if trying and authority is not None:
            found = [tried(way, env, authority, problems) for way in found]
        clients.append(installed)
        routes += found
    return Report(
        python=sys.version.split()[0],
        packages=packages,
        paths=where(store, env),
        store=stored,
        clients=tuple(clients),
        proxy=outer,
        routes=tuple(routes),
        problems=tuple(problems),
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _store(path: Path, problems: list[str]) -> str:
    if not path.exists():
        return "not made yet"
    try:
        with Store.open(path, create=False) as store:
            return counted(len(store.sessions()), "session")
    except InspectorError as error:
        problems.append(str(error))
        return "cannot be used"


def _proxy(env: Mapping[str, str], problems: list[str]) -> str | None:
    try:
        outer = parent(env)
    except BadInput as error:
        problems.append(str(error))
        return None
    return outer.url if outer is not None else None
