"""`inspector pack`: compress the store as far as it goes."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import counted


@click.command()
@store_option
@json_option
def pack(store: Path, as_json: bool) -> None:
    """Compress what is kept as far as it goes, and write sessions of earlier versions anew.

    Every byte stays. Others may read and write meanwhile.
    """
    from inspector.cli.bar import steps
    from inspector.store import Store

    with Store.open(store, create=False) as opened:
        before = opened.used()
        with steps("packing") as progress:
            opened.pack(progress)
        after = opened.used()
    if as_json:
        print_json({"bytes_before": before, "bytes_after": after})
    else:
        say(f"{counted(before, 'byte')} packed into {after:,}")
