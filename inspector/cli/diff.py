"""`inspector diff`: what changed between two requests, or between two sessions."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.options import JOINED, json_option, print_json, say, store_option
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.session import Recording

DIFFERENT = 1


@click.command()
@click.argument("a")
@click.argument("b", required=False)
@click.option("--built", is_flag=True, help="What was rebuilt against what A sent; without B.")
@click.option(
    "--strict", is_flag=True, help="Tell what has no meaning as any other (ids, marks, shapes)."
)
@click.option("--markdown", is_flag=True, help="Print Markdown, for an issue's text.")
@click.option("--joined", is_flag=True, help="WebSocket requests with all they go on from.")
@store_option
@json_option
def diff(  # noqa: PLR0913, PLR0917 - one parameter an option
    a: str,
    b: str | None,
    built: bool,
    strict: bool,
    markdown: bool,
    joined: bool,
    store: Path,
    as_json: bool,
) -> int:
    """Show what changed from A to B.

    Each is a file with a request body, a request (id, SESSION:NUMBER as
    `inspector show` counts, SESSION:mN for the Nth model request), or a session (id,
    folder, `last`); sessions are compared request by request. Exit 1 where the meaning differs;
    ids, attestations, cache marks that moved on and a text that became one block have none.
    """
    from inspector import diff as differ
    from inspector import named, words
    from inspector.views import changes, tokens

    if built == (b is not None):
        raise BadInput("diff: name A and B, or A and --built")
    if built:
        left, right = named.rebuilt_sides(a, store, words.load())
    elif joined:
        say(JOINED)
        left, right = (named.joined_sides(name, store) for name in (a, b or a))
    else:
        known = words.load()
        left, right = (named.sides(name, store, known) for name in (a, b or a))
    compared = differ.compare(left, right)
    recordings = [tokens.recording_of(name, store) for name in (a, b or a)]
    rate = tokens.rate_of(recordings[1])
    for line in _beside(*recordings):
        say(line)
    if as_json:
        print_json(changes.document(compared, rate))
    elif markdown:
        from inspector.terminal import markdown as written

        click.echo(written.compared(compared, rate, strict=strict))
    else:
        from inspector.terminal import parted

        parted.compared(compared, rate, strict=strict)
    counted = [
        change for pair in compared for change in pair.changes if strict or not change.benign
    ]
    return DIFFERENT if counted else 0


def _beside(a: "Recording | None", b: "Recording | None") -> "Iterator[str]":
    """What of two sessions changes requests besides what anybody wrote."""
    if a is None or b is None:
        return
    old, new = a.session, b.session
    if old.route != new.route:
        yield (
            f"A came by the route {old.route}, B by {new.route}: that alone changes the request"
            " (docs/routes.md)"
        )
    if (old.client, old.version) != (new.client, new.version):
        names = f"A is of {old.client} {old.version}, B of {new.client} {new.version}"
        yield f"{names}: `inspector drift` tells what a version changes"
