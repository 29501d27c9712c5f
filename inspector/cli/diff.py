"""`inspector diff`: what changed between two requests, or between two sessions."""

from pathlib import Path

import click

from inspector.cli.options import JOINED, json_option, print_json, say, store_option

DIFFERENT = 1


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--joined", is_flag=True, help="WebSocket requests with all they go on from.")
@store_option
@json_option
def diff(a: str, b: str, joined: bool, store: Path, as_json: bool) -> int:
    """Show what changed from A to B.

    Each is a file with a request body, a request (id, SESSION:NUMBER as
    `inspector show` counts, SESSION:mN for the Nth model request), or a session (id,
    folder, `last`); sessions are compared request by request. Exit 1 where the meaning differs.
    """
    from inspector import diff as differ
    from inspector import named, words
    from inspector.views import changes

    if joined:
        say(JOINED)
        left, right = named.joined_sides(a, store), named.joined_sides(b, store)
    else:
        known = words.load()
        left, right = named.sides(a, store, known), named.sides(b, store, known)
    compared = differ.compare(left, right)
    if as_json:
        print_json(changes.document(compared))
    else:
        from inspector.terminal import parted

        parted.compared(compared)
    benign = all(change.benign for pair in compared for change in pair.changes)
    return 0 if benign else DIFFERENT
