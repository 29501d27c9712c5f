"""`inspector doctor`: what is installed, where our files are, which routes work."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.options import json_option, print_json, store_option

if TYPE_CHECKING:
    from inspector.doctor import Report
    from inspector.doctor.routes import Installed, Route


@click.command()
@click.option("--paths", "only_paths", is_flag=True, help="Print only where our own files are.")
@click.option("--try", "trying", is_flag=True, help="Start each client once a route, on the mock.")
@store_option
@json_option
def doctor(store: Path, only_paths: bool, trying: bool, as_json: bool) -> int:
    """Say what is installed, where our files are, which routes work, and how to go them by hand.

    Routes are tried with a TLS handshake and a model call of our own; with --try the clients make
    them, each in an empty home with a made-up key, and nothing leaves the machine.

    Exit code: 0 when everything works, 1 when something does not. A client that is not installed is
    no fault.
    """
    from inspector import doctor as look

    if only_paths:
        places, files = look.where(store), look.kept(store)
        if as_json:
            print_json({"paths": places, "files": files})
        else:
            rows = [f"{name:<6} {place}" for name, place in places.items()]
            click.echo("\n".join([*rows, *(f"file   {path}" for path in files)]))
        return 0
    report = look.examine(store, trying=trying)
    if as_json:
        print_json(report.document)
    else:
        click.echo("\n".join(_lines(report)))
    return 1 if report.problems else 0


def _lines(report: "Report") -> list[str]:
    packages = ", ".join(f"{name} {found or 'missing'}" for name, found in report.packages.items())
    lines = [f"Python {report.python}; {packages}", ""]
    lines += [f"{name:<6} {place}" for name, place in report.paths.items()]
    lines += [f"       store: {report.store}"]
    if report.proxy:
        lines += [f"proxy  {report.proxy}: our own connections go through it"]
    for client in report.clients:
        lines += ["", _client(client)]
        for route in report.routes:
            if route.client == client.client:
                lines += _route(route)
    lines += ["", "For an IDE or desktop app: `inspector proxy` prints the lines for any client."]
    lines += ["", *(report.problems or (_verdict(report),))]
    return lines


def _verdict(report: "Report") -> str:
    if any(client.path for client in report.clients):
        return "everything works"
    return (
        "what is ours works, but no client was found, so no route to one was tried; install Claude"
        " Code or Codex, or both with `inspector demo --install-clients`"
    )


def _client(client: "Installed") -> str:
    if client.path is None:
        return f"{client.client}: not on PATH, nor installed by the demo"
    known = "" if client.exact else f" (nearest known version: {client.profile})"
    gateway = f", gateway {client.gateway}" if client.gateway else ""
    return f"{client.client} {client.version}{known}: {client.path}{gateway}"


def _route(route: "Route") -> list[str]:
    if not route.line:
        return [f"  {route.route}: {route.reason}"]
    state = "works" if route.works else f"does not work: {route.reason}"
    if route.seconds is not None and route.works:
        state += f" (the client made its call in {route.seconds} s)"
    if route.route == "raw-export":
        return [
            f"  {route.route}: {state}. {route.note}",
            "    by hand:",
            f"      {route.line}",
            "    and then:",
            f"      {route.listener}",
        ]
    return [
        f"  {route.route}: {state}. {route.note}".rstrip(),
        "    by hand, in one terminal:",
        f"      {route.listener}",
        "    and in another:",
        f"      {route.line}",
    ]
