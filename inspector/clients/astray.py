"""What turns speak of that the workspace does not have: they were made in another one."""

from collections.abc import Callable, Iterator, Sequence

from inspector.clients import Client
from inspector.errors import NotKept
from inspector.turns import Moved, ServerChanged, Turn
from inspector.workspace import Tree, World


def astray(
    client: Client, turns: Sequence[Turn], world: World, tree_at: Callable[[int], Tree]
) -> Iterator[str]:
    """Each with its place in the file of turns, whose number gives the tree; the rest is built."""
    tree, environment = world.tree, world.environment
    known = {server.name for server in client.servers(tree, environment)}
    known |= {listing.server for listing in world.listings}
    for number, turn in enumerate(turns):
        tree = tree_at(number)
        for place, event in enumerate(turn.events):
            at = f"turns.{number}.events.{place}"
            if isinstance(event, ServerChanged) and event.server not in known:
                yield f"{at}: no MCP server {event.server} is configured in the workspace"
            elif isinstance(event, Moved) and _folder(tree, event.cwd) is None:
                yield f"{at}: the shell stands in {event.cwd}, which is no folder"
        for path in client.read_paths(turn, environment):
            if not _is_there(tree, path):
                yield f"turns.{number}: a call reads {path}, which is not there: an error is built"


def _is_there(tree: Tree, path: str) -> bool:
    try:
        return tree.read(path) is not None or _folder(tree, path) is not None
    except NotKept:
        return False


def _folder(tree: Tree, path: str) -> object:
    try:
        return tree.list(path)
    except NotKept:
        return None
