"""`inspector proxy`: capture clients that something else starts."""

import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.mock import holes
from inspector.cli.options import json_option, print_json, say, store_option, upstream_options

if TYPE_CHECKING:
    from inspector.proxy import Ready

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65534),
    default=8080,
    show_default=True,
    help="Port of the proxy; base URLs get the next one. 0: any two.",
)
@upstream_options
@click.option("--host", multiple=True, metavar="HOST", help="Open this host too; may repeat.")
@click.option("--report", type=_FILE, help="Write the session ids to this file, as JSON.")
@click.option("--no-mcp", is_flag=True, help="Do not ask the clients' MCP servers for their lists.")
@store_option
@json_option
def proxy(  # noqa: PLR0913 - one parameter an option
    *,
    port: int,
    upstream: str | None,
    script: Path | None,
    hole: tuple[str, ...],
    mock_log: Path | None,
    host: tuple[str, ...],
    report: Path | None,
    no_mcp: bool,
    store: Path,
    as_json: bool,
) -> None:
    """Capture whatever is pointed at us, until stopped: for IDEs and desktop apps.

    Prints the variables to start them with, as shell lines or as JSON. Each conversation of each
    client becomes a session. Ends on Ctrl-C or SIGTERM; exit 3 if no model call came by.
    """
    from inspector import proxy as capturing
    from inspector.cli import quota

    size = quota.limit()
    order = capturing.Order(
        store,
        port,
        upstream,
        script,
        holes(hole),
        mock_log,
        host=host,
        report=report,
        mcp=not no_mcp,
    )
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ended.set())

    def ready(found: "Ready") -> None:
        if as_json:
            print_json(found.document)
        else:
            click.echo("\n".join(found.lines))
        sys.stdout.flush()
        say(f"capturing into {store}; stop with Ctrl-C")

    capturing.proxy(order, dict(os.environ), ready, ended.wait)
    quota.keep_within(store, size)
