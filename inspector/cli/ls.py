"""`inspector ls`: the sessions in the store."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, store_option
from inspector.errors import BadInput


@click.command()
@store_option
@json_option
def ls(store: Path, as_json: bool) -> None:
    """List the sessions in the store, newest last.

    Model calls leave out what a client sends to probe or to count tokens; `show` tells the kinds.
    """
    from inspector import named, paths, views

    if not store.exists() and store != paths.data_folder() / "store.db":
        raise BadInput(f"{store}: no store there; capture with `inspector run`, or correct --store")
    found = named.everything(store)
    if as_json:
        print_json(views.sessions_document(found))
        return
    from inspector import terminal

    terminal.sessions(found)
