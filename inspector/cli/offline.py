"""What a client sends from a world: of a workspace on disk, of a session, or as it might be."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.options import say
from inspector.errors import BadInput, counted

if TYPE_CHECKING:
    from inspector.clients import Client, State
    from inspector.diff import Rate
    from inspector.explain import Body
    from inspector.profiles import Profile
    from inspector.turns import Turn, Turns
    from inspector.workspace import Tree, World


START = -1


@dataclass(frozen=True, slots=True)
class Situation:
    """A world at its moments, what happens in it, and the requests that come of it."""

    world_at: "Callable[[int], World]"
    """By the number of a turn; `START`: before the first."""
    turns: "tuple[Turn, ...]"
    exchanges: tuple[str, ...]
    """What the requests are called."""
    bodies: "list[Body]"
    earlier: "State" = None
    rate: "Rate | None" = None
    """Bytes a token, where the API counted them."""

    @property
    def world(self) -> "World":
        """The world at the start."""
        return self.world_at(START)

    def otherwise(self, change: "Callable[[World], World]") -> "Situation":
        """The same in a world that is changed at each of its moments."""

        def world_at(number: int) -> "World":
            return change(self.world_at(number))

        return replace(self, world_at=world_at).with_bodies()

    def with_bodies(self) -> "Situation":
        """The same with the requests that a client would make of it."""
        return replace(self, bodies=list(built(self)))


def modelled(world: "World") -> "tuple[Client, Profile]":
    """The client of a world, and the profile of its version there."""
    from inspector import clients, profiles

    environment = world.environment
    client = clients.client(environment.client)
    found = profiles.find(environment.client, environment.version)
    return client, profiles.resolve(found, client.axes(world))


def laid_out(  # noqa: PLR0913, PLR0917 - the options of a workspace
    workspace: Path,
    home: Path | None,
    client: str,
    version: str | None,
    turns_file: Path | None,
    facts: Path | None,
    listings_file: Path | None,
) -> Situation:
    """The world on disk and what happens in it, before any request is built."""
    from inspector import clients, folder, profiles
    from inspector.cli.given import given_environment, given_turns, placed
    from inspector.workspace import World

    turns = given_turns(turns_file, client) if turns_file else None
    version = version or (turns.version if turns else profiles.names(client)[-1])
    environment, listings = given_environment(facts, client, version, (workspace, home))
    if listings_file is not None:
        listings = folder.read_listings(listings_file)
    found = profiles.find(client, version)
    if not found.exact:
        say(profiles.unknown(client, version, found.version))
    turns = turns or _one_prompt(client, version)
    disk = placed(environment, workspace, home)
    worlds = [World(tree, environment, listings) for tree in _trees(disk, turns, turns_file)]
    world = worlds[0]
    for line in clients.client(client).refused(world):
        if not line.sent:
            where = f"{facts}: argv" if facts else "command line"
            raise BadInput(f"{where}: {line.words}, at which the client ends; mend it")
    exchanges = tuple(f"m{number}" for number in range(1, len(turns.turns) + 1))
    return Situation(lambda number: worlds[number + 1], turns.turns, exchanges, [])


def _trees(disk: "Tree", turns: "Turns", turns_file: Path | None) -> "list[Tree]":
    from inspector.snapshot.held import trees

    try:
        return list(trees(disk, turns))
    except BadInput as error:
        raise BadInput(f"{turns_file}: {error}") from error


def faults(situation: Situation) -> "Iterator[str]":
    """What is bad in what was given, file by file; the rest is built all the same."""
    from inspector import clients
    from inspector.clients.astray import astray
    from inspector.verify import lacking

    world = situation.world
    client = clients.client(world.environment.client)
    yield from client.faults(world)
    yield from lacking.switches(client, world)
    for line in client.refused(world):
        yield f"{line.words}; the client ends at that and sends nothing of what is built"
    heard = {listing.server for listing in world.listings}
    for server in client.servers(world.tree, world.environment):
        if server.name not in heard:
            where = f"{server.path}: " if server.path else ""
            yield (
                f"{where}MCP server {server.name}: nothing tells what it offers, so it is left"
                " out; `inspector mcp snapshot` asks it, --listings gives the answer"
            )
    yield from astray(client, situation.turns, world, lambda at: situation.world_at(at).tree)


def thrown(situation: Situation, number: int, request: bytes) -> "Iterator[str]":
    """Results of a turn that its request does not hold, each with its place in the file."""
    from inspector.turns.unheard import unheard

    for place, event in unheard(situation.turns[number], request):
        yield (
            f"turns.{number}.events.{place}: what is given for the call {event.call!r} is not what"
            " the client makes of the workspace, so it is left out"
        )


def of_session(name: str, store: Path) -> Situation:
    """A session's world, and its main requests as they were sent and rebuilt."""
    from inspector import named, words
    from inspector.explain import Body
    from inspector.session import ExchangeKind
    from inspector.snapshot import SnapshotTree
    from inspector.views.tokens import rate
    from inspector.workspace import World

    found = named.find(name, store)
    report = named.verified(found, words.load())
    main = [item for item in report.requests if item.kind is ExchangeKind.MAIN]
    made = [
        Body(item.exchange, item.captured, item.comparison.filled)
        for item in main
        if item.built is not None
    ]
    kept = found.recording.snapshot
    if not made or kept is None:
        why = next(iter(report.notes), "it has no model request")
        raise BadInput(f"{name}: nothing of it could be rebuilt ({why}); see `inspector verify`")
    if inexact := sum(not item.exact for item in main):
        say(f"{counted(inexact, 'request')} of {len(main)} not exact: what is said may lack")
    return Situation(
        lambda number: World(
            SnapshotTree(kept, "" if number == START else report.turns[number].at),
            kept.environment,
            kept.listings,
        ),
        report.turns,
        tuple(body.exchange for body in made),
        made,
        named.before(found),
        rate(found.recording),
    )


def _one_prompt(client: str, version: str) -> "Turns":
    from inspector.turns import Prompted, Turn, Turns

    return Turns(client=client, version=version, turns=(Turn(events=(Prompted(text="Hello"),)),))


def built(situation: Situation) -> "Iterator[Body]":
    """The requests of a situation, one after the other."""
    from inspector import words
    from inspector.build import Conversation
    from inspector.explain import Body

    world = situation.world
    client, profile = modelled(world)
    begun = Conversation.begin(client, world, profile, words.load(), situation.earlier)
    happened = zip(situation.exchanges, situation.turns, strict=False)
    for number, (exchange, turn) in enumerate(happened):
        made = begun.step(turn, situation.world_at(number))
        yield Body(exchange, made.body, made)
