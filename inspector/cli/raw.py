"""`inspector raw`: stored bytes as they are."""

from pathlib import Path

import click

from inspector.cli.options import JOINED, say, store_option, write


@click.command()
@click.argument("exchange")
@click.argument("part", type=click.Choice(["request", "response"]), default="request")
@click.option("--wire", is_flag=True, help="The request as sent, before content-decoding.")
@click.option("--joined", is_flag=True, help="A WebSocket request with all it goes on from.")
@store_option
def raw(exchange: str, part: str, wire: bool, joined: bool, store: Path) -> None:
    """Write the body of EXCHANGE to standard output, byte for byte.

    An exchange is named by its id, a unique prefix of it, or SESSION:NUMBER. A joined request is a
    view: the server knows what came before, so these bytes were never sent.
    """
    from inspector import named

    if wire and part != "request":
        raise click.UsageError("--wire goes with a request; responses are kept decoded")
    if joined and (wire or part != "request"):
        raise click.UsageError("--joined goes with a request, and not with --wire")
    found = named.find_exchange(exchange, store)
    if joined:
        body = named.joined_request(found, named.holding(exchange, found, store))
        say(f"{found.id}: {'sent as it is' if body is found.request else JOINED}")
        write(body)
        return
    if part == "response":
        write(found.response)
    else:
        write(found.request_wire if wire else found.request)
