"""`inspector run`: capture a client run."""

from pathlib import Path

import click

from inspector.cli.mock import holes
from inspector.cli.options import store_option, upstream_options

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(context_settings={"allow_interspersed_args": False})
@click.option(
    "--route",
    type=click.Choice(["auto", "tls", "base-url", "raw-export"]),
    default="auto",
    help="How the client reaches us; auto: tls where it works, base-url for a gateway of its own.",
)
@upstream_options
@click.option("--mock-run", type=int, help="Number of this run in the mock's ids.")
@click.option("--host", multiple=True, metavar="HOST", help="Open this host too; may repeat.")
@click.option("--report", type=_FILE, help="Write the session ids to this file, as JSON.")
@click.option("--no-mcp", is_flag=True, help="Do not ask the client's MCP servers for their lists.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the proxy; 0: any.")
@store_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- CMD ...")
def run(
    command: tuple[str, ...],
    store: Path,
    script: Path | None,
    hole: tuple[str, ...],
    no_mcp: bool,
    **options: object,
) -> int:
    """Run CMD and keep what it sends to its model.

    Exit code: the command's own. Only when that is 0: 3 if no model call was seen, 1 if the mock's
    script expected another number of requests. 2 for bad usage or input, before the command starts.
    """
    from inspector.cli import quota
    from inspector.run import Order
    from inspector.run import run as captured

    size = quota.limit()
    order = Order(command, store, script=script, holes=holes(hole), mcp=not no_mcp, **options)  # type: ignore[arg-type]
    code = captured(order)
    quota.keep_within(store, size)
    return code
