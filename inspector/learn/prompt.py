"""The system prompt of a version: which texts stand in it, in what order, around what is made.

Strategy: what the built prompt and the captured one share (texts by their words, what is made of
the workspace as it is) holds both together. Slots of texts that are not there are dropped; what
the captured prompt has more becomes a text of its own, behind the slot it stands behind.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby

from inspector.learn.lesson import Lesson, Point, measures
from inspector.profiles import Slot
from inspector.text import Kind, Known
from inspector.verify.leaf import Stretch

LISTS = ("system.static", "system.dynamic")
_MEMORY = "template:system.memory"
_BETWEEN, _INSIDE = ("", "between"), ("", "inside")
"""Where stretches belong that are no slot's: made of the workspace, a client text within that."""
_HEADING = re.compile(r"(?:^|\n\n)(?=# )")


class _Is(Enum):
    SLOT = "a text, or what a template puts around one fact"
    MADE = "made of the workspace"
    HOLE = "a client text inside what is made"


@dataclass(frozen=True, slots=True)
class _Unit:
    """Stretches of the built prompt that stand or fall together."""

    kind: _Is
    words: str | None
    """None: nobody knows them."""
    name: str = ""
    """The slot's part, or the text's name."""
    list: str = ""
    """The list the slot stands in."""


@dataclass(slots=True)
class _Found:
    """What one block of the prompt teaches."""

    known: dict[str, str]
    """Texts learned elsewhere, by name."""
    texts: dict[str, str] = field(default_factory=dict[str, str])
    gone: set[str] = field(default_factory=set[str])
    after: dict[tuple[str, str], list[str]] = field(
        default_factory=dict[tuple[str, str], list[str]]
    )
    """New parts by list and the part they stand behind; empty: at the list's start."""


def slots(point: Point, parts: Sequence[Stretch], text: str) -> Iterator[Lesson]:
    """What a block of the system prompt teaches of the lists of slots and their texts."""
    units = [*_units(point, parts)]
    home = next((unit.list for unit in units if unit.list), "")
    if not home:
        return
    found = _found(units, text, home, point.prompts)
    for name, words in found.texts.items():
        yield point.text(name, words)
    for name in LISTS:
        before = list(point.slots.get(name, ()))
        now = [*_edited(name, before, found)]
        if now != before:
            yield point.lesson(("slots", name), [slot.model_dump() for slot in now])


def _found(units: Sequence[_Unit], text: str, home: str, known: dict[str, str]) -> _Found:
    """What stands in the captured text between the units that fit."""
    found = _Found(known)
    start, waiting, behind = 0, list[_Unit](), (home, "")
    for unit in units:
        at = text.find(unit.words, start) if unit.words else -1
        if at < 0 or not unit.words:
            waiting.append(unit)
            continue
        if unit.list not in {"", behind[0]}:
            # Where both lists are one block, new text between them begins the second.
            behind = (unit.list, "")
        _between(found, waiting, text[start:at], behind)
        start, waiting = at + len(unit.words), []
        behind = (unit.list, unit.name) if unit.kind is _Is.SLOT else behind
    _between(found, waiting, text[start:], behind)
    return found


def _between(found: _Found, lost: Sequence[_Unit], text: str, behind: tuple[str, str]) -> None:
    """Captured text between two units that fit, and the built units that do not."""
    if any(unit.kind is _Is.MADE for unit in lost):
        return
    holes = [unit for unit in lost if unit.kind is _Is.HOLE]
    if len(holes) > 1:
        return
    if holes and behind[1] != _MEMORY:
        cuts = [one.end() for one in _HEADING.finditer(text)] or [0]
        found.texts[holes[0].name] = text[cuts[-1] :]
        text = text[: cuts[-1]]
    elif holes:
        cut = next((one.start() for one in _HEADING.finditer(text) if one.start()), len(text))
        found.texts[holes[0].name] = text[:cut].strip("\n")
        text = text[cut:]
    _replaced(found, [unit.name for unit in lost if unit.kind is _Is.SLOT], text, behind)


