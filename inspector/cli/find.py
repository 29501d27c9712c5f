"""`inspector find`: every place of a text in a session's requests."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.options import json_option, print_json, store_option
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.explain import Body

NOWHERE = 1


@click.command()
@click.argument("text")
@click.argument("session", default="last")
@click.option("-i", "--ignore-case", "fold", is_flag=True, help="Capitals and small letters alike.")
@store_option
@json_option
def find(text: str, session: str, fold: bool, store: Path, as_json: bool) -> int:
    """Find a text in the requests of a session: where it stands, and where it came from.

    Looks through what was sent, requests of every kind; JSON strings are decoded. Where the
    text is nowhere, the place most like it is named, and the exit code is 1.
    """
    from inspector import explain

    if not text:
        raise BadInput("find: the text is empty; name some characters")
    bodies, numbers = _bodies(session, store)
    found = explain.sightings(bodies, text, fold=fold)
    near = None if found else explain.nearest(bodies, text)
    if as_json:
        print_json({"items": [explain.row(text, found, near)]})
    else:
        from inspector.terminal import items as printing

        printing.sighted(text, found, numbers, near)
    return 0 if found else NOWHERE


def _bodies(name: str, store: Path) -> "tuple[list[Body], dict[str, str]]":
    """The requests with their origins, and what each is called."""
    from inspector import named, words
    from inspector.explain import Body

    found = named.find(name, store)
    rebuilt = {
        item.exchange: item.comparison.filled
        for item in named.verified(found, words.load()).requests
        if item.built is not None
    }
    sent = [exchange for exchange in found.recording.exchanges if exchange.request]
    bodies = [Body(item.id, item.request, rebuilt.get(item.id)) for item in sent]
    return bodies, {item.id: f"#{item.number} {item.kind.value}" for item in sent}
