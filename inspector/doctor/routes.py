"""The routes of each client: tried on loopback, and how to go them by hand.

One model call goes through the forward listener with our certificate, one through the listener for
base URLs, both to the mock. The client itself is started where that is asked for.
"""

import http.client
import json
import shlex
import shutil
import ssl
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from inspector import mock, paths, profiles, snapshot
from inspector.capture import attempt, ca, listener, script
from inspector.capture.addon import Capture, Plan
from inspector.capture.ledger import known
from inspector.capture.program import Program, program
from inspector.clients import Launch
from inspector.errors import BadInput, InspectorError

PORT = 8080
"""Stands in the lines that start things by hand."""
CLIENTS = {"claude-code": "claude", "codex": "codex"}
"""Each client's program."""
_ENDPOINTS = {"claude-code": "https://api.anthropic.com", "codex": "https://api.openai.com"}
_EXPORT: Mapping[str, Mapping[str, str]] = {"claude-code": {"raw-export": ""}}
"""The client with an export of its own, which needs none of our listeners."""
_FOLDER = "/tmp/inspector-export"  # noqa: S108 - stands in a line the user may change
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
    seconds: float | None = None
    """How long the client itself took for one model call, where it was tried."""


def ways(
    client: str,
    env: Mapping[str, str],
    store: Path,
    authority: ca.Authority | None,
    faults: Mapping[str, str],
) -> tuple[Installed, list[Route]]:
    """A client, and each way to its model calls; `faults` is what was wrong with our listeners."""
    place = whereabouts(client, env)
    if place is None:
        return Installed(client), []
    started = program([place], env)
    name = place if Path(place).is_absolute() else CLIENTS[client]
    routes: list[Route] = []
    gateway: str | None = None
    bundle = "" if authority is None else str(authority.bundle)
    for route, fault in {**faults, **_EXPORT.get(client, {})}.items():
        try:
            launch = _launch(started, env, route, bundle)
        except InspectorError as error:
            routes.append(Route(client, route, works=False, reason=str(error)))
            continue
        gateway = launch.upstream
        endpoint = launch.upstream or _ENDPOINTS[client]
        routes.append(
            Route(
                client,
                route,
                works=not fault,
                reason=fault,
                note=launch.note,
                listener=_listener(store, env, launch, _origin(endpoint)),
                line=_line(launch, name),
            )
        )
    found = profiles.find(client, started.version)
    made = Installed(client, started.argv[0], started.version, found.version, found.exact, gateway)
    return made, routes


def whereabouts(client: str, env: Mapping[str, str]) -> str | None:
    """A client's program: by its name if it is on `PATH`, else where `demo` installed it."""
    from inspector.installed import installed

    if shutil.which(CLIENTS[client], path=env.get("PATH")):
        return CLIENTS[client]
    found = installed(client, env)
    return None if found is None else str(found)


def _launch(started: Program, env: Mapping[str, str], route: str, bundle: str) -> Launch:
    client = known(started.client)
    if client is None:
        raise BadInput(f"{started.argv[0]}: it is no client we know")
    environment = snapshot.environment(
        (), str(Path.cwd()), env, started.client, started.version, route, None, client.switches
    )
    place = _FOLDER if route == "raw-export" else f"http://127.0.0.1:{PORT}"
    return client.launch(started.argv, environment, snapshot.DiskTree(), route, place, bundle)


def _listener(store: Path, env: Mapping[str, str], launch: Launch, endpoint: str) -> str:
    if launch.route == "raw-export":
        return shlex.join(["inspector", "import", "--store", str(store), _FOLDER])
    mode = () if launch.route == "tls" else ("--mode", f"reverse:{endpoint}")
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


def tried(
    way: Route, env: Mapping[str, str], authority: ca.Authority, problems: list[str]
) -> Route:
    """A route after the client itself has gone it."""
    place = whereabouts(way.client, env)
    if place is None:
        return way
    started = program([place], env)
    if not way.works or not attempt.genuine(started):
        return way
    went = attempt.attempt(started, way.route, env, authority)
    if not went.works:
        problems.append(f"{way.client}, route {way.route}: {went.reason}")
    return replace(way, works=went.works, reason=went.reason, seconds=round(went.seconds, 1))


def listeners(
    env: Mapping[str, str], problems: list[str]
) -> tuple[ca.Authority | None, dict[str, str]]:
    """Go both routes; our CA, and what was wrong with each."""
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
        return None, {"tls": str(error), "base-url": str(error)}
    problems += [f"route {route}: {fault}" for route, fault in faults.items() if fault]
    return authority, faults


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
