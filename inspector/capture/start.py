"""How a program starts so that its model traffic reaches the listeners."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from inspector import snapshot
from inspector.capture import other
from inspector.capture.ledger import known
from inspector.capture.listener import Addresses
from inspector.capture.program import Program
from inspector.clients import Client, Launch
from inspector.errors import BadInput
from inspector.workspace import Environment


def launched(
    started: Program,
    route: str,
    env: Mapping[str, str],
    addresses: Addresses,
    bundle: str,
) -> tuple[Environment, Launch]:
    """The facts the client starts with, and how to start it on a route."""
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
        if route == "base-url":
            raise BadInput(f"{started.argv[0]}: no client we know; only --route tls works for it")
        launch = other.launch(started.argv, addresses.forward, bundle)
    else:
        launch = _routed(started, route, client, environment, addresses, bundle)
    base_url = launch.upstream or (addresses.reverse if launch.route == "base-url" else None)
    return environment.model_copy(update={"route": launch.route, "base_url": base_url}), launch


def _routed(
    started: Program,
    route: str,
    client: Client,
    environment: Environment,
    addresses: Addresses,
    bundle: str,
) -> Launch:
    """How the client starts on the route asked for; `auto` follows its own configuration."""
    before, argv = started.argv[: started.own - 1], started.argv[started.own - 1 :]

    def start(chosen: str, proxy: str) -> Launch:
        launch = client.launch(argv, environment, snapshot.DiskTree(), chosen, proxy, bundle)
        return replace(launch, argv=(*before, *launch.argv))

    if route == "base-url":
        return start("base-url", addresses.reverse)
    launch = start("tls", addresses.forward)
    if route == "auto" and launch.upstream is not None:
        return start("base-url", addresses.reverse)
    return launch


def environ(
    env: Mapping[str, str],
    launch: Launch,
    addresses: Addresses,
    bundle: str,
    *,
    closed: bool,
) -> dict[str, str]:
    """The child's variables; in a closed run all else meets the proxy too, which refuses it."""
    generic: Mapping[str, str | None] = other.launch((), addresses.forward, bundle).env
    values: dict[str, str | None] = {**env, **(generic if closed else {}), **launch.env}
    values |= other.no_proxy(env, launch.hosts)
    return {name: value for name, value in values.items() if value is not None}
