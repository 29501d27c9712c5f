"""`inspector rm`: remove sessions from the store."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import counted


@click.command()
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
@store_option
@json_option
def rm(sessions: tuple[str, ...], store: Path, as_json: bool) -> None:
    """Remove sessions with all that is kept of them: ids, unique prefixes, or `last`.

    Nothing is removed unless every name is found.
    """
    from inspector import retention
    from inspector.store import Store

    with Store.open(store, create=False) as opened:
        ids = list(dict.fromkeys(opened.find(name).id for name in sessions))
        removed = retention.remove(opened, ids)
    if as_json:
        print_json({"removed": list(removed.sessions), "bytes_freed": removed.freed})
    else:
        say(f"removed {', '.join(removed.sessions)}; {counted(removed.freed, 'byte')} freed")
