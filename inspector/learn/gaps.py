"""Where a captured text leaves the built one: the stretches that fit hold the two together.

Strategy: the longest stretch that stands in the captured text as it is (a known text by its digest)
splits both in two; what is left between two such stretches is a gap. Texts between two gaps that
fit are never learned.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspector.text import Kind, Known
from inspector.verify.leaf import Stretch, match

_SHORTEST = 3
"""Characters, blanks apart, from which on a stretch may hold two texts together."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Stretches that do not stand in the captured text, and what stands there."""

    parts: tuple[Stretch, ...]
    text: str
    before: Stretch | None
    """The stretch that fits before the gap."""
    after: Stretch | None


@dataclass(frozen=True, slots=True)
class _Around:
    before: Stretch | None = None
    after: Stretch | None = None


def gaps(
    parts: Sequence[Stretch],
    text: str,
    words: Mapping[str, str],
    around: _Around | None = None,
    masks: Mapping[str, str] | None = None,
) -> Iterator[Gap]:
    """The gaps between a built string's stretches and the captured text."""
    around = around or _Around()
    if match(parts, text, masks or {}) is not None:
        return
    found = _anchor(parts, text, words)
    if found is None:
        yield Gap(tuple(parts), text, around.before, around.after)
        return
    number, start, end = found
    left = _Around(around.before, parts[number])
    yield from gaps(parts[:number], text[:start], words, left, masks)
    right = _Around(parts[number], around.after)
    yield from gaps(parts[number + 1 :], text[end:], words, right, masks)


def _anchor(
    parts: Sequence[Stretch], text: str, words: Mapping[str, str]
) -> tuple[int, int, int] | None:
    """The longest stretch that stands in the text, and where."""
    sizes = [_size(part) for part in parts]
    for number in sorted(range(len(parts)), key=lambda one: -sizes[one]):
        if sizes[number] < _SHORTEST:
            return None
        before = sum(sizes[:number])
        after = sum(sizes[number + 1 :])
        place = _place(parts[number], text, words, (before, after))
        if place is not None:
            return number, *place
    return None


def _size(part: Stretch) -> int:
    if isinstance(part.origin, Known):
        return part.origin.chars
    return len(part.text.strip()) if part.literal else 0


def _place(
    part: Stretch, text: str, words: Mapping[str, str], around: tuple[int, int]
) -> tuple[int, int] | None:
    """Where a stretch stands, the place nearest to where it should be."""
    if isinstance(part.origin, Known):
        said = words.get(part.origin.sha256)
        if said is None:
            return _by_digest(part.origin, text)
    else:
        said = part.text
    starts = [found.start() for found in re.finditer(re.escape(said), text)]
    if not starts:
        return None
    ends = len(text) - around[1] - len(said)
    start = min(starts, key=lambda at: min(abs(at - around[0]), abs(at - ends)))
    return start, start + len(said)


def _by_digest(known: Known, text: str) -> tuple[int, int] | None:
    """Where a text stands whose words nobody knows: at the start of a line, or at the end."""
    starts = {0, *(found.end() for found in re.finditer(r"\n+|: ", text))}
    starts |= {found.start() for found in re.finditer(r"\n+", text)}
    starts.add(len(text) - known.chars)
    for start in sorted(starts):
        piece = text[start : start + known.chars] if start >= 0 else ""
        if len(piece) == known.chars:
            digest = hashlib.sha256(piece.encode("utf-8", "surrogatepass")).hexdigest()
            if digest == known.sha256:
                return start, start + known.chars
    return None


def learnable(part: Stretch) -> bool:
    """Whether a stretch is the client's own words."""
    return part.origin is not None and part.origin.kind in {Kind.KNOWN, Kind.LITERAL}
