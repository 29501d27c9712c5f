"""Comparing one JSON string whose built text is a mix of literals, known texts and masks."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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


def _pattern(stretch: Stretch, number: int, masks: Mapping[str, str]) -> str:
    origin = stretch.origin
    if isinstance(origin, Known):
        inner = f"{re.escape(origin.placeholder)}|(?s:.{{{origin.chars}}})"
    elif isinstance(origin, Mask):
        inner = re.escape(masks[origin.name]) if origin.name in masks else origin.pattern
    elif stretch.literal:
        inner = re.escape(stretch.text)
    else:
        inner = "(?s:.*?)"
    return f"(?P<s{number}>{inner})"


def match(
    parts: Sequence[Stretch], captured: str, masks: Mapping[str, str]
) -> tuple[str, ...] | None:
    """The captured text under each stretch; None where the two do not fit."""
    whole = "".join(_pattern(part, number, masks) for number, part in enumerate(parts))
    found = re.fullmatch(whole, captured)
    if found is None:
        return None
    texts = tuple(found[f"s{number}"] for number in range(len(parts)))
    fits = all(fit(part, text) for part, text in zip(parts, texts, strict=True))
    return texts if fits else None


def fit(part: Stretch, text: str) -> bool:
    """Whether a captured text may stand where a stretch was built."""
    origin = part.origin
    if isinstance(origin, Known):
        return text == origin.placeholder or matches_digest(origin, text)
    if isinstance(origin, Mask):
        return len(text) <= origin.limit
    return True


def matches_digest(known: Known, text: str) -> bool:
    """Whether the words are the ones a digest names."""
    if len(text) != known.chars:
        return False
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() == known.sha256


def parting(
    parts: Sequence[Stretch], captured: str, masks: Mapping[str, str]
) -> tuple[int, Stretch | None]:
    """Where a captured text leaves the built one: code points, and the stretch it leaves."""
    done = 0
    for part in parts:
        if part.literal:
            same = _common(part.text, captured, done)
            done += same
            if same < len(part.text):
                return done, part
            continue
        size = _size(part, captured, done, masks)
        if size is None:
            return done, part
        done += size
    return done, parts[-1] if parts else None


def _size(part: Stretch, captured: str, done: int, masks: Mapping[str, str]) -> int | None:
    found = re.compile(_pattern(part, 0, masks)).match(captured, done)
    if found is None or not fit(part, found[0]):
        return None
    return len(found[0])


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
