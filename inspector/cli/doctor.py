"""`inspector doctor`: what is installed, where our files are, which routes work."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.options import json_option, print_json, store_option

if TYPE_CHECKING:
    from inspector.doctor import Installed, Report, Route


@click.command()
@click.option("--paths", "only_paths", is_flag=True, help="Print only where our own files are.")
@store_option
@json_option
def doctor(store: Path, only_paths: bool, as_json: bool) -> int:
    """Say what is installed, where our files are, which routes work, and how to go them by hand.

    Exit code: 0 when everything works, 1 when something does not. A client that is not installed is
    no fault.
    """
    from inspector import doctor as look

    if only_paths:
        places = look.where(store)
        if as_json:
            print_json({"paths": places})
        else:
            click.echo("\n".join(f"{name:<6} {place}" for name, place in places.items()))
        return 0
    report = look.examine(store)
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
    lines += ["", *(report.problems or ("everything works",))]
    return lines


def _client(client: "Installed") -> str:
    if client.path is None:
        return f"{client.client}: not on PATH"
    known = "" if client.exact else f" (nearest known version: {client.profile})"
    gateway = f", gateway {client.gateway}" if client.gateway else ""
    return f"{client.client} {client.version}{known}: {client.path}{gateway}"


def _route(route: "Route") -> list[str]:
    if not route.line:
        return [f"  {route.route}: {route.reason}"]
    state = "works" if route.works else f"does not work: {route.reason}"
    return [
        f"  {route.route}: {state}. {route.note}".rstrip(),
        "    by hand, in one terminal:",
        f"      {route.listener}",
        "    and in another:",
        f"      {route.line}",
    ]
