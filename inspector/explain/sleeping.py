"""Memory and skills below the working directory, read once a file there is touched."""

from collections.abc import Iterator, Sequence

from inspector.clients import Client
from inspector.explain.items import Item
from inspector.profiles import Profile
from inspector.workspace import World, files_below

_KINDS = frozenset({"rule", "skill"})


def sleeping(
    client: Client, profile: Profile, world: World, items: Sequence[Item]
) -> Iterator[Item]:
    """What a client would read below the working directory and has not, each with its reason.

    Nothing where there are too many files to look at.
    """
    known = {item.path for item in items}
    landed = [item.path for item in items if item.landed]
    for path in files_below(world.tree, world.environment.cwd) or ():
        called = client.called(path)
        if called.kind in _KINDS and path not in known:
            reasons = [item.words for item in client.asleep(world, profile, path, landed)]
            if reasons:
                yield Item(called.kind, called.name, path, reasons=reasons)
