"""`inspector import`: what browsers, proxies and clients have saved."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import counted

if TYPE_CHECKING:
    from inspector.importing import Brought

LISTED = 10
"""Skipped things named before the rest is only counted; --json lists all."""


@click.command(name="import")
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path)
)
@store_option
@json_option
def import_(paths: tuple[Path, ...], store: Path, as_json: bool) -> None:
    """Import HAR files, mitmproxy flow files, raw-body exports, request bodies, JSONL.

    A format is recognised by content. Sessions are told apart by conversation; a folder of plain
    request bodies is one session, in the order of file names. Secrets are replaced before anything
    is written. Exit code: 2 if nothing could be read, 3 if no model traffic was in it.
    """
    import os
    from datetime import datetime

    from inspector import importing, views
    from inspector.given import secrets_of
    from inspector.store import Store

    for path in paths:
        if not path.exists():
            raise click.BadParameter(f"{path}: no such file or folder")
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    given = secrets_of(os.environ)
    with Store.open(store) as opened, _bar(paths) as progress:
        brought = importing.bring(list(paths), opened, given, now, progress)
    found = brought.recordings
    if as_json:
        rows = [{"path": item.path, "reason": item.reason} for item in brought.skipped]
        print_json({**views.sessions_document(found), "skipped": rows})
    else:
        from inspector import terminal

        terminal.sessions(found)
    _tell(brought)


def _tell(brought: "Brought") -> None:
    for item in brought.skipped[:LISTED]:
        say(f"{item.path}: {item.reason}")
    if len(brought.skipped) > LISTED:
        say(f"{len(brought.skipped) - LISTED} more things were skipped; --json lists all")
    if brought.replaced:
        say(f"{counted(brought.replaced, 'secret')} replaced")


@contextmanager
def _bar(paths: tuple[Path, ...]) -> "Generator[Callable[[Path, int], None]]":
    """A progress bar on standard error, where that is a terminal."""
    from inspector import formats, terminal

    console = terminal.console(stderr=True)
    if not console.is_terminal:
        yield lambda _path, _at: None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        tasks = {path: progress.add_task(path.name, total=formats.size(path)) for path in paths}
        yield lambda path, at: progress.update(tasks[path], completed=at)
