"""What other days, servers and machines do to the cached prefix of a workspace's first request."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspector.cache import Turn
    from inspector.cli.offline import Situation
    from inspector.explain import Body
    from inspector.views.changes import Source
    from inspector.views.conversations import Judged
    from inspector.workspace import Entry, Listing, Tree, World

type Change = Callable[["World"], "World"]
type Sent = Callable[[], "list[Body]"]
"""Makes the requests of something that happens."""

_ELSEWHERE = "/elsewhere"
_RESUMING = {"codex": ("exec", "resume", "--last")}
"""Command lines that go on with the last session, where no flag added does it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one change leaves of the prefix."""

    name: str
    turn: "Turn"
    source: "Source | None"

    @property
    def kept(self) -> int:
        """Bytes of the request that can be read from the cache."""
        return self.turn.predicted.read

    @property
    def whole(self) -> int:
        """Bytes of the request."""
        sizes = self.turn.predicted
        return sizes.read + sizes.write + sizes.uncached


def outcomes(situation: "Situation") -> "Iterator[Outcome]":
    """What becomes of the workspace's first request, each time sent behind the one of today."""
    for name, sent in happenings(situation):
        found = judged(situation, sent())
        last = found.report.turns[-1]
        yield Outcome(name, last, found.origins.get(last.exchange))


def happenings(situation: "Situation") -> Iterator[tuple[str, Sent]]:
    """What may happen, and the requests that it makes, today's first one before them."""
    for name, change in changes(situation.world):
        yield name, partial(_after, situation, change)
    for listing in situation.world.listings:
        without = _listings(_without(listing.server))
        yield f"server {listing.server} gone and back", partial(_back, situation, without)
    yield "the next prompt", lambda: _going_on(situation)[:2]
    yield "resumed", lambda: _going_on(situation)


def judged(situation: "Situation", bodies: "Sequence[Body]") -> "Judged":
    """Requests as one conversation."""
    from inspector import wire
    from inspector.cache import Sent as Judge
    from inspector.cache import report
    from inspector.cache.heads import heads
    from inspector.diff import Side
    from inspector.views.conversations import judged_sides

    here = situation.world.environment
    sides = [
        Side(f"{at}", wire.split(body.sent), body.built) for at, body in enumerate(bodies, start=1)
    ]
    sent = [Judge(side.name, side.prompt) for side in sides]
    return judged_sides(sent, report(sent, heads(here.client, here.version)), sides)


def _after(situation: "Situation", change: Change) -> "list[Body]":
    return [situation.bodies[0], situation.otherwise(change).bodies[0]]


def _back(situation: "Situation", change: Change) -> "list[Body]":
    return [*_after(situation, change), situation.bodies[0]]


def _going_on(situation: "Situation") -> "list[Body]":
    """The first request, one after an answer and another prompt, and one in another process."""
    from inspector import words
    from inspector.build import Conversation
    from inspector.cli.offline import modelled
    from inspector.explain import Body
    from inspector.turns import Prompted, Replied, Said, Turn

    world = situation.world
    client, profile = modelled(world)
    begun = Conversation.begin(client, world, profile, words.load(), situation.earlier)
    first, *_ = situation.turns
    more = [
        Turn(events=(Replied(id=f"m{at}", blocks=(Said(text="Done."),)), Prompted(text="Go on.")))
        for at in (1, 2)
    ]
    made = [begun.step(turn, world) for turn in (first, more[0])]
    here = world.environment
    again = _environment(argv=_RESUMING.get(here.client, (*here.argv, "--continue")))(world)
    resumed = Conversation.begin(client, again, profile, words.load(), begun.state)
    made.append(resumed.step(more[1], again))
    return [Body(f"m{at}", one.body, one) for at, one in enumerate(made, start=1)]


def changes(world: "World") -> Iterator[tuple[str, Change]]:
    """What may be other tomorrow or elsewhere, by what people call it."""
    here = world.environment
    yield "the same again", lambda found: found
    tomorrow = (date.fromisoformat(here.date) + timedelta(days=1)).isoformat()
    yield "the next day", _environment(date=tomorrow)
    if here.git is not None:
        git = here.git.model_copy(update={"status": f"{here.git.status} M edited.txt\n"})
        yield "a file edited", _environment(git=git)
    for listing in world.listings:
        yield f"server {listing.server} gone", _listings(_without(listing.server))
    if any(len(_tools(listing)) > 1 for listing in world.listings):
        yield "lists in another order", _listings(_turned)
    yield "another folder", _moved
    for version in _neighbours(here.client, here.version):
        yield f"client {version}", _environment(version=version)


def _environment(**other: object) -> Change:
    def change(world: "World") -> "World":
        return replace(world, environment=world.environment.model_copy(update=other))

    return change


def _listings(of: "Callable[[Listing], Listing | None]") -> Change:
    def change(world: "World") -> "World":
        made = (of(listing) for listing in world.listings)
        return replace(world, listings=tuple(item for item in made if item is not None))

    return change


def _without(server: str) -> "Callable[[Listing], Listing | None]":
    return lambda listing: None if listing.server == server else listing


def _turned(listing: "Listing") -> "Listing":
    tools = _tools(listing)
    if len(tools) < 2:
        return listing
    assert listing.tools is not None
    document = {**json.loads(listing.tools), "tools": tools[::-1]}
    return listing.model_copy(update={"tools": json.dumps(document, ensure_ascii=False)})


def _tools(listing: "Listing") -> list[Any]:
    try:
        return list(json.loads(listing.tools or "{}")["tools"])
    except (ValueError, LookupError, TypeError):
        return []


def _moved(world: "World") -> "World":
    """The same files below another folder."""
    here = world.environment
    cwd = f"{_ELSEWHERE}{here.cwd}"
    git = here.git
    if git is not None:
        git = git.model_copy(update={"root": f"{_ELSEWHERE}{git.root}"})
    moved = here.model_copy(update={"cwd": cwd, "git": git})
    return replace(world, tree=_Elsewhere(world.tree), environment=moved)


@dataclass(frozen=True, slots=True)
class _Elsewhere:
    """A tree whose files stand below another folder, too."""

    tree: "Tree"

    def read(self, path: str) -> bytes | None:
        """The file's bytes."""
        return self.tree.read(path.removeprefix(_ELSEWHERE) or "/")

    def list(self, path: str) -> "tuple[Entry, ...] | None":
        """The folder's entries."""
        return self.tree.list(path.removeprefix(_ELSEWHERE) or "/")


def _neighbours(client: str, version: str) -> Iterator[str]:
    """The versions with a profile before and after one."""
    from inspector import profiles

    known = profiles.names(client)
    older = [name for name in known if profiles.order(name) < profiles.order(version)]
    newer = [name for name in known if profiles.order(name) > profiles.order(version)]
    yield from (*older[-1:], *newer[:1])
