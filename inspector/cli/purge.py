"""`inspector purge`: let go of old sessions, or of everything."""

import sys
from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import counted


@click.command()
@click.option("--older-than", metavar="AGE", help="Sessions older than 30 (days), 90m, 12h, 2w.")
@click.option("--max-size", metavar="SIZE", help="The oldest, until the store takes up to 500MB.")
@click.option("--all", "all_", is_flag=True, help="The store, the learned texts, the CA.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
@json_option
def purge(
    older_than: str | None, max_size: str | None, all_: bool, yes: bool, store: Path, as_json: bool
) -> None:
    """Remove old sessions, or everything we keep.

    --all asks before it deletes, and leaves whatever is not ours. The age of a session is that of
    its last exchange. --older-than and --max-size may stand together.
    """
    if all_ == bool(older_than or max_size):
        raise click.UsageError("give --older-than, --max-size, or --all alone")
    if all_:
        _all(store, yes=yes, as_json=as_json)
    else:
        _some(store, older_than, max_size, as_json=as_json)


def _some(store: Path, older_than: str | None, max_size: str | None, *, as_json: bool) -> None:
    from datetime import datetime

    from inspector import retention
    from inspector.store import Store

    age = retention.span(older_than) if older_than else None
    limit = retention.size(max_size) if max_size else None
    gone: list[str] = []
    freed = 0
    if store.exists():
        with Store.open(store, create=False) as opened:
            if age is not None:
                old = retention.older(opened, age, datetime.now().astimezone())
                removed = retention.remove(opened, old)
                gone, freed = [*removed.sessions], removed.freed
            if limit is not None:
                removed = retention.shrink(opened, limit)
                gone, freed = [*gone, *removed.sessions], freed + removed.freed
                if opened.used() > limit:
                    say(f"{store}: the newest session alone takes more than {max_size}; it stays")
    if as_json:
        print_json({"removed": gone, "bytes_freed": freed})
    else:
        say(f"removed {counted(len(gone), 'session')}; {counted(freed, 'byte')} freed")


def _all(store: Path, *, yes: bool, as_json: bool) -> None:
    from inspector import paths, retention

    data = paths.data_folder()
    files = retention.everything(store, data)
    number = counted(len(files), "file")
    if files and not yes:
        if not sys.stdin.isatty():
            raise click.UsageError(f"--all deletes {number}; say so with --yes")
        for path in files:
            click.echo(f"  {path}", err=True)
        click.confirm(f"Delete {number}?", abort=True, err=True)
    removed = retention.delete(files, data)
    if as_json:
        print_json({"deleted": list(removed.files), "bytes_freed": removed.freed})
    else:
        say(
            f"deleted {counted(len(removed.files), 'file')}; {counted(removed.freed, 'byte')} freed"
        )
    for folder in removed.left:
        say(f"{folder}: holds something that is not ours, and stays")
