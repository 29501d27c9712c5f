"""`inspector raw`: stored bytes as they are."""

from pathlib import Path

import click

from inspector.cli.options import store_option, write


@click.command()
@click.argument("exchange")
@click.argument("part", type=click.Choice(["request", "response"]), default="request")
@click.option("--wire", is_flag=True, help="The request as sent, before content-decoding.")
@store_option
def raw(exchange: str, part: str, wire: bool, store: Path) -> None:
    """Write the body of EXCHANGE to standard output, byte for byte.

    An exchange is named by its id, a unique prefix of it, or SESSION:NUMBER.
    """
    from inspector import named

    if wire and part != "request":
        raise click.UsageError("--wire goes with a request; responses are kept decoded")
    found = named.find_exchange(exchange, store)
    if part == "response":
        write(found.response)
    else:
        write(found.request_wire if wire else found.request)
