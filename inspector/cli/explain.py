"""`inspector explain`: what of the user's is in the requests, where, and why the rest is not."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.offline import offline
from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import BadInput, counted

if TYPE_CHECKING:
    from inspector.explain import Body, Item
    from inspector.workspace import World

type Bodies = list["Body"]

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
ABSENT = 1


@click.command()
@click.argument("names", nargs=-1, metavar="[SESSION] [WHAT]...")
@click.option("--workspace", type=_FOLDER, help="Offline: what a client would send from there.")
@click.option("--home", type=_FOLDER, help="With --workspace: the user's home; default: your own.")
@click.option("--client", type=click.Choice(["claude-code", "codex"]), default="claude-code")
@click.option("--client-version", help="With --workspace; default: the newest with a profile.")
@click.option("--turns", "turns_file", type=_FILE, help="With --workspace; default: one prompt.")
@click.option("--environment", "facts", type=_FILE, help="With --workspace; as for `build`.")
@click.option("--listings", "listings_file", type=_FILE, help="With --workspace; as for `build`.")
@store_option
@json_option
def explain(  # noqa: PLR0913, PLR0917 - one parameter an option
    names: tuple[str, ...],
    workspace: Path | None,
    home: Path | None,
    client: str,
    client_version: str | None,
    turns_file: Path | None,
    facts: Path | None,
    listings_file: Path | None,
    store: Path,
    as_json: bool,
) -> int:
    """Say which files, skills, MCP tools and hooks are in the requests, where, or why not.

    Of a session (`last`, an id, a folder), or with --workspace of what a client would send from a
    folder. WHAT is a path or the end of one, a name (of a skill, a server, `server/tool`), or any
    text; without it, everything is listed. Exit 1 where something asked for is in no request.
    """
    from inspector import explain as explaining

    if workspace is None:
        if not names:
            raise BadInput("explain: nothing named; name a session (`last`) or a --workspace")
        world, bodies = _of_session(names[0], store)
        wanted: Sequence[str] = names[1:]
    else:
        given = (workspace, home, client, client_version, turns_file, facts, listings_file)
        world, bodies = offline(*given)
        wanted = names
    items = _items(world, bodies)
    asked = [(what, explaining.chosen(items, what) or _unread(world, what)) for what in wanted]
    shown = [item for _, found in asked for item in found] if wanted else items
    texts = [(what, explaining.sightings(bodies, what)) for what, found in asked if not found]
    if as_json:
        rows = [explaining.row(what, found) for what, found in texts]
        print_json({"items": [*explaining.rows(shown), *rows]})
    else:
        from inspector.terminal import items as printing

        numbers = {body.exchange: f"#{number}" for number, body in enumerate(bodies, start=1)}
        printing.explained(shown, numbers, world.environment)
        for what, found in texts:
            printing.sighted(what, found, numbers)
    missing = any(not item.landed for item in shown) or any(not found for _, found in texts)
    return ABSENT if wanted and missing else 0


def _items(world: "World", bodies: Bodies) -> "list[Item]":
    from inspector import clients, profiles
    from inspector import explain as explaining

    environment = world.environment
    client = clients.client(environment.client)
    found = profiles.find(environment.client, environment.version)
    profile = profiles.resolve(found, client.axes(world))
    requests = [(body.exchange, body.built) for body in bodies if body.built is not None]
    return explaining.explain(requests, client.missing(world, profile), client.called)


def _unread(world: "World", what: str) -> "list[Item]":
    """A file of the workspace that is none of the items."""
    from posixpath import join, normpath

    from inspector import clients
    from inspector.errors import NotKept
    from inspector.explain import Item

    path = normpath(join(world.environment.cwd, what))
    try:
        data = world.tree.read(path)
    except NotKept:
        return []
    if data is None:
        return []
    known = clients.client(world.environment.client).called(path)
    why = "the client does not look for a file of this name there, and nothing brought it in"
    return [Item(known.kind, known.name, path, reasons=[why])]


def _of_session(name: str, store: Path) -> "tuple[World, Bodies]":
    """A session's world at its start, and its main requests as they were rebuilt."""
    from inspector import named, words
    from inspector.explain import Body
    from inspector.session import ExchangeKind
    from inspector.snapshot import SnapshotTree
    from inspector.workspace import World

    found = named.find(name, store)
    report = named.verified(found, words.load())
    main = [item for item in report.requests if item.kind is ExchangeKind.MAIN]
    made = [
        Body(item.exchange, item.captured, item.comparison.filled)
        for item in main
        if item.built is not None
    ]
    snapshot = found.recording.snapshot
    if not made or snapshot is None:
        why = next(iter(report.notes), "it has no model request")
        raise BadInput(f"{name}: nothing of it could be rebuilt ({why}); see `inspector verify`")
    if inexact := sum(not item.exact for item in main):
        say(
            f"{counted(inexact, 'request')} of {len(main)} not exact: what is said of them may lack"
        )
    world = World(SnapshotTree(snapshot, ""), snapshot.environment, snapshot.listings)
    return world, made
