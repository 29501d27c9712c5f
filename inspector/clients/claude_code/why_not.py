"""Everything of the user's that is not in the request, or not wholly, in one list."""

from collections.abc import Iterator

from inspector.clients.claude_code import permissions, servers
from inspector.clients.claude_code.left_out import LeftOut
from inspector.clients.claude_code.misread import misread
from inspector.clients.claude_code.settings import known
from inspector.clients.claude_code.skillreasons import reasons
from inspector.clients.claude_code.unread import unread
from inspector.clients.claude_code.unreadable import unreadable
from inspector.profiles import Profile
from inspector.workspace import World


def why_not(world: World, profile: Profile, now: str = "") -> tuple[LeftOut, ...]:
    """Memory, skills, commands, settings, MCP servers, permission rules; `now` is ISO 8601."""
    told = (
        *unread(world, profile),
        *reasons(world, profile, now),
        *configured(world, profile),
    )
    known_already = {item.path for item in told}
    closed = unreadable(world, known(world, profile))
    return (*told, *(item for item in closed if item.path not in known_already))


def configured(world: World, profile: Profile) -> Iterator[LeftOut]:
    """What configuration asks for and does not get."""
    chosen = known(world, profile)
    yield from misread(world, chosen)
    yield from servers.passed_over(world.tree, world.environment)
    yield from permissions.idle(world, profile)
