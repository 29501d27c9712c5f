"""What a client would send from a workspace on disk, for commands that need no recording."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.options import say

if TYPE_CHECKING:
    from inspector.explain import Body
    from inspector.turns import Turns
    from inspector.workspace import World


def offline(  # noqa: PLR0913, PLR0917 - the options of a workspace
    workspace: Path,
    home: Path | None,
    client: str,
    version: str | None,
    turns_file: Path | None,
    facts: Path | None,
    listings_file: Path | None,
) -> "tuple[World, list[Body]]":
    """The world on disk, and the requests that a client would make of it."""
    from inspector import folder, profiles
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
    world = World(placed(environment, workspace, home), environment, listings)
    return world, list(_built(world, turns or _one_prompt(client, version)))


def _one_prompt(client: str, version: str) -> "Turns":
    from inspector.turns import Prompted, Turn, Turns

    return Turns(client=client, version=version, turns=(Turn(events=(Prompted(text="Hello"),)),))


def _built(world: "World", turns: "Turns") -> "Iterator[Body]":
    from inspector import clients, profiles, words
    from inspector.build import Conversation
    from inspector.explain import Body

    environment = world.environment
    client = clients.client(environment.client)
    found = profiles.find(environment.client, environment.version)
    profile = profiles.resolve(found, client.axes(world))
    conversation = Conversation.begin(client, world, profile, words.load())
    for number, turn in enumerate(turns.turns, start=1):
        built = conversation.step(turn, world)
        yield Body(f"m{number}", built.body, built)
