"""`inspector show`: the exchanges of a session."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, store_option


@click.command()
@click.argument("session")
@store_option
@json_option
def show(session: str, store: Path, as_json: bool) -> None:
    """List the exchanges of SESSION: an id, a unique prefix of it, a folder, or `last`."""
    from inspector import named, views

    recording = named.find(session, store).recording
    if as_json:
        print_json(views.exchanges_document(recording))
        return
    from inspector import terminal

    terminal.exchanges(recording)
