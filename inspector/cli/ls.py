"""`inspector ls`: the sessions in the store."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, store_option


@click.command()
@store_option
@json_option
def ls(store: Path, as_json: bool) -> None:
    """List the sessions in the store, newest last."""
    from inspector import named, views

    found = named.everything(store)
    if as_json:
        print_json(views.sessions_document(found))
        return
    from inspector import terminal

    terminal.sessions(found)
