"""`inspector explain`: what of the user's is in the requests, where, and why the rest is not."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli import whatif
from inspector.cli.offline import laid_out, of_session
from inspector.cli.options import json_option, print_json, store_option, world_options
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.cli.offline import Situation
    from inspector.clients import Meter
    from inspector.diff import Rate
    from inspector.explain import Body, Item, Total
    from inspector.workspace import World

type Bodies = list["Body"]

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
ABSENT = 1


@click.command()
@click.argument("names", nargs=-1, metavar="[SESSION] [WHAT]...")
@click.option("--workspace", type=_FOLDER, help="Offline: what a client would send from there.")
@world_options("With --workspace. ")
@click.option("--turns", "turns_file", type=_FILE, help="With --workspace; default: one prompt.")
@click.option("--with", "added", multiple=True, metavar="PLACE=FILE", help="What if a file were.")
@click.option("--without", "gone", multiple=True, metavar="WHAT", help="What if it were not.")
@click.option("--set", "given", multiple=True, metavar="KEY=VALUE", help="What if it were set.")
@click.option("--all", "everything", is_flag=True, help="List everything (the default).")
@click.option("--client-texts", is_flag=True, help="The client's own texts, and how often.")
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
    added: tuple[str, ...],
    gone: tuple[str, ...],
    given: tuple[str, ...],
    everything: bool,
    client_texts: bool,
    store: Path,
    as_json: bool,
) -> int:
    """Say which files, skills, MCP tools and hooks are in the requests, where, or why not.

    Of a session (`last`, an id, a folder), or of what a client would send from a folder
    (--workspace, or named first). WHAT is a path or the end of one, a name (of a skill, a server,
    `server/tool`), or any text; without it (or with --all), everything is listed. Exit 1 where
    something asked for is in no request.

    With --with, --without or --set, and of a session with --client-version: what would change in
    the requests (exit 0).
    """
    if workspace is None and names and _is_workspace(names[0]):
        workspace, names = Path(names[0]), names[1:]
    if everything and names[workspace is None :]:
        raise BadInput(f"explain --all: it lists everything; leave out {names[-1]} or --all")
    version = None
    if workspace is None:
        if not names:
            raise BadInput("explain: nothing named; name a session (`last`) or a --workspace")
        situation = of_session(names[0], store)
        wanted: Sequence[str] = names[1:]
        version = client_version
    else:
        of = (workspace, home, client, client_version, turns_file, facts, listings_file)
        situation, wanted = laid_out(*of).with_bodies(), names
    world = situation.world
    items = _items(world, situation.bodies)
    if added or gone or given or version:
        change = whatif.change(world, items, added, gone, given, version)
        _what_if(situation, change, as_json=as_json)
        return 0
    if client_texts:
        _client_texts(situation, as_json=as_json)
        return 0
    return _listed(situation, items, wanted, as_json=as_json)


def _listed(
    situation: "Situation", items: "list[Item]", wanted: Sequence[str], *, as_json: bool
) -> int:
    """Tell of what is asked for, or of everything."""
    from inspector import explain as explaining
    from inspector.diff import Rate

    world, bodies = situation.world, situation.bodies
    rate = situation.rate or Rate()
    items += _unheard(world, items)
    asleep = _asleep(world, items)
    items += [] if wanted else asleep()
    asked = [(what, _meant(what, items, asleep) or _unread(world, what, items)) for what in wanted]
    shown = [item for _, found in asked for item in found] if wanted else items
    texts = [(what, explaining.sightings(bodies, what)) for what, found in asked if not found]
    if as_json:
        rows = [explaining.row(what, found) for what, found in texts]
        whole = {} if wanted else _whole(world, bodies[-1], rate)
        known = {"tokens": rate.document}
        print_json({"items": [*explaining.rows(shown, rate), *rows], **whole, **known})
    else:
        from inspector.terminal import items as printing

        printing.explained(shown, _numbers(bodies), world.environment, rate)
        if not wanted:
            printing.summed(*_sums(world, bodies[-1]), rate)
        for what, found in texts:
            printing.sighted(what, found, _numbers(bodies))
    missing = any(not item.landed for item in shown) or any(not found for _, found in texts)
    return ABSENT if wanted and missing else 0


def _sums(world: "World", last: "Body") -> "tuple[Sequence[Total], Sequence[Meter]]":
    """What the last request is made of, and the budgets."""
    from inspector import explain as explaining
    from inspector.cli.offline import modelled

    client, profile = modelled(world)
    meters = client.meters(world, profile)
    return (explaining.totals(last.built, client.called) if last.built else []), meters


def _whole(world: "World", last: "Body", rate: "Rate") -> dict[str, Any]:
    from dataclasses import asdict

    sums, meters = _sums(world, last)
    return {"totals": _shares(sums, rate), "meters": [asdict(one) for one in meters]}


def _shares(sums: "Sequence[Total]", rate: "Rate") -> list[dict[str, Any]]:
    from dataclasses import asdict

    return [{**asdict(one), "tokens_estimate": rate.tokens(one.chars)} for one in sums]


def _client_texts(situation: "Situation", *, as_json: bool) -> None:
    from inspector import explain as explaining
    from inspector.diff import Rate

    last, rate = situation.bodies[-1], situation.rate or Rate()
    found = explaining.client_texts(last.built) if last.built is not None else []
    if as_json:
        print_json({"client_texts": _shares(found, rate)})
    else:
        from inspector.terminal import items as printing

        printing.shares(found, "client text", "times", rate)


def _numbers(bodies: Bodies) -> dict[str, str]:
    return {body.exchange: f"#{number}" for number, body in enumerate(bodies, start=1)}


def _what_if(situation: "Situation", change: "Callable[[World], World]", *, as_json: bool) -> None:
    """Rebuild as it is and as it would be, and tell the difference."""
    from inspector import explain as explaining
    from inspector.diff import Rate

    rate = situation.rate or Rate()
    old, new = situation.otherwise(lambda world: world), situation.otherwise(change)
    changes = explaining.effects(_items(old.world, old.bodies), _items(new.world, new.bodies))
    sizes = explaining.resized(old.bodies, new.bodies)
    if as_json:
        print_json({**explaining.document(changes, sizes), "tokens": rate.document})
    else:
        from inspector.terminal import items as printing

        printing.affected(changes, sizes, _numbers(old.bodies), old.world.environment, rate)


def _items(world: "World", bodies: Bodies) -> "list[Item]":
    from inspector import explain as explaining
    from inspector.cli.offline import modelled

    client, profile = modelled(world)
    requests = [(body.exchange, body.built) for body in bodies if body.built is not None]
    return explaining.explain(requests, client.missing(world, profile), client.called)


def _is_workspace(name: str) -> bool:
    """Whether a name is a folder that neither is a recording's nor holds recordings."""
    from inspector import named

    path = Path(name)
    return path.is_dir() and not named.is_recorded(path)


