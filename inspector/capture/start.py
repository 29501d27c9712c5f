"""How a program starts so that its model traffic reaches us."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from inspector import redact, snapshot
from inspector.capture import other, providers
from inspector.capture.agent import Agent
from inspector.capture.ledger import known
from inspector.capture.listener import Addresses
from inspector.capture.parent import is_loopback
from inspector.capture.process import Process
from inspector.capture.program import Program, program
from inspector.clients import Client, Launch
from inspector.errors import BadInput, InspectorError
from inspector.session import Snapshot
from inspector.workspace import Environment

_NOWHERE = Addresses("http://127.0.0.1:1", "http://127.0.0.1:1")
_EXPORTERS = ("OTEL_LOGS_EXPORTER", "OTEL_METRICS_EXPORTER", "OTEL_TRACES_EXPORTER")
_TELEMETRY = "CLAUDE_CODE_ENABLE_TELEMETRY"


@dataclass(frozen=True, slots=True)
class Setting:
    """A program, and what is known before it starts."""

    started: Program
    env: Mapping[str, str]
    """The variables of the user's, those in the client's own settings on top."""
    client: Client | None
    environment: Environment
    upstream: str | None
    """Where the client's own configuration sends model calls."""
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    """The variables in the client's own settings."""


def setting(started: Program, env: Mapping[str, str], route: str) -> Setting:
    """Look at what the client will read. Raises `BadInput` for what cannot be captured."""
    client = known(started.client)
    environment = snapshot.environment(
        started.arguments,
        str(Path.cwd()),
        env,
        started.client,
        started.version,
        route,
        switches=client.switches if client else (),
    )
    if client is None:
        if route == "raw-export":
            raise BadInput(f"{started.argv[0]}: only Claude Code exports its bodies; leave --route")
        return Setting(started, env, None, environment, None)
    plain = client.launch(
        started.argv, environment, snapshot.DiskTree(), "tls", _NOWHERE.forward, ""
    )
    whole = {**env, **plain.own}
    providers.refuse(started.client, whole)
    return Setting(started, whole, client, environment, plain.upstream, plain.own)


def chosen(given: Setting, route: str, trusts: Callable[[], bool]) -> str:
    """The route `auto` stands for: a gateway's base URL, else `tls` where our CA is trusted."""
    if route != "auto" or given.client is None:
        return route
    return "base-url" if given.upstream is not None or not trusts() else "tls"


def launched(
    given: Setting, route: str, addresses: Addresses, bundle: str, folder: str = ""
) -> tuple[Environment, Launch]:
    """The facts the client starts with, and how to start it on a chosen route.

    `folder` is for `raw-export`.
    """
    if given.client is None:
        launch = other.launch(given.started.argv, given.env, route, addresses, bundle)
    else:
        place = {"tls": addresses.forward, "base-url": addresses.reverse, "raw-export": folder}
        launch = _routed(given, given.client, route, place, bundle)
    base_url = launch.upstream or (addresses.reverse if launch.route == "base-url" else None)
    facts = {"route": launch.route, "base_url": base_url}
    return given.environment.model_copy(update=facts), launch


def _routed(
    given: Setting, client: Client, route: str, place: Mapping[str, str], bundle: str
) -> Launch:
    """How a known client starts."""
    if route == "tls" and given.upstream is not None:
        _reachable(given.upstream)
    started = given.started
    before, argv = started.argv[: started.own - 1], started.argv[started.own - 1 :]
    tree = snapshot.DiskTree()
    launch = client.launch(argv, given.environment, tree, route, place[route], bundle)
    return replace(launch, argv=(*before, *launch.argv))


def _reachable(gateway: str) -> None:
    parts = urlsplit(gateway)
    if parts.scheme != "https" or is_loopback(parts.hostname or ""):
        raise BadInput(
            f"route tls: the client's gateway {gateway} is not reached through a TLS proxy;"
            " take --route base-url"
        )


def environ(
    env: Mapping[str, str],
    launch: Launch,
    addresses: Addresses,
    bundle: str,
    *,
    closed: bool,
    asked: Sequence[str] = (),
) -> dict[str, str]:
    """The child's variables; in a closed run all else meets the proxy too, which refuses it.

    One CA bundle serves the client and whatever it starts. With hosts the user asked for, plain
    HTTP goes through the proxy as well.
    """
    generic: dict[str, str] = {}
    if launch.route == "tls" or closed or asked:
        generic = other.variables(addresses, bundle)
    if asked:
        generic |= dict.fromkeys(("HTTP_PROXY", "http_proxy"), addresses.forward)
    values: dict[str, str | None] = {**env, **generic, **launch.env}
    if generic or launch.route == "base-url":
        values |= other.no_proxy(env, (*launch.hosts, *asked), asked)
    if launch.route == "raw-export" and env.get(_TELEMETRY):
        values |= {name: env[name] for name in _EXPORTERS if name in env}
    return {name: value for name, value in values.items() if value is not None}


def found(
    process: Process | None, seen: Agent, route: str, given: redact.Given, base_url: str | None
) -> Snapshot | None:
    """What a client process that we did not start could read; None where nobody tells."""
    client = known(seen.client)
    if process is None or client is None:
        return None
    try:
        started = program(process.argv, process.env)
    except InspectorError:
        return None
    environment = snapshot.environment(
        started.arguments,
        process.cwd,
        process.env,
        seen.client,
        seen.version,
        route,
        base_url if route == "base-url" else None,
        client.switches,
    )
    return snapshot.take(client, environment, given=given)
