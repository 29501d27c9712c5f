"""Where a text stands in the requests of a session, and where its characters came from."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rapidfuzz import fuzz

from inspector.explain.items import Landing, kept
from inspector.jsontext import parse
from inspector.text import Built
from inspector.verify import Place, places

LEAST = 60
"""Likeness, of 100, below which nothing counts as nearest."""


@dataclass(frozen=True, slots=True)
class Body:
    """A request to look in: as it was sent, and as it was rebuilt, where it was."""

    exchange: str
    sent: bytes
    built: Built | None


@dataclass(slots=True)
class Sighting:
    """A place where a text stands."""

    landing: Landing
    sources: tuple[str, ...]
    """`kind name` of each run it lies in, in order; none where it was not rebuilt."""
    requests: int = 1
    """How many requests have it at this place."""
    last: str = ""
    """The last of them; after it the text was lost there."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """What is most like a text that stands nowhere."""

    landing: Landing
    text: str
    likeness: int
    """Of 100."""
    sources: tuple[str, ...]


def sightings(bodies: Iterable[Body], wanted: str, *, fold: bool = False) -> list[Sighting]:
    """Where a text stands; a place it keeps is told with the first request. `fold`: any case."""
    pattern = re.compile(re.escape(wanted), re.IGNORECASE if fold else 0)
    found: dict[tuple[str, int], Sighting] = {}
    for body in bodies:
        sources = _Sources(body)
        for path, text in strings(body.sent):
            for match in pattern.finditer(text):
                place = kept(path), match.start()
                if place in found:
                    found[place].requests += 1
                else:
                    landing = Landing(body.exchange, path, *match.span())
                    found[place] = Sighting(landing, sources.of(landing, text))
                found[place].last = body.exchange
    return list(found.values())


def nearest(bodies: Iterable[Body], wanted: str) -> Nearest | None:
    """The place that is most like a text, if any is."""
    best: tuple[float, Body, str, str, int, int] | None = None
    seen: set[tuple[str, str]] = set()
    for body in bodies:
        for path, text in strings(body.sent):
            if len(text) * 5 < len(wanted) * 4 or (kept(path), text) in seen:
                continue
            seen.add((kept(path), text))
            least = best[0] if best else LEAST
            like = fuzz.partial_ratio_alignment(_small(wanted), _small(text), score_cutoff=least)
            if like and (best is None or like.score > best[0]):
                best = like.score, body, path, text, like.dest_start, like.dest_end
    if best is None:
        return None
    score, body, path, text, start, end = best
    start, end = _words(text, start, end)
    landing = Landing(body.exchange, path, start, end)
    return Nearest(landing, text[start:end], int(score), _Sources(body).of(landing, text))


def _words(text: str, start: int, end: int) -> tuple[int, int]:
    """A span made wider to whole words."""
    while start > 0 and text[start - 1 : start + 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1 : end + 1].isalnum():
        end += 1
    return start, end


def _small(text: str) -> str:
    """In small letters, where that moves no character."""
    small = text.lower()
    return small if len(small) == len(text) else text


def strings(sent: bytes) -> Iterator[tuple[str, str]]:
    """The decoded strings of a body with their places; of one that is no JSON its text."""
    try:
        root = parse(sent)
    except ValueError:
        yield "", sent.decode("utf-8", "replace")
        return
    for path, node in root.walk():
        if node.kind == "string":
            yield path, node.string


def row(wanted: str, found: Sequence[Sighting], near: Nearest | None = None) -> dict[str, Any]:
    """A text as an item of the documents of `explain` and `find`."""
    return {
        "kind": "text",
        "name": wanted,
        "path": None,
        "landed": bool(found),
        "places": [
            {
                **asdict(item.landing),
                "sources": list(item.sources),
                "requests": item.requests,
                "last": item.last,
            }
            for item in found
        ],
        "reason": "" if found else "no request holds it",
        "chars": len(wanted) if found else 0,
        "truncated_at": None,
        "nearest": None if near is None else {**asdict(near), "sources": list(near.sources)},
    }


class _Sources:
    """The origins of a rebuilt request, looked up where they are asked for."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._runs: dict[str, list[Place]] | None = None
        self._texts: dict[str, str] = {}

    def of(self, landing: Landing, sent: str) -> tuple[str, ...]:
        """The runs a place lies in; none where something else was built at it."""
        if self._body.built is None:
            return ()
        if self._runs is None:
            self._runs = {}
            for place in places(self._body.built):
                self._runs.setdefault(place.path, []).append(place)
            self._texts = dict(strings(self._body.built.body))
        if self._texts.get(landing.path) != sent:
            return ()
        runs = self._runs.get(landing.path, ())
        inside = [run for run in runs if run.start < landing.end and run.end > landing.start]
        return tuple(dict.fromkeys(f"{run.origin.kind} {run.origin.name}" for run in inside))
