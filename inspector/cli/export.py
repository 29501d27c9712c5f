"""`inspector export`: a session in the formats of other tools."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import BadInput, counted

if TYPE_CHECKING:
    from inspector.session import Exchange

_FORMATS = ("folder", "har", "flows", "jsonl", "otel")


@click.command()
@click.argument("session")
@click.option("--format", "kind", type=click.Choice(_FORMATS), required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="PATH",
              help="A file, or a folder for --format folder.")  # fmt: skip
@store_option
@json_option
def export(session: str, kind: str, out: Path, store: Path, as_json: bool) -> None:
    """Write SESSION for other tools: HAR, mitmproxy flows, JSONL, OpenTelemetry, or as a folder.

    Account, device and session ids are replaced by others; secrets were before they were stored.
    Nothing else goes: `inspector seal` is for sharing. A folder is what every command takes in
    place of a session.
    """
    from inspector import folder, named
    from inspector.seal import without_ids

    recording = without_ids(named.find(session, store).recording)
    if kind == "folder":
        folder.write(recording, out)
    else:
        try:
            with out.open("wb") as file:
                _writer(kind)(recording.exchanges, file)
        except OSError as error:
            raise BadInput(f"{out}: cannot be written ({error.strerror})") from error
    number = len(recording.exchanges)
    if as_json:
        print_json({"path": str(out), "format": kind, "exchanges": number})
    else:
        say(f"{out}: {counted(number, 'exchange')}")


def _writer(kind: str) -> "Callable[[Sequence[Exchange], BinaryIO], None]":
    from inspector.formats import flows_out, har_out, lines_out, otel_out

    writers = {
        "har": har_out.write,
        "flows": flows_out.write,
        "jsonl": lines_out.write,
        "otel": otel_out.write,
    }
    return writers[kind]
