"""`inspector turns`: what happened before each request, as files `build` reads."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, store_option, write
from inspector.errors import BadInput

_OUT = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("session")
@click.option(
    "--environment", "facts", type=_OUT, help="Write the facts outside the workspace there, too."
)
@store_option
@json_option
def turns(session: str, facts: Path | None, store: Path, as_json: bool) -> None:
    """Write the turns of SESSION as YAML: prompts, replies, what tools gave, in order.

    What the client makes itself (bodies of skills, files it read, its errors) is not in them:
    `inspector build` makes it again. Files that changed between two requests are, as each found
    them.

    With --environment, a file for `inspector build --environment`: how the client was started,
    date, git, route, and what its MCP servers offered.
    """
    from inspector import folder, named
    from inspector.snapshot.held import with_changes

    found = named.find(session, store)
    given, snapshot = named.given(found), found.recording.snapshot
    if facts is not None:
        if snapshot is None:
            raise BadInput(f"{session}: no snapshot was kept, so no facts; run it again")
        try:
            facts.write_bytes(folder.facts_yaml(snapshot))
        except OSError as error:
            raise BadInput(f"{facts}: {error.strerror}; name another file") from error
    if snapshot is not None:
        given = with_changes(given, snapshot)
    if as_json:
        print_json(given.model_dump(mode="json"))
    else:
        write(folder.turns_yaml(given))
