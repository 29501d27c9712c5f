"""Options and output that every command shares."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

type Command = Callable[..., Any]

SCHEMA = 1

_UPSTREAM = "Gets every request to an intercepted host."
_MOCK = "Answer from a script; nothing leaves the machine."
_HOLE = "Replace {NAME} in the script."
_MOCK_LOG = "Append a line for each main request the mock answers."
JOINED = "joined view, not sent: what a request on a WebSocket stands for"


def store_option(command: Command) -> Command:
    """`--store FILE`, also after the command's name."""
    return click.option(
        "--store",
        type=click.Path(path_type=Path, dir_okay=False),
        callback=_store,
        help="The store (default: INSPECTOR_STORE, else store.db in the data folder).",
    )(command)


def json_option(command: Command) -> Command:
    """`--json`, one document on standard output."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def upstream_options(command: Command) -> Command:
    """What stands behind the proxy: `--upstream`, or `--mock` with what belongs to it."""
    file = click.Path(path_type=Path, dir_okay=False)
    for add in (
        click.option("--mock-log", type=file, help=_MOCK_LOG),
        click.option("--hole", multiple=True, metavar="NAME=TEXT", help=_HOLE),
        click.option("--mock", "script", type=file, help=_MOCK),
        click.option("--upstream", metavar="URL", help=_UPSTREAM),
    ):
        command = add(command)
    return command


def world_options(when: str = "") -> Callable[[Command], Command]:
    """Which client, version and home a workspace is read for; `when`: what makes them count."""
    folder = click.Path(path_type=Path, exists=True, file_okay=False)
    file = click.Path(path_type=Path, exists=True, dir_okay=False)
    clients = click.Choice(["claude-code", "codex"])
    options = (
        click.option("--listings", "listings_file", type=file, help=f"{when}As for `build`."),
        click.option("--environment", "facts", type=file, help=f"{when}As for `build`."),
        click.option("--client-version", help=f"{when}Default: the newest with a profile."),
        click.option("--client", type=clients, default="claude-code"),
        click.option("--home", type=folder, help=f"{when}The user's home; default: your own."),
    )

    def add(command: Command) -> Command:
        for option in options:
            command = option(command)
        return command

    return add


def _store(ctx: click.Context, _: click.Parameter, value: Path | None) -> Path:
    from inspector.paths import store_file

    given = value or ctx.find_root().obj
    return store_file(given)


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document with its schema number first."""
    whole = {"schema": SCHEMA, **document}
    spelled = json.dumps(whole, indent=1, ensure_ascii=False)
    write(spelled.encode("utf-8", "backslashreplace") + b"\n")


def write(data: bytes) -> None:
    """Write bytes to standard output as they are."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(message: str) -> None:
    """A message for the user, on standard error."""
    sys.stdout.flush()
    click.echo(f"inspector: {message}", err=True)
