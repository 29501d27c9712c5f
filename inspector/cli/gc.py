"""`inspector gc`: let go of what no session holds any more."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import counted


@click.command()
@store_option
@json_option
def gc(store: Path, as_json: bool) -> None:
    """Let go of texts that no session holds any more, and shrink the file.

    `rm` and `purge` do so themselves; what a killed one left goes here.
    """
    from inspector import retention
    from inspector.store import Store

    with Store.open(store, create=False) as opened:
        freed = retention.collect(opened).freed
    if as_json:
        print_json({"bytes_freed": freed})
    else:
        say(f"{counted(freed, 'byte')} freed")
