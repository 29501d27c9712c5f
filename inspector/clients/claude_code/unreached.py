"""MCP servers that give no tools, and what the model is told of each.

Witness: Claude Code 2.1.332, `mcp_unreached`, `mcp_unreached_files`, `mcp_failing`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.clients.claude_code import address, mcp, mcphidden
from inspector.clients.claude_code.mcpschema import tidied
from inspector.clients.claude_code.phrase import (
    adopted,
    computed,
    filled,
    lines,
    paragraphs,
    phrase,
)
from inspector.clients.claude_code.servers import Written, written
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, join, text
from inspector.workspace import Failure, Listing, World

_REDIALLED = "403"
"""The HTTP status after which the client holds a sign-in for good still."""
_LOGINS = {"401", _REDIALLED}
_STATUS = re.compile(r"\bHTTP (\d{3})\b", re.ASCII)


def told(profile: Profile, world: World) -> Text | None:
    """Servers that want a login, that failed, whose tools nobody could list, that still connect."""
    failing = [item for item in world.listings if item.state != "ready"]
    groups = [
        _logins(profile, world, [item for item in failing if _wants_login(item)]),
        *_failed(profile, world, [item for item in failing if _has_failed(item)]),
        *_unlisted(profile, world.listings),
        *_connecting(profile, [item for item in failing if _cause(item) == "late"]),
    ]
    parts = [part for part in groups if part is not None]
    return paragraphs(parts) if parts else None


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search that finds nothing says of servers without tools."""

    said: Text
    again: Text | None
    """The reminder of those that a search connects to again."""


def searched(profile: Profile, world: World) -> Searched:
    """The words of a search that finds nothing."""
    said = phrase(profile, "search.nothing")
    late = any(_cause(item) == "late" for item in world.listings)
    failed = [item for item in world.listings if item.state != "ready" and _has_failed(item)]
    gone = [_entry(profile, world, item) for item in failed if not _again(world, item)]
    unlisted = [computed(name, "server") for name in mcp.unlisted(world.listings)]
    if late:
        said += adopted("what a search says of servers that still connect")
    for name, found in (("search.failed", gone), ("search.unlisted", unlisted)):
        if found:
            stop = computed("" if str(said).endswith(".") else ".", "stop")
            holes = {"servers": _several(profile, "; ", found)}
            holes["advice"] = phrase(profile, f"{name}.advice")
            said += stop + phrase(profile, name, **holes)
    names = [_coded(profile, item) for item in failed if _again(world, item)]
    if not names:
        return Searched(said, None)
    again = phrase(profile, "search.again", servers=_first(profile, ", ", names))
    return Searched(said, again)


def _several(profile: Profile, between: str, entries: list[Text]) -> Text:
    """Servers in one line; of many the first, and how many more."""
    most = profile.limits["mcp.listed"]
    more = phrase(profile, "mcp.more", count=computed(str(len(entries) - most), "count"))
    return join(
        computed(between, "servers"), [*entries[:most], *([more] if len(entries) > most else [])]
    )


def _first(profile: Profile, between: str, entries: list[Text]) -> Text:
    return join(computed(between, "servers"), entries[: profile.limits["mcp.listed"]])


def _coded(profile: Profile, listing: Listing) -> Text:
    """A server with the client's code for what happened."""
    name, row = computed(listing.server, "server"), _row(profile, listing)
    code = filled(row.get("code", ""), "mcp.failures", **_holes(listing)) if row else None
    return phrase(profile, "search.again.server", server=name, code=code) if code else name


def _cause(listing: Listing) -> str | None:
    return listing.failure.cause if listing.failure is not None else None


def _wants_login(listing: Listing) -> bool:
    failure = listing.failure
    return failure is not None and failure.cause == "status" and failure.detail in _LOGINS


def _has_failed(listing: Listing) -> bool:
    known = listing.failure is not None or listing.state == "failed"
    return known and _cause(listing) != "late" and not _wants_login(listing)


