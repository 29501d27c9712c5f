"""`inspector fsck`: whether the store holds what was put."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import counted


@click.command()
@store_option
@json_option
def fsck(store: Path, as_json: bool) -> int:
    """Read everything in the store and compute every digest again.

    Exit code: 0 if all is as it was put, 1 if something is damaged.
    """
    from inspector.cli.bar import steps
    from inspector.store import Store

    with Store.open(store, create=False) as opened, steps("checking") as progress:
        found = opened.fsck(progress)
    if as_json:
        print_json(
            {
                "sessions": found.sessions,
                "exchanges": found.exchanges,
                "frames": found.frames,
                "pieces": found.pieces,
                "faults": found.faults,
            }
        )
    else:
        for fault in found.faults:
            click.echo(fault)
        what = (counted(found.sessions, "session"), counted(found.exchanges, "exchange"))
        say(f"{' and '.join(what)} read, {counted(len(found.faults), 'fault')}")
    return 1 if found.faults else 0
