"""What one request teaches: a profile's key, the value it should have, where that was seen."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inspector.clients.claude_code.columns import width
from inspector.learn.draft import Axes, Key
from inspector.learn.gaps import Gap, learnable
from inspector.profiles import Slot
from inspector.text import Kind, Known
from inspector.verify.leaf import Stretch

_HOLE = re.compile(r"(\{\w+\})")


@dataclass(frozen=True, slots=True)
class Lesson:
    """One value, learned at one point on one workspace."""

    key: Key
    value: Any
    axes: Axes
    workspace: str
    words: str | None = None
    """The words of a text that the profile names by digest."""
    weak: bool = False
    """Whether another behaviour may explain it better: new words beside old ones."""


@dataclass(frozen=True, slots=True)
class Unlearned:
    """A place that differs and that nothing could be learned from."""

    path: str
    reason: str
    built: str
    captured: str

    @property
    def mechanism(self) -> str:
        """Whose words stand there, in one word or two."""
        source = self.reason.partition(": ")[2].partition(":")[2]
        section = self.path.split("/")[1] if "/" in self.path else "request"
        name = source.partition("/")[0] if source.startswith("/") is False else "a file"
        return f"{section}: {name}" if name else section

    @property
    def sentence(self) -> str:
        """One place in words."""
        ours, theirs = self.built[:60] or "nothing", self.captured[:60] or "nothing"
        return f"at {self.path} {ours!r} is built and {theirs!r} is sent"


@dataclass(frozen=True, slots=True)
class Point:
    """Where a lesson is learned."""

    axes: Axes
    workspace: str
    literals: Mapping[str, str]
    """The literals as they are now."""
    words: Mapping[str, str]
    slots: Mapping[str, tuple[Slot, ...]] = field(default_factory=dict[str, tuple[Slot, ...]])
    prompts: dict[str, str] = field(default_factory=dict[str, str])
    """Texts of the system prompt seen at any point, by name: another may hold them joined."""

    def lesson(self, key: Key, value: object, words: str | None = None) -> Lesson:
        """A value learned here."""
        return Lesson(key, value, self.axes, self.workspace, words)

    def text(self, name: str, words: str) -> Lesson:
        """A long text learned here."""
        return self.lesson(("texts", name), measures(words), words)


def measures(words: str) -> dict[str, Any]:
    """A text by its digest and measures, as a profile has it."""
    data = words.encode("utf-8", "surrogatepass")
    return {
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "chars": len(words),
        "utf16": len(words.encode("utf-16-le", "surrogatepass")) // 2,
        "width": width(words),
    }


def of_gap(point: Point, gap: Gap) -> Iterator[Lesson]:
    """What a gap teaches; nothing where it is not clear whose words changed."""
    gap = _peeled(gap)
    own = [number for number, part in enumerate(gap.parts) if learnable(part)]
    foreign = [
        part
        for number, part in enumerate(gap.parts)
        if number not in own and part.origin is not None and part.origin.kind is not Kind.STRUCTURE
    ]
    if foreign:
        return
    if not own:
        yield from (replace(lesson, weak=True) for lesson in _beside(point, gap))
    elif len(own) == 1 and isinstance(gap.parts[own[0]].origin, Known) and not gap.text.strip():
        yield from _gone(point, gap.parts[own[0]])
    elif len(own) == 1:
        inside = _inside(gap, own[0])
        if inside is not None:
            yield from _value(point, gap.parts[own[0]], inside)
    else:
        yield from _several(point, gap, own)


def _peeled(gap: Gap) -> Gap:
    """The gap without the short parts at its ends that fit."""
    parts, text = list(gap.parts), gap.text
    before, after = gap.before, gap.after
    while parts and parts[0].literal and parts[0].text and text.startswith(parts[0].text):
        before, text = parts[0], text.removeprefix(parts.pop(0).text)
    while parts and parts[-1].literal and parts[-1].text and text.endswith(parts[-1].text):
        after, text = parts[-1], text.removesuffix(parts.pop().text)
    return Gap(tuple(parts), text, before, after)


def _gone(point: Point, part: Stretch) -> Iterator[Lesson]:
    """A text that is not sent any more: its slot goes."""
    assert part.origin is not None
    label = f"text:{part.origin.name}"
    for name, slots in point.slots.items():
        if any(slot.part == label for slot in slots):
            left = [slot.model_dump() for slot in slots if slot.part != label]
            yield point.lesson(("slots", name), left)


def _inside(gap: Gap, own: int) -> str | None:
    """The captured text without the joints around the client's words."""
    before = "".join(part.text for part in gap.parts[:own])
    after = "".join(part.text for part in gap.parts[own + 1 :])
    fits = gap.text.startswith(before) and gap.text.endswith(after)
    if not fits or len(gap.text) < len(before) + len(after):
        return None
    return gap.text[len(before) : len(gap.text) - len(after)]


def _several(point: Point, gap: Gap, own: list[int]) -> Iterator[Lesson]:
    """Several texts that all changed: told apart by the joints between them."""
    joints = [
        "".join(part.text for part in gap.parts[start + 1 : end])
        for start, end in zip(own, [*own[1:], len(gap.parts)], strict=True)
    ]
    text = gap.text.removesuffix(joints[-1])
    if len(set(joints[:-1])) != 1 or not joints[0]:
        return
    found = text.split(joints[0])
    if len(found) == len(own):
        for number, words in zip(own, found, strict=True):
            yield from _value(point, gap.parts[number], words)


def _beside(point: Point, gap: Gap) -> Iterator[Lesson]:
    """Words that are new between two stretches belong to one of them."""
    joint = "".join(part.text for part in gap.parts)
    if joint:
        return
    if gap.before is not None and _literal(gap.before):
        yield from _value(point, gap.before, gap.before.text + gap.text)
    elif gap.after is not None and _literal(gap.after):
        yield from _value(point, gap.after, gap.text + gap.after.text)
    elif gap.before is not None and (said := _said(point, gap.before)) is not None:
        yield from _value(point, gap.before, said + gap.text)
    elif gap.after is not None and (said := _said(point, gap.after)) is not None:
        yield from _value(point, gap.after, gap.text + said)


def _literal(part: Stretch) -> bool:
    return part.origin is not None and part.origin.kind is Kind.LITERAL


def _said(point: Point, part: Stretch) -> str | None:
    origin = part.origin
    return point.words.get(origin.sha256) if isinstance(origin, Known) else None


def _value(point: Point, part: Stretch, words: str) -> Iterator[Lesson]:
    """The new words of a stretch: of a whole text, or of a literal's part between two holes."""
    origin = part.origin
    assert origin is not None
    if isinstance(origin, Known):
        yield point.text(origin.name, words)
        return
    literal = point.literals.get(origin.name)
    if literal is None:
        return
    chunks = _HOLE.split(literal)
    fitting = [number for number in range(0, len(chunks), 2) if chunks[number] == part.text]
    if len(fitting) != 1 or _HOLE.search(words):
        return
    chunks[fitting[0]] = words
    yield point.lesson(("literals", origin.name), "".join(chunks))
