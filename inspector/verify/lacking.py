"""What a recording lacks to be rebuilt, each in one sentence that says what to do."""

from collections.abc import Iterator, Sequence

from inspector import clients
from inspector.clients import Client
from inspector.session import PRIVATE, Recording
from inspector.turns import Replayed, Turn
from inspector.workspace import Lenient, Listing, World

_SHOWN = "its requests can be shown and diffed, not rebuilt"
OTHER = f"the client is neither Claude Code nor Codex: {_SHOWN}"
GONE = "sealed with --private, its texts are gone: it can be shown, diffed and simulated only"
IMPORTED = f"an import has no snapshot of the workspace: {_SHOWN}; capture with `inspector run`"
NO_SNAPSHOT = (
    "no snapshot of the workspace was kept (the client's process could not be found):"
    f" {_SHOWN}; capture with `inspector run`"
)

UNMODELLED = "is set: what it changes in requests is not modelled"
"""What is said of each switch or model that a profile does not have."""

_BEFORE = (
    "the session this one goes on from is not in the store: its messages are taken as they were"
    " sent, and what the model was told before is read from them"
)


def whole(recording: Recording) -> str:
    """Why nothing of a recording can be rebuilt; empty where it can be tried."""
    if recording.session.client not in clients.names():
        return OTHER
    if recording.session.source == PRIVATE:
        return GONE
    if recording.snapshot is not None:
        return ""
    return IMPORTED if recording.session.source == "import" else NO_SNAPSHOT


def before(turns: Sequence[Turn]) -> tuple[str, ...]:
    """That a session goes on from one that is not at hand."""
    events = turns[0].events if turns else ()
    return (_BEFORE,) if any(isinstance(event, Replayed) for event in events) else ()


def switches(client: Client, world: World) -> tuple[str, ...]:
    """The switches, and the model, whose effect on requests is not modelled."""
    found = client.unmodelled(World(Lenient(world.tree), world.environment, world.listings))
    return tuple(f"{name} {UNMODELLED}" for name in found)


def listings(client: Client, world: World) -> tuple[str, ...]:
    """The MCP servers whose lists are not at hand, though the client starts them."""
    known = {listing.server: listing for listing in world.listings}
    names = [server.name for server in client.servers(Lenient(world.tree), world.environment)]
    return tuple(_without([known.get(name) or _unasked(name) for name in names]))


def _unasked(name: str) -> Listing:
    return Listing(server=name, state="not asked")


def _without(found: Sequence[Listing]) -> Iterator[str]:
    silent = [item.server for item in found if item.state == "not asked"]
    if silent:
        yield (
            f"MCP servers not asked for their lists ({', '.join(silent)}): what they add to"
            " requests cannot be rebuilt; capture with `inspector run` or `inspector proxy`,"
            " without --no-mcp"
        )
    for item in found:
        if item.state not in {"ready", "not asked"}:
            reason = f" ({item.reason})" if item.reason else ""
            yield (
                f"MCP server {item.server} gave us no lists{reason}: what it adds to requests"
                " cannot be rebuilt"
            )
