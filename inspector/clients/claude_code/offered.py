"""What MCP servers offer that the model is not told at once, or not whole: facts for `explain`."""

from collections.abc import Iterator

from inspector.clients import Missing
from inspector.clients.claude_code import mcp, service, tools
from inspector.clients.claude_code.mcprules import Rules
from inspector.clients.claude_code.settings import settings
from inspector.clients.mcpstable import Asked
from inspector.profiles import Profile
from inspector.workspace import Listing, World

_WAITS = "only its name is told, until the model searches for it"
_DENIED = "a permission rule or an option of the command line takes it away"

_PARTS = {"/description": "description: "}


def untold(world: World, profile: Profile) -> Iterator[Missing]:
    """Servers that failed, tools that are refused, texts that are cut, names that wait."""
    pool = tools.pool(profile, world, settings(world.tree, world.environment))
    offered = {tool.name for tool in pool.servers}
    named = service.named(world)
    for listing in world.listings:
        if listing.state != "ready":
            why = listing.reason or listing.state
            name, path = listing.server, f"mcp {listing.server}"
            yield Missing("server", name, path, f"no lists: {why}", code="failed")
            continue
        yield from _judged(listing, Rules(profile, named))
        for tool in mcp.tools(profile, [listing], named=named):
            if tool.name not in offered:
                yield _of(listing, tool.tool, _DENIED, "taken-away")
            elif pool.searching and not tool.always:
                yield _of(listing, tool.tool, _WAITS, "deferred")


def _judged(listing: Listing, rules: Rules) -> Iterator[Missing]:
    asked = Asked(listing, {})
    checks = [rules.lost, rules.instructions]
    if not any(True for _ in rules.lost(asked)):
        checks += [rules.refused, rules.collisions, rules.descriptions]
    for check in checks:
        for finding in check(asked):
            yield _of(
                listing, finding.tool, f"{_PARTS.get(finding.path, '')}{finding.message}", "listing"
            )


def _of(listing: Listing, tool: str | None, words: str, code: str) -> Missing:
    kind, name = (
        ("server", listing.server) if tool is None else ("tool", f"{listing.server}/{tool}")
    )
    return Missing(kind, name, f"mcp {name}", words, code=code, waits=code == "deferred")