def _logins(profile: Profile, world: World, wanting: Sequence[Listing]) -> Text | None:
    if not wanting:
        return None
    out = phrase(profile, "mcp.login", servers=_named(profile, wanting))
    out = paragraphs([out, profile.known("mcp.login.advice")])
    held = [item for item in wanting if item.failure and item.failure.detail == _REDIALLED]
    held = [item for item in held if _again(world, item)]
    if held:
        names = join(computed(", ", "servers"), _names(held)[: profile.limits["mcp.listed"]])
        out += phrase(profile, "mcp.login.held", servers=names)
    return out


def _failed(profile: Profile, world: World, failed: Sequence[Listing]) -> list[Text]:
    """For good, then those a call or a search connects to again; one advice for both."""
    again = [_entry(profile, world, item) for item in failed if _again(world, item)]
    gone = [_entry(profile, world, item) for item in failed if not _again(world, item)]
    parts: list[Text] = []
    if gone:
        parts.append(phrase(profile, "mcp.failed", servers=_listed(profile, gone)))
    if again:
        head = profile.known("mcp.failed.again")
        parts.append(head + computed("\n", "line") + _listed(profile, again))
    if parts:
        advice = "mcp.failed.advice.again" if again else "mcp.failed.advice"
        parts.append(profile.known(advice))
    return parts


def _again(world: World, listing: Listing) -> bool:
    """Whether the client would connect again: never to a program, nor where a secret may go."""
    failure = listing.failure
    if failure is None or failure.transport == "stdio":
        return False
    found = written(world, listing.server)
    if found is None:
        return failure.cause != "token-refused"
    return address.redialled(str(found.whole.get("url", "")), found.whole)


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


_NOWHERE = Written({}, {"type": "stdio"}, (), filed=False)
"""What is taken of a server whose configuration nobody kept."""


def _entry(profile: Profile, world: World, listing: Listing) -> Text:
    """A server with the client's code and words for what happened."""
    name, row = computed(listing.server, "server"), _row(profile, listing)
    found = written(world, listing.server) or _NOWHERE
    if row is None or listing.failure is None:
        words = computed(listing.reason, "reason")
        return phrase(profile, "mcp.failed.server", server=name, code=computed("?"), words=words)
    holes = _holes(listing)
    holes["origin"] = computed(mcphidden.label(found), "origin")
    holes["command"] = computed(str(found.whole.get("command", "stdio")), "command")
    words = mcphidden.hidden(_dialling(profile, row, found, holes), found)
    words = tidied(words, row.get("most", profile.limits["mcp.failure"]))
    code = filled(row.get("code", ""), "mcp.failures", **holes)
    literal = "mcp.failed.server" if str(code) else "mcp.failed.server.plain"
    return phrase(profile, literal, server=name, code=code, words=words)


def _holes(listing: Listing) -> dict[str, Text]:
    origin, failure = Origin(Kind.LISTING, listing.server), listing.failure
    detail, said = (failure.detail, failure.said) if failure is not None else ("", "")
    return {"detail": text(detail, origin), "said": text(said, origin)}


def _dialling(
    profile: Profile, row: dict[str, Any], found: Written, holes: dict[str, Text]
) -> Text:
    """The words of a failure; of an address that may hold a secret only what kind it was."""
    words, url = filled(row["words"], "mcp.failures", **holes), str(found.whole.get("url", ""))
    if not url or "error" not in row or address.plain(url):
        return words
    status = _STATUS.search(str(words))
    error = text(status[0], Origin(Kind.COMPUTED, "status")) if status else computed(row["error"])
    shown = computed(address.shown(url), "address")
    said = phrase(profile, "mcp.dialling", error=error, address=shown)
    code = computed(row.get("error_code", ""), "code")
    return said + (phrase(profile, "mcp.dialling.code", code=code) if code else code)


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