def _unheard(world: "World", items: "list[Item]") -> "Iterator[Item]":
    """Servers that would be started, and nobody has asked what they offer."""
    from inspector import clients
    from inspector.errors import NotKept
    from inspector.explain import Item

    known = {item.name for item in items if item.kind == "server"}
    known |= {listing.server for listing in world.listings}
    words = "nothing tells what it offers; `inspector mcp snapshot` asks it, --listings gives that"
    client = clients.client(world.environment.client)
    try:
        configured = client.servers(world.tree, world.environment)
    except NotKept:
        return
    for server in configured:
        if server.name not in known:
            yield Item("server", server.name, server.path, reasons=[words])


def _asleep(world: "World", items: "list[Item]") -> "Callable[[], list[Item]]":
    """What waits below the working directory, looked for once, when it is asked for."""
    from functools import cache

    from inspector import explain as explaining
    from inspector.cli.offline import modelled

    return cache(lambda: [*explaining.sleeping(*modelled(world), world, items)])


def _meant(what: str, items: "list[Item]", asleep: "Callable[[], list[Item]]") -> "list[Item]":
    from inspector import explain as explaining

    return explaining.chosen(items, what) or explaining.chosen(asleep(), what)


def _unread(world: "World", what: str, items: "list[Item]") -> "list[Item]":
    """A file of the workspace that is none of the items."""
    from posixpath import join, normpath

    from inspector.cli.offline import modelled
    from inspector.errors import NotKept
    from inspector.explain import Item

    path = normpath(join(world.environment.cwd, what))
    try:
        data = world.tree.read(path)
    except NotKept:
        return []
    if data is None:
        return []
    client, profile = modelled(world)
    known = client.called(path)
    landed = [item.path for item in items if item.landed]
    reasons = [item.words for item in client.asleep(world, profile, path, landed)]
    why = "the client does not look for a file of this name there, and nothing brought it in"
    return [Item(known.kind, known.name, path, reasons=reasons or [why])]
