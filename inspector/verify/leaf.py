"""Comparing one JSON string whose built text is a mix of literals, known texts and masks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from inspector.jsontext import quote, unquote
from inspector.text import Kind, Known, Mask, Origin, Run

EXCERPT = 60


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of decoded text inside a built string."""

    text: str
    origin: Origin | None
    at: int
    start: int
    """Byte offset in the built body."""
    end: int

    @property
    def literal(self) -> bool:
        """Whether the text itself is claimed, not just a place for one."""
        if isinstance(self.origin, Known | Mask):
            return False
        return self.origin is None or self.origin.kind is not Kind.ADOPTED


def decode(raw: bytes) -> str:
    """The text of the inside of a JSON string."""
    return unquote('"' + raw.decode("utf-8", "surrogatepass") + '"')


def encode(text: str) -> bytes:
    """The canonical inside of a JSON string."""
    return quote(text)[1:-1].encode("utf-8", "surrogatepass")


def stretches(body: bytes, start: int, end: int, runs: Sequence[Run]) -> Iterator[Stretch]:
    """The inside of a built string, cut by origin; text without a run is structure."""
    done = start
    for run in runs:
        low, high = max(run.start, start), min(run.end, end)
        if low >= high:
            continue
        if done < low:
            yield Stretch(decode(body[done:low]), None, 0, done, low)
        skipped = len(decode(body[max(run.start, start) : low])) if low > run.start else 0
        yield Stretch(decode(body[low:high]), run.origin, run.at + skipped, low, high)
        done = high
    if done < end:
        yield Stretch(decode(body[done:end]), None, 0, done, end)


def match(
    parts: Sequence[Stretch], captured: str, masks: Mapping[str, str]
) -> tuple[str, ...] | None:
    """The captured text under each stretch; None where the two do not fit."""
    if not parts:
        return None if captured else ()
    places = [0]
    choices: list[Iterator[int]] = []
    while len(choices) < len(parts) or places[-1] != len(captured):
        if len(choices) < len(parts):
            two = parts[len(choices) : len(choices) + 2]
            choices.append(_ends(two, captured, places[-1], masks))
        else:
            places.pop()
        while (end := next(choices[-1], None)) is None:
            choices.pop()
            if not choices:
                return None
            places.pop()
        places.append(end)
    return tuple(captured[start:end] for start, end in pairwise(places))


def _ends(
    parts: Sequence[Stretch], captured: str, start: int, masks: Mapping[str, str]
) -> Iterator[int]:
    """Where the first stretch may end in the captured text, if it starts there."""
    part, origin = parts[0], parts[0].origin
    if isinstance(origin, Known):
        yield from _known_ends(origin, captured, start)
    elif isinstance(origin, Mask) and origin.name not in masks:
        pattern = re.compile(origin.pattern)
        for end in _stops(parts, captured, start, start + origin.limit):
            if pattern.fullmatch(captured, start, end):
                yield end
    elif isinstance(origin, Mask) or part.literal:
        expected = masks[origin.name] if isinstance(origin, Mask) else part.text
        if captured.startswith(expected, start):
            yield start + len(expected)
    else:
        yield from _stops(parts, captured, start, len(captured))


def _known_ends(known: Known, captured: str, start: int) -> Iterator[int]:
    if captured.startswith(known.placeholder, start):
        yield start + len(known.placeholder)
    if known.names(captured[start : start + known.chars]):
        yield start + known.chars


def _stops(parts: Sequence[Stretch], captured: str, start: int, last: int) -> Iterator[int]:
    """Where text of unknown length may end: before the next literal, or anywhere before others."""
    last = min(last, len(captured))
    if len(parts) == 1:
        if last == len(captured):
            yield last
    elif parts[1].literal:
        end = captured.find(parts[1].text, start)
        while 0 <= end <= last:
            yield end
            end = captured.find(parts[1].text, end + 1)
    else:
        yield from range(start, last + 1)


def recurring(
    parts: Sequence[Stretch], texts: Sequence[str], masks: Mapping[str, str]
) -> dict[str, str]:
    """The values that recurring masks show here for the first time, by name."""
    return {
        part.origin.name: text
        for part, text in zip(parts, texts, strict=True)
        if isinstance(part.origin, Mask) and part.origin.recurs and part.origin.name not in masks
    }


def consistent(parts: Sequence[Stretch], texts: Sequence[str]) -> bool:
    """Whether a recurring mask that comes twice in one string has one value."""
    values = recurring(parts, texts, {})
    return all(
        values.get(part.origin.name, text) == text
        for part, text in zip(parts, texts, strict=True)
        if isinstance(part.origin, Mask)
    )


def repeats(parts: Sequence[Stretch], texts: Sequence[str], masks: Mapping[str, str]) -> bool:
    """Whether an id seen for the first time is one that stood for another id already."""
    names = {value: name for name, value in masks.items()}
    return any(
        names.setdefault(text, part.origin.name) != part.origin.name
        for part, text in zip(parts, texts, strict=True)
        if isinstance(part.origin, Mask) and part.origin.distinct and part.origin.name not in masks
    )


def parting(
    parts: Sequence[Stretch], captured: str, masks: Mapping[str, str]
) -> tuple[int, Stretch | None]:
    """Where a captured text leaves the built one: code points, and the stretch it leaves."""
    done = 0
    for number, part in enumerate(parts):
        if part.literal:
            same = _common(part.text, captured, done)
            done += same
            if same < len(part.text):
                return done, part
            continue
        end = next(
            _ends([part], captured[: _stop(parts, number, captured, done)], done, masks), None
        )
        if end is None:
            return done, part
        done = end
    return done, parts[-1] if parts else None


def _stop(parts: Sequence[Stretch], number: int, captured: str, start: int) -> int:
    """Where a stretch of unknown length ends at the latest: the next literal, or the end."""
    unsure = not isinstance(parts[number].origin, Known)
    if unsure and number + 1 < len(parts) and parts[number + 1].literal:
        found = captured.find(parts[number + 1].text, start)
        return len(captured) if found < 0 else found
    return len(captured)


def _common(text: str, captured: str, start: int) -> int:
    other = captured[start : start + len(text)]
    if other == text:
        return len(text)
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if text[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