def _replaced(found: _Found, lost: Sequence[str], text: str, behind: tuple[str, str]) -> None:
    """Slots whose words are not there, and the words that are: as many are the same ones."""
    pieces = [*_cut(text.strip("\n"), found.known)]
    same = len(pieces) == len(lost) and all(part.startswith("text:") for part in lost)
    names = [part.removeprefix("text:") for part in lost] if same else [name for name, _ in pieces]
    for name, (_, words) in zip(names, pieces, strict=True):
        found.texts[name] = found.known[name] = words
        if f"text:{name}" not in lost:
            found.after.setdefault(behind, []).append(f"text:{name}")
    found.gone |= {part for part in lost if part.removeprefix("text:") not in names}


def _cut(text: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """New text, cut at texts that are known from another block, and a name for each piece."""
    if not text:
        return
    for name, words in sorted(known.items(), key=lambda item: -len(item[1])):
        before, found, after = f"\n\n{text}\n\n".partition(f"\n\n{words}\n\n")
        if found:
            yield from _cut(before.strip("\n"), known)
            yield name, words
            yield from _cut(after.strip("\n"), known)
            return
    yield f"system.{measures(text)['sha256'][:8]}", text


def _edited(name: str, before: Sequence[Slot], found: _Found) -> Iterator[Slot]:
    for part in found.after.get((name, ""), ()):
        yield Slot(part=part)
    for slot in before:
        if slot.part not in found.gone:
            yield slot
        for part in found.after.get((name, slot.part), ()):
            yield Slot(part=part)


def _units(point: Point, parts: Sequence[Stretch]) -> Iterator[_Unit]:
    """The slots' texts and what is made between them, without the joints."""
    homes = _homes(point.slots)
    for home, group in groupby(parts, key=lambda part: _home(point, homes, part)):
        stretches = [*group]
        if home == _BETWEEN:
            made = "".join(part.text for part in stretches).strip("\n")
            if made:
                yield _Unit(_Is.MADE, made)
        elif home == _INSIDE:
            for part in stretches:
                yield _Unit(_Is.HOLE, _words(point, part), part.origin.name if part.origin else "")
        else:
            said = [_words(point, part) for part in stretches]
            whole = None if None in said else "".join(filter(None, said))
            yield _Unit(_Is.SLOT, whole, home[1], home[0])


def _words(point: Point, part: Stretch) -> str | None:
    if isinstance(part.origin, Known):
        return point.words.get(part.origin.sha256)
    return part.text


def _home(point: Point, homes: Mapping[str, tuple[str, str]], part: Stretch) -> tuple[str, str]:
    """The list and the slot that a stretch belongs to."""
    origin = part.origin
    if isinstance(origin, Known):
        return homes.get(origin.name, _INSIDE)
    if origin is not None and origin.kind is Kind.FACT and origin.name == "memory":
        return _of(point.slots, _MEMORY), _MEMORY
    return _BETWEEN


def _of(slots: Mapping[str, Sequence[Slot]], part: str) -> str:
    return next((name for name in LISTS if any(s.part == part for s in slots.get(name, ()))), "")


def _homes(slots: Mapping[str, Sequence[Slot]]) -> dict[str, tuple[str, str]]:
    """Of each text's name: the list and the part that bring it."""
    out: dict[str, tuple[str, str]] = {}
    for name in LISTS:
        for slot in slots.get(name, ()):
            kind, _, rest = slot.part.partition(":")
            if kind == "text":
                out[rest] = (name, slot.part)
            elif kind == "slots":
                inner = (one.part.partition(":")[2] for one in slots.get(rest, ()))
                out |= dict.fromkeys(inner, (name, slot.part))
    return out


def apart(lesson: Lesson) -> bool:
    """Whether a lesson goes beside those of whole lists of slots: it is of no text."""
    return lesson.key[0] not in {"texts", "slots"}
