"""`inspector turns`: what happened before each request, as a file `build` reads."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, store_option, write


@click.command()
@click.argument("session")
@store_option
@json_option
def turns(session: str, store: Path, as_json: bool) -> None:
    """Write the turns of SESSION as YAML: prompts, replies, results of tools, in order."""
    from inspector import folder, named

    found = named.turns(named.find(session, store).recording)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        write(folder.turns_yaml(found))
