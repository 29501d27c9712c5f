"""Holding a recorded text against one that is sent now.

Strategy: the recorded text is cut into what must stand there as it is and into places that may
read otherwise (a folder, the date, an id, a sealed text). One walk from left to right, no search.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from inspector.match.terms import Terms
from inspector.text import Kind, Mask, Origin

_SEAL = re.compile("⟦(sha256|unknown):([0-9a-f]{64}) ([0-9]{1,9})⟧")
_ID = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})(?![0-9A-Za-z])"
)
_ATTESTATION = re.compile(
    r"(?:(?<=; cch=)[0-9a-f]{5}|(?<=[0-9]\.)[0-9a-f]{3}(?=; cc_entrypoint=))(?![0-9a-f])"
)
"""In Claude Code's billing line, a digest of the request and one of its first words."""
MEASURE = r"[0-9a-f]+(?:\.[0-9]+)?(?:e-?[0-9]+)?"
_SUFFIX = "[0-9a-f]{3,5}(?![0-9a-f])"


@dataclass(frozen=True, slots=True)
class Span:
    """Where a stretch of a recorded text came from."""

    start: int
    end: int
    origin: Origin
    at: int = 0
    """Code points into the source."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a recorded text that may read otherwise."""

    start: int
    end: int
    kind: str
    """`mask`, `seal`, `unknown`, `fact` or `id`."""
    name: str = ""
    pattern: str = ""
    limit: int = 0


def parted(old: str, new: str, spans: Sequence[Span], terms: Terms) -> tuple[int, int] | None:
    """Where the two texts part, in code points of each; None where they mean the same."""
    if old == new:
        return None
    done = at = 0
    for place in places(old, spans, terms):
        literal = old[done : place.start]
        if not new.startswith(literal, at):
            return _first(literal, new, done, at)
        at += len(literal)
        end = _end(place, old, new, at, terms)
        if end is None:
            return _first(old[place.start : place.end], new, place.start, at)
        done, at = place.end, end
    literal = old[done:]
    return None if new[at:] == literal else _first(literal, new, done, at)


def places(old: str, spans: Sequence[Span], terms: Terms) -> Iterator[Place]:
    """The places of a recorded text that may read otherwise, in order, none over another."""
    done = 0
    found = sorted(_all(old, spans, terms), key=lambda place: (place.start, _RANK[place.kind]))
    for place in found:
        if place.start >= done:
            yield place
            done = place.end


_RANK = {"mask": 0, "seal": 1, "unknown": 1, "fact": 2, "id": 3}


def _all(old: str, spans: Sequence[Span], terms: Terms) -> Iterator[Place]:
    yield from _told(spans, terms)
    for match in _SEAL.finditer(old):
        kind = "seal" if match[1] == "sha256" else "unknown"
        yield Place(*match.span(), kind, match[2], limit=int(match[3]))
    for known, _ in terms.facts:
        for match in re.finditer(re.escape(known), old):
            yield Place(*match.span(), "fact")
    for pattern in terms.changing:
        for match in pattern.finditer(old):
            yield Place(*match.span("now"), "mask", "", MEASURE, 20)
    for match in _ID.finditer(old):
        yield Place(*match.span(), "id", "id", _ID.pattern, 64)
    for match in _ATTESTATION.finditer(old):
        yield Place(*match.span(), "mask", "", _SUFFIX, 5)


def _told(spans: Sequence[Span], terms: Terms) -> Iterator[Place]:
    """Masks and short facts, where whoever rebuilt the request says they stand."""
    for span in spans:
        origin = span.origin
        if isinstance(origin, Mask):
            name = origin.name if origin.recurs else ""
            yield Place(span.start, span.end, "mask", name, origin.pattern, origin.limit)
        elif origin.kind is Kind.FACT and origin.name in terms.fields:
            yield Place(span.start, span.end, "fact", origin.name)


def _end(place: Place, old: str, new: str, at: int, terms: Terms) -> int | None:
    """Where the counterpart of a place ends in the new text; None where there is none."""
    recorded = old[place.start : place.end]
    match place.kind:
        case "fact":
            return _fact(place, recorded, new, at, terms)
        case "seal":
            return _sealed(place, new, at)
        case "unknown":
            return _sealed(place, new, at) or _next(place, old, new, at)
        case _:
            return _identity(place, recorded, new, at, terms)


def _fact(place: Place, recorded: str, new: str, at: int, terms: Terms) -> int | None:
    here = [now for known, now in terms.facts if known == recorded]
    if place.name and terms.fields[place.name][0] == recorded:
        here.append(terms.fields[place.name][1])
    for text in (*here, recorded):  # a file may hold the recorded words themselves
        if new.startswith(text, at):
            return at + len(text)
    return None


def _sealed(place: Place, new: str, at: int) -> int | None:
    text = new[at : at + place.limit]
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return at + place.limit if digest == place.name else None


def _next(place: Place, old: str, new: str, at: int) -> int | None:
    """Nobody can say what an unknown seal hides; what follows it must come."""
    follows = old[place.end : place.end + 40]
    end = new.find(follows, at) if follows else len(new)
    return None if end < 0 else end


def _identity(place: Place, recorded: str, new: str, at: int, terms: Terms) -> int | None:
    match = re.compile(place.pattern).match(new, at)
    if match is None or match.end() - at > place.limit:
        return None
    if place.name and not terms.bind(place.name, recorded, match[0]):
        return None
    return match.end()


def _first(old: str, new: str, done: int, at: int) -> tuple[int, int]:
    """The first code point in which a literal and the new text part."""
    count = 0
    for left, right in zip(old, new[at : at + len(old)], strict=False):
        if left != right:
            break
        count += 1
    return done + count, at + count
