"""What is installed, where our files are, and which routes work: found out by trying.

The routes are tried on loopback against the mock: one model call through the forward listener with
our certificate, one through the listener for base URLs. Nothing is sent to the network.
"""

import http.client
import json
import os
import shlex
import ssl
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from inspector import mock, paths, profiles, snapshot
from inspector.capture import ca, listener, script
from inspector.capture.addon import Capture, Plan
from inspector.capture.ledger import known
from inspector.capture.parent import parent
from inspector.capture.program import Program, program
from inspector.clients import Launch
from inspector.errors import BadInput, InspectorError
from inspector.store import Store

PORT = 8080
"""Stands in the lines that start things by hand."""
PACKAGES = ("mitmproxy", "anthropic", "mcp", "rich", "pydantic", "PyYAML", "deepdiff")
_PROGRAMS = {"claude-code": "claude", "codex": "codex"}
_ENDPOINTS = {"claude-code": "https://api.anthropic.com", "codex": "https://api.openai.com"}
_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Installed:
    """A client, and whether it is on `PATH`."""

    client: str
    path: str | None = None
    version: str | None = None
    profile: str | None = None
    """The profile that serves this version."""
    exact: bool = False
    """Whether that profile is for this very version."""
    gateway: str | None = None
    """Where its own configuration sends model calls; none for its default host."""


@dataclass(frozen=True, slots=True)
class Route:
    """A way to a client's model calls, and how to go it by hand."""

    client: str
    route: str
    works: bool
    reason: str = ""
    note: str = ""
    """What the route changes in the request."""
    listener: str = ""
    """The command that starts a proxy by hand."""
    line: str = ""
    """The command that starts the client with that proxy."""


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
        "cache": str(paths.cache_folder()),
    }


def examine(store: Path, env: Mapping[str, str] | None = None) -> Report:
    """Look at everything."""
    env = dict(os.environ) if env is None else env
    problems: list[str] = []
    packages = {name: _version(name) for name in PACKAGES}
    missing = [name for name, found in packages.items() if found is None]
    problems += [f"{name}: not installed; install inspector again" for name in missing]
    kept = _store(store, problems)
    outer = _proxy(env, problems)
    bundle, tried = _try(env, problems)
    clients: list[Installed] = []
    routes: list[Route] = []
    for client in _PROGRAMS:
        installed, ways = _client(client, env, store, bundle, tried)
        clients.append(installed)
        routes += ways
    return Report(
        python=sys.version.split()[0],
        packages=packages,
        paths=where(store, env),
        store=kept,
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
            return f"{len(store.sessions())} sessions"
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


def _client(
    client: str, env: Mapping[str, str], store: Path, bundle: str, tried: Mapping[str, str]
) -> tuple[Installed, list[Route]]:
    try:
        started = program([_PROGRAMS[client]], env)
    except BadInput:
        return Installed(client), []
    routes: list[Route] = []
    gateway: str | None = None
    for route, fault in tried.items():
        try:
            launch = _launch(started, env, route, bundle)
        except InspectorError as error:
            routes.append(Route(client, route, works=False, reason=str(error)))
            continue
        gateway = launch.upstream
        endpoint = launch.upstream or _ENDPOINTS[client]
        mode = () if route == "tls" else ("--mode", f"reverse:{_origin(endpoint)}")
        routes.append(
            Route(
                client,
                route,
                works=not fault,
                reason=fault,
                note=launch.note,
                listener=_listener(store, env, launch, mode),
                line=_line(launch, _PROGRAMS[client]),
            )
        )
    found = profiles.find(client, started.version)
    made = Installed(client, started.argv[0], started.version, found.version, found.exact, gateway)
    return made, routes


def _launch(started: Program, env: Mapping[str, str], route: str, bundle: str) -> Launch:
    client = known(started.client)
    if client is None:
        raise BadInput(f"{started.argv[0]}: it is no client we know")
    environment = snapshot.environment(
        (), str(Path.cwd()), env, started.client, started.version, route, None, client.switches
    )
    proxy = f"http://127.0.0.1:{PORT}"
    return client.launch(started.argv, environment, snapshot.DiskTree(), route, proxy, bundle)


def _listener(store: Path, env: Mapping[str, str], launch: Launch, mode: tuple[str, ...]) -> str:
    ours = Path(sys.executable).with_name("mitmdump")
    settings = [
        f"confdir={paths.data_folder(env) / 'ca'}",
        "connection_strategy=lazy",
        f"inspector_store={store}",
        *(f"inspector_hosts={host}" for host in launch.hosts),
    ]
    words = [str(ours) if ours.exists() else "mitmdump", "-s", script.__file__, *mode]
    words += ["--listen-host", "127.0.0.1", "-p", str(PORT)]
    return shlex.join([*words, *(word for item in settings for word in ("--set", item))])


def _line(launch: Launch, name: str) -> str:
    gone = [word for key, value in launch.env.items() if value is None for word in ("-u", key)]
    kept = [f"{key}={value}" for key, value in launch.env.items() if value is not None]
    return shlex.join(["env", *gone, *kept, name, *launch.argv[1:]])


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _try(env: Mapping[str, str], problems: list[str]) -> tuple[str, dict[str, str]]:
    """Go both routes; the CA bundle, and what was wrong with each."""
    try:
        authority = ca.authority(paths.data_folder(env), env)
        with mock.serve(mock.script([])) as server:
            hooks = Capture(None, Plan(upstream=server.url, closed=True))
            with listener.listening(hooks, authority) as addresses:
                trust = ssl.create_default_context(cafile=str(authority.bundle))
                faults = {
                    "tls": _ask(_connection(addresses.forward, trust)),
                    "base-url": _ask(_connection(addresses.reverse)),
                }
    except (InspectorError, OSError) as error:
        problems.append(str(error))
        return "", {"tls": str(error), "base-url": str(error)}
    problems += [f"route {route}: {fault}" for route, fault in faults.items() if fault]
    return str(authority.bundle), faults


def _connection(url: str, trust: ssl.SSLContext | None = None) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    assert parts.hostname is not None
    if trust is None:
        return http.client.HTTPConnection(parts.hostname, parts.port, timeout=_SECONDS)
    made = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=_SECONDS, context=trust)
    made.set_tunnel("api.anthropic.com", 443)
    return made


def _ask(connection: http.client.HTTPConnection) -> str:
    """Make one model call; what was wrong, or nothing."""
    with closing(connection):
        try:
            connection.request("POST", "/v1/messages", json.dumps({"tools": [{}]}))
            response = connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            return str(error)
    whole = response.status == 200 and b'"text":"done"' in answer
    return "" if whole else f"status {response.status} in place of the mock's answer"
