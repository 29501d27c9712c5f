"""`inspector show`: the exchanges of a session."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, say, store_option


@click.command()
@click.argument("session")
@store_option
@json_option
def show(session: str, store: Path, as_json: bool) -> None:
    """List the exchanges of SESSION: an id, a unique prefix of it, a folder, or `last`."""
    from inspector import clients, named, profiles, views

    recording = named.find(session, store).recording
    known = recording.session
    if known.client in clients.names() and known.version:
        found = profiles.find(known.client, known.version)
        if not found.exact:
            say(profiles.unknown(known.client, known.version, found.version))
    if as_json:
        print_json(views.exchanges_document(recording))
        return
    from inspector import terminal

    terminal.exchanges(recording)
