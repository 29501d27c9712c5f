"""MCP servers that give no tools, and what the model is told of each.

Witness: Claude Code 2.1.332, `mcp_unreached`, `mcp_unreached_classic`, `mcp_failing`.
"""

from collections.abc import Sequence
from typing import Any

from inspector.clients.claude_code import mcp
from inspector.clients.claude_code.mcpschema import tidied
from inspector.clients.claude_code.phrase import computed, filled, lines, paragraphs, phrase
from inspector.clients.claude_code.servers import servers
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, join, text
from inspector.workspace import Failure, Listing, World

_REDIALLED = "403"
"""The HTTP status after which the client holds a sign-in for good still."""
_LOGINS = {"401", _REDIALLED}


def told(profile: Profile, world: World) -> Text | None:
    """Servers that want a login, that failed, whose tools nobody could list, that still connect."""
    failing = [item for item in world.listings if item.state != "ready"]
    groups = [
        _logins(profile, [item for item in failing if _wants_login(item)]),
        *_failed(profile, world, [item for item in failing if _has_failed(item)]),
        *_unlisted(profile, world.listings),
        *_connecting(profile, [item for item in failing if _cause(item) == "late"]),
    ]
    parts = [part for part in groups if part is not None]
    return paragraphs(parts) if parts else None


def _cause(listing: Listing) -> str | None:
    return listing.failure.cause if listing.failure is not None else None


def _wants_login(listing: Listing) -> bool:
    failure = listing.failure
    return failure is not None and failure.cause == "status" and failure.detail in _LOGINS


def _has_failed(listing: Listing) -> bool:
    known = listing.failure is not None or listing.state == "failed"
    return known and _cause(listing) != "late" and not _wants_login(listing)


def _logins(profile: Profile, wanting: Sequence[Listing]) -> Text | None:
    if not wanting:
        return None
    out = phrase(profile, "mcp.login", servers=_named(profile, wanting))
    out = paragraphs([out, profile.known("mcp.login.advice")])
    held = [item for item in wanting if item.failure and item.failure.detail == _REDIALLED]
    if held:
        names = join(computed(", ", "servers"), _names(held)[: profile.limits["mcp.listed"]])
        out += phrase(profile, "mcp.login.held", servers=names)
    return out


def _failed(profile: Profile, world: World, failed: Sequence[Listing]) -> list[Text]:
    """For good, then those a call or a search connects to again; one advice for both."""
    rows = [(item, _row(profile, item)) for item in failed]
    again = [(item, row) for item, row in rows if _again(item)]
    gone = [(item, row) for item, row in rows if not _again(item)]
    parts: list[Text] = []
    if gone:
        entries = [_entry(profile, world, item, row) for item, row in gone]
        parts.append(phrase(profile, "mcp.failed", servers=_listed(profile, entries)))
    if again:
        entries = [_entry(profile, world, item, row) for item, row in again]
        head = profile.known("mcp.failed.again")
        parts.append(head + computed("\n", "line") + _listed(profile, entries))
    if parts:
        advice = "mcp.failed.advice.again" if again else "mcp.failed.advice"
        parts.append(profile.known(advice))
    return parts


def _again(listing: Listing) -> bool:
    """Whether the client would connect again: never to a server that is a program."""
    failure = listing.failure
    return failure is not None and (failure.transport, failure.cause) not in _FOR_GOOD


_FOR_GOOD = {
    *(("stdio", cause) for cause in ("absent", "not-found", "forbidden", "ended", "version")),
    ("stdio", "error"),
    ("http", "token-refused"),
    ("sse", "token-refused"),
}


def _row(profile: Profile, listing: Listing) -> dict[str, Any] | None:
    """The client's words for a failure."""
    failure = listing.failure
    if failure is None:
        return None
    rows: list[dict[str, Any]] = profile.values["mcp.failures"]
    return next((row for row in rows if _fits(row, failure)), None)


def _fits(row: dict[str, Any], failure: Failure) -> bool:
    return (
        failure.cause == row["cause"]
        and failure.transport in row["over"]
        and row.get("detail", failure.detail) == failure.detail
        and not (row.get("silent") and failure.said)
    )


def _entry(profile: Profile, world: World, listing: Listing, row: dict[str, Any] | None) -> Text:
    """A server with the client's code and words for what happened."""
    name = computed(listing.server, "server")
    if row is None or listing.failure is None:
        words = computed(listing.reason, "reason")
        return phrase(profile, "mcp.failed.server", server=name, code=computed("?"), words=words)
    origin = Origin(Kind.LISTING, listing.server)
    holes = {
        "detail": text(listing.failure.detail, origin),
        "said": text(listing.failure.said, origin),
        "origin": _origin(world, listing.server),
    }
    most = row.get("most", profile.limits["mcp.failure"])
    words = tidied(filled(row["words"], "mcp.failures", **holes), most)
    code = filled(row.get("code", ""), "mcp.failures", **holes)
    literal = "mcp.failed.server" if str(code) else "mcp.failed.server.plain"
    return phrase(profile, literal, server=name, code=code, words=words)


def _origin(world: World, name: str) -> Text:
    """Scheme and host of a server's address."""
    for server in servers(world.tree, world.environment):
        if server.name == name and server.url:
            return computed("/".join(server.url.split("/")[:3]), "origin")
    return EMPTY


def _unlisted(profile: Profile, listings: Sequence[Listing]) -> list[Text]:
    names = [computed(name, "server") for name in mcp.unlisted(listings)]
    if not names:
        return []
    said = phrase(profile, "mcp.unlisted", servers=_listed(profile, names))
    return [said, phrase(profile, "mcp.unlisted.advice")]


def _connecting(profile: Profile, late: Sequence[Listing]) -> list[Text]:
    if not late:
        return []
    said = phrase(profile, "mcp.connecting", servers=_named(profile, late))
    return [said, phrase(profile, "mcp.connecting.advice")]


def _names(listings: Sequence[Listing]) -> list[Text]:
    return [computed(name, "server") for name in sorted(item.server for item in listings)]


def _named(profile: Profile, listings: Sequence[Listing]) -> Text:
    """Servers one a line; of many the first, in one line."""
    most, names = profile.limits["mcp.listed"], _names(listings)
    if len(names) <= most:
        return lines(names)
    more = phrase(profile, "mcp.more", count=computed(str(len(names) - most), "count"))
    return join(computed(", ", "servers"), [*names[:most], more])


def _listed(profile: Profile, entries: list[Text]) -> Text:
    """Servers one a line, in order; of many only the first."""
    most = profile.limits["mcp.listed"]
    ordered = sorted(entries, key=str)
    more = phrase(profile, "mcp.more", count=computed(str(len(ordered) - most), "count"))
    return lines([*ordered[:most], *([more] if len(ordered) > most else [])])
