"""Capturing without a child: for IDEs and desktop apps that start their clients themselves."""

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector import mock, paths
from inspector.capture import ca, hosts, other
from inspector.capture.addon import Plan
from inspector.capture.kept import Kept, kept
from inspector.capture.listener import Addresses
from inspector.capture.live import Ended, live
from inspector.capture.parent import parent
from inspector.errors import BadInput, NothingCaptured
from inspector.given import secrets_of
from inspector.run import say
from inspector.store import Store

PORT = 8080


@dataclass(frozen=True, slots=True)
class Order:
    """What `inspector proxy` was asked to do."""

    store: Path
    port: int = PORT
    upstream: str | None = None
    script: Path | None = None
    holes: Mapping[str, str] = field(default_factory=dict[str, str])
    mock_log: Path | None = None
    host: tuple[str, ...] = ()
    report: Path | None = None
    mcp: bool = True


@dataclass(frozen=True, slots=True)
class Ready:
    """How a client reaches us."""

    proxy: str
    base_url: str
    bundle: str
    env: Mapping[str, str]
    """For clients that take a proxy."""
    base_url_env: Mapping[str, str]
    """For those that take a base URL alone."""

    @property
    def lines(self) -> list[str]:
        """The same for a POSIX shell."""
        import shlex

        lines = [f"export {name}={shlex.quote(value)}" for name, value in self.env.items()]
        others = " ".join(f"{name}={value}" for name, value in self.base_url_env.items())
        return [*lines, f"# where no proxy can be set: {others}"]

    @property
    def document(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "proxy": self.proxy,
            "base_url": self.base_url,
            "ca_bundle": self.bundle,
            "env": dict(self.env),
            "base_url_env": dict(self.base_url_env),
        }


def proxy(
    order: Order,
    env: Mapping[str, str],
    ready: Callable[[Ready], None],
    wait: Callable[[], object],
) -> tuple[Kept, ...]:
    """Capture until `wait` returns; `ready` is called when clients may come.

    Raises `NothingCaptured` if there was no model call.
    """
    asked = _check(order)
    with ExitStack() as stack:
        store = stack.enter_context(Store.open(order.store, later=True))
        server = None
        if order.script is not None:
            script = mock.script(order.script, order.holes)
            server = stack.enter_context(mock.serve(script, log=order.mock_log))
        authority = stack.enter_context(ca.at_hand(paths.data_folder(env), env, say))
        outer = None if server else parent(env)
        running = stack.enter_context(
            live(
                store,
                secrets_of(env),
                authority=authority,
                outer=outer,
                ports=(order.port, order.port + 1 if order.port else 0),
                source="proxy",
                say=say,
                by_process=False,
                mcp=order.mcp,
            )
        )
        running.hooks.plan = Plan(
            hosts=frozenset((*hosts.HOSTS, *asked)),
            upstream=server.url if server else order.upstream,
            gateways=_gateways(env, running.addresses),
            parent=outer,
            closed=server is not None,
        )
        running.check()
        running.open()
        ready(_ready(running.addresses, str(authority.bundle), env, asked))
        wait()
        running.settle(2)
        ended = running.end()
        missed = running.near_misses()
    _end(order, ended, missed)
    return kept(ended.left)


def _check(order: Order) -> tuple[str, ...]:
    if order.script and order.upstream:
        raise BadInput("--mock and --upstream: both given; choose one")
    if order.report and not order.report.absolute().parent.is_dir():
        raise BadInput(f"{order.report}: its folder does not exist; make it first")
    return hosts.chosen(order.host)


def _gateways(env: Mapping[str, str], addresses: Addresses) -> dict[str, str]:
    """The gateways of the user's own variables; our own lines name none."""
    found = other.by_dialect(env)
    return {name: url for name, url in found.items() if not url.startswith(addresses.reverse)}


def _ready(
    addresses: Addresses, bundle: str, env: Mapping[str, str], asked: tuple[str, ...]
) -> Ready:
    variables = other.variables(addresses, bundle)
    return Ready(
        proxy=addresses.forward,
        base_url=addresses.reverse,
        bundle=bundle,
        env={**variables, **other.no_proxy(env, (*hosts.HOSTS, *asked), asked)},
        base_url_env={
            "ANTHROPIC_BASE_URL": addresses.reverse,
            "OPENAI_BASE_URL": f"{addresses.reverse}/v1",
        },
    )


def _end(order: Order, ended: Ended, missed: str) -> None:
    found = kept(ended.left)
    if order.report is not None:
        rows = [one.row for one in found]
        document = {"schema": 1, "sessions": rows, "faults": list(ended.faults)}
        order.report.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    *faults, last = ended.faults if ended.lost else (*ended.faults, "")
    for line in (*faults, *(line for one in found for line in one.lines), *filter(None, [missed])):
        say(line)
    if not any(one.spoken for one in found):
        raise NothingCaptured(
            last
            or "no model call came by; give the client the lines printed at the start, or see"
            " `inspector doctor`"
        )
