"""What of the user's is in the requests, where, and why the rest is not: `inspector explain`.

Rule: what landed is read off the origins of the built bytes, never guessed from a file's name; why
something did not land is the client model's word, and where it has none, that is said.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from inspector.clients import Called, Missing
from inspector.diff import Rate
from inspector.text import Built, Kind, Origin
from inspector.verify import Place, places

_SOURCES = frozenset({Kind.FILE, Kind.LISTING, Kind.HOOK})
_ALONE = re.compile(r"/content/0/text$")
type _Seen = dict[tuple[str, str], Item]


@dataclass(frozen=True, slots=True)
class Landing:
    """A run of characters in one request."""

    exchange: str
    path: str
    start: int
    """Code points into the decoded string at `path`."""
    end: int


@dataclass(slots=True)
class Item:
    """One thing of the user's: a rule, skill, command, agent, MCP server or tool, hook, file."""

    kind: str
    name: str
    path: str
    """Its file; `mcp` and the names of server and tool for what MCP servers say."""
    places: list[Landing] = field(default_factory=list[Landing])
    """Where it stands; a place it keeps from request to request is listed with the first."""
    requests: int = 0
    """How many requests hold some of it."""
    chars: int = 0
    """Its code points in the first request that holds it."""
    reasons: list[str] = field(default_factory=list[str])
    """Why it is not in the requests, or not wholly; as the client's model says it."""
    truncated_at: int | None = None
    """Code points into the source where the client cuts it; None: not cut, or not known where."""

    @property
    def landed(self) -> bool:
        """Whether any of it is in a request."""
        return bool(self.places)


def explain(
    requests: Iterable[tuple[str, Built]],
    missing: Iterable[Missing],
    called: Callable[[str], Called],
) -> list[Item]:
    """What landed, in wire order, then what did not; `requests` are ids of exchanges and bodies."""
    found: _Seen = {}
    first = ""
    for exchange, built in requests:
        first = first or exchange
        for (kind, name), runs in _by_source(built).items():
            on_disk = kind == Kind.FILE or Origin(kind, name).of_folder
            path = name if on_disk else f"{_PLACE[kind]} {name}"
            item = found.setdefault((path, ""), _new(kind, name, path, called))
            item.requests += 1
            item.chars = item.chars or sum(run.end - run.start for run in runs)
            _note(item, exchange, runs)
    for reason in missing:
        _blame(found, reason, first)
    return list(found.values())


def chosen(items: Iterable[Item], wanted: str) -> list[Item]:
    """The items that somebody means by a path, the end of a path, or a name."""
    every = list(items)
    tail = "/" + wanted.removeprefix("./").lstrip("/")
    exact = [item for item in every if wanted in {item.path, item.name}]
    return exact or [item for item in every if item.path.endswith(tail)]


def rows(items: Iterable[Item], rate: Rate) -> list[dict[str, Any]]:
    """The items as the document of `explain` has them."""
    return [
        {
            "kind": item.kind,
            "name": item.name,
            "path": item.path,
            "order": order if item.landed else None,
            "landed": item.landed,
            "places": [asdict(place) for place in item.places],
            "reason": "; ".join(item.reasons),
            "chars": item.chars,
            "tokens_estimate": rate.tokens(item.chars),
            "truncated_at": item.truncated_at,
            "requests": item.requests,
        }
        for order, item in enumerate(items, start=1)
    ]


_PLACE = {Kind.LISTING: "mcp", Kind.HOOK: "hook"}


def _by_source(built: Built) -> Mapping[tuple[Kind, str], list[Place]]:
    found: dict[tuple[Kind, str], list[Place]] = {}
    for place in places(built):
        if place.origin.kind in _SOURCES:
            found.setdefault((place.origin.kind, place.origin.name), []).append(place)
    return found


def _new(kind: Kind, name: str, path: str, called: Callable[[str], Called]) -> Item:
    if kind == Kind.FILE:
        known = called(path)
        return Item(known.kind, known.name, path)
    if Origin(kind, name).of_folder:
        return Item("folder", name.rpartition("/")[2], path)
    if kind == Kind.LISTING:
        return Item("tool" if "/" in name else "server", name, path)
    return Item("hook", name, path)


def _note(item: Item, exchange: str, runs: Sequence[Place]) -> None:
    known = {(kept(place.path), place.start, place.end) for place in item.places}
    for run in runs:
        if (kept(run.path), run.start, run.end) not in known:
            item.places.append(Landing(exchange, run.path, run.start, run.end))


def kept(path: str) -> str:
    """One name for a text that is now a message's whole content, now its only block."""
    return _ALONE.sub("/content", path)


def _blame(found: _Seen, reason: Missing, first: str) -> None:
    same = [item for (path, _), item in found.items() if path == reason.path]
    if same:
        item = same[0]
        if reason.waits and item.places and item.places[0].exchange == first:
            return
        # One file may ask for several things: servers, permission rules.
        if item.landed or (item.kind, item.name) == (reason.kind, reason.name):
            _add(item, reason)
            return
    key = reason.path, f"{reason.kind} {reason.name}"
    _add(found.setdefault(key, Item(reason.kind, reason.name, reason.path)), reason)


def _add(item: Item, reason: Missing) -> None:
    item.reasons.append(reason.words)
    item.truncated_at = reason.at if reason.at is not None else item.truncated_at
