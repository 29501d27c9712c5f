"""`inspector replay`: serve a recording to the real client."""

import json
import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.mock import holes
from inspector.cli.options import json_option, print_json, say, store_option

if TYPE_CHECKING:
    from inspector.replay import Order

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("session")
@click.option(
    "--mode",
    type=click.Choice(["strict", "lenient", "record-missing"]),
    default="strict",
    help="What a request does that the recording does not hold: end the replay; be answered by the"
    " nearest recorded one; go to --script or --upstream.",
)
@click.option(
    "--allow",
    multiple=True,
    metavar="WHAT",
    help="Lenient: allow only these differences: a section, a JSON pointer, a source such as"
    " file:*/CLAUDE.md; * and ? as in file names. May repeat.",
)
@click.option("--fork", type=click.IntRange(0), help="Answer this many main requests, then others.")
@click.option("--script", type=_FILE, help="Answers after a fork, or what is missing.")
@click.option("--hole", multiple=True, metavar="NAME=TEXT", help="Replace {NAME} in the script.")
@click.option("--upstream", default="", metavar="URL", help="The same by a real model.")
@click.option("--timing", type=click.Choice(["zero", "recorded"]), default="zero")
@click.option(
    "--route",
    type=click.Choice(["auto", "tls", "base-url"]),
    help="How the client reaches us (default: as recorded).",
)
@click.option("--limit", type=click.FloatRange(0, min_open=True), default=600.0, show_default=True,
              help="Seconds the client may take.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on; 0: any.")
@click.option("--log", type=_FILE, help="Append a line for each request that is judged.")
@click.option("--report", type=_FILE, help="Write the document to this file, as --json prints it.")
@store_option
@json_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- CMD ...]")
def replay(
    session: str,
    command: tuple[str, ...],
    store: Path,
    as_json: bool,
    report: Path | None,
    **options: object,
) -> int:
    """Answer CMD, a real client, from SESSION; nothing leaves the machine.

    Requests are matched by meaning, in any order: folders, the date and ids may be others. Without
    CMD the recording is served until interrupted. Exit 0 when every request was matched, 1 at the
    first difference (strict), 3 when no request came.
    """
    from inspector.replay import replay as replayed

    stdout = sys.stderr.fileno() if as_json else None
    order = _order(
        {"session": session, "store": store, "command": command, "stdout": stdout}, options
    )
    if not command:
        return _served(order, as_json=as_json)
    ended = replayed(order, dict(os.environ))
    for fault in ended.faults:
        say(fault)
    document = {**ended.report.document, "exit_code": ended.code, "kept_as": ended.session}
    if report is not None:
        _write(report, document)
    if as_json:
        print_json(document)
    for line in ended.report.lines:
        say(line)
    if ended.exit_code == 3:
        say("the client asked its model nothing; see its own output, or `inspector doctor`")
    return ended.exit_code


def _order(given: dict[str, Any], options: Mapping[str, Any]) -> "Order":
    from inspector.replay import Order
    from inspector.replay.desk import Rules

    rest = dict(options)
    rules = Rules(rest.pop("mode"), rest.pop("allow"), rest.pop("fork"))
    route = rest.pop("route") or ""
    return Order(rules=rules, holes=holes(rest.pop("hole")), route=route, **given, **rest)


def _write(report: Path, document: Mapping[str, Any]) -> None:
    try:
        report.write_text(json.dumps({"schema": 1, **document}, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        say(f"{report}: the report cannot be written ({error.strerror})")


def _served(order: "Order", *, as_json: bool) -> int:
    """Serve until interrupted."""
    from inspector.replay import serve

    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ended.set())
    with serve(order, dict(os.environ)) as (url, report):
        click.echo(url, err=as_json)  # standard output is for the document
        sys.stdout.flush()
        ended.wait()
    if as_json:
        print_json({**report.document, "exit_code": None, "kept_as": None})
    for line in report.lines:
        say(line)
    return 0 if report.fine else 1
