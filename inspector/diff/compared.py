"""What changed between two prompts.

Strategy: segments are aligned by key first, so a moved or inserted message is one change at any
size; only then a changed pair is compared inside. DeepDiff never sees more than one such pair.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, cast

from rapidfuzz.distance import Indel

from inspector.jsontext import JSON, Node, Number, escape, loads, parse, pointer
from inspector.segments import Prompt, Segment
from inspector.text import Built

BENIGN = frozenset({"moved-mark", "reshaped", "volatile"})
"""Verdicts that change no meaning."""
BYTES_PER_TOKEN = 4
"""A rough estimate, for people; no tokenizer is consulted."""

_ALIKE = 0.4
"""Share of words in common, in order, from which on one text is told as having become another."""
_MOST_PAIRED = 30
_LOOKED_AT = 8_000
_WORD = re.compile(rb"\w+|[^\w\s]")

_VOLATILE = ("/metadata", "/client_metadata", "/prompt_cache_key", "/diagnostics")
"""Params that name the session, not the prompt. Witness: lab captures of both clients."""
_ATTESTATION = "x-anthropic-billing-header:"
"""Witness: system block 0 of Claude Code 2.1.332 on its default host."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two prompts."""

    verdict: str
    """`changed`, `added`, `removed`, `moved`, `reordered-keys`, or a benign one."""
    section: str
    """`tools`, `system`, `messages` or `params`."""
    path_a: str | None
    path_b: str | None
    size: int
    """Bytes of the new side (of the old one where it was removed)."""
    detail: tuple[str, ...] = ()
    """Pointers inside the segment where the two part."""

    @property
    def benign(self) -> bool:
        """Whether the change leaves the meaning as it was."""
        return self.verdict in BENIGN


@dataclass(frozen=True, slots=True)
class Side:
    """One request that is compared."""

    name: str
    """Its exchange, or its file."""
    prompt: Prompt
    built: Built | None = None
    """The same request as rebuilt, where it could be; it knows where its text came from."""
    source: Callable[[str], str | None] | None = None
    """The text of a file of its workspace, as it was then."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two requests and what changed; a side is None where the other has no counterpart."""

    a: Side | None
    b: Side | None
    changes: tuple[Change, ...]


def compare(a: Sequence[Side], b: Sequence[Side]) -> tuple[Compared, ...]:
    """Requests in pairs, in order; what one side has more of was removed or added whole."""
    pairs = [Compared(x, y, diff(x.prompt, y.prompt)) for x, y in zip(a, b, strict=False)]
    for old in a[len(pairs) :]:
        change = Change("removed", "request", "", None, len(old.prompt.body))
        pairs.append(Compared(old, None, (change,)))
    for new in b[len(a) :]:
        change = Change("added", "request", None, "", len(new.prompt.body))
        pairs.append(Compared(None, new, (change,)))
    return tuple(pairs)


def diff(a: Prompt, b: Prompt) -> tuple[Change, ...]:
    """The changes from one prompt to another; nothing for equal bytes."""
    if a.body == b.body:
        return ()
    if a.dialect is None or b.dialect is None:
        return (Change("changed", "params", "", "", len(b.body)),)
    return (*_params(a, b), *_segments(a.segments, b.segments))


# --- segments ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Alone:
    """A segment without an equal one at its place."""

    segment: Segment
    gap: int
    """Which stretch between two aligned segments it stands in."""


def _segments(a: Sequence[Segment], b: Sequence[Segment]) -> Iterator[Change]:
    equal, removed, added = _align(a, b)
    for old, new in equal:
        yield from _same_key(old, new)
    moved = list(_moves(removed, added))
    for old, new in moved:
        yield Change("moved", new.section, old.path, new.path, len(new.raw))
    gone = {id(old) for old, _ in moved}
    come = {id(new) for _, new in moved}
    removed = [item for item in removed if id(item.segment) not in gone]
    added = [item for item in added if id(item.segment) not in come]
    yield from _rest(removed, added)


def _align(
    a: Sequence[Segment], b: Sequence[Segment]
) -> tuple[list[tuple[Segment, Segment]], list[_Alone], list[_Alone]]:
    equal: list[tuple[Segment, Segment]] = []
    removed: list[_Alone] = []
    added: list[_Alone] = []
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    equal += zip(a[:head], b[:head], strict=True)
    left, right = a[head : len(a) - tail], b[head : len(b) - tail]
    keys = [item.key for item in left], [item.key for item in right]
    codes = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
    for gap, (what, i1, i2, j1, j2) in enumerate(codes):
        if what == "equal":
            equal += zip(left[i1:i2], right[j1:j2], strict=True)
        else:
            removed += (_Alone(item, gap) for item in left[i1:i2])
            added += (_Alone(item, gap) for item in right[j1:j2])
    equal += zip(a[len(a) - tail :], b[len(b) - tail :], strict=True)
    return equal, removed, added


def _common(a: Sequence[Segment], b: Sequence[Segment]) -> int:
    count = 0
    for old, new in zip(a, b, strict=False):
        if old is not new and old.raw != new.raw and old.key != new.key:
            break
        if old.owner != new.owner or old.role != new.role or old.section != new.section:
            break
        count += 1
    return count


def _same_key(old: Segment, new: Segment) -> Iterator[Change]:
    if old.label != new.label:
        a, b = (f"{'/'.join(item.path.split('/')[:3])}/id" for item in (old, new))
        yield Change("volatile", new.section, a, b, len(new.label))
    if old.unlabelled == new.unlabelled:
        return
    if old.breakpoint != new.breakpoint:
        yield Change("moved-mark", new.section, old.path, new.path, len(new.raw))
    elif old.value.kind != new.value.kind:
        yield Change("reshaped", new.section, old.path, new.path, len(new.raw))
    elif [*_reordered(old.value, new.value)]:
        places = tuple(_reordered(old.value, new.value))
        yield Change("reordered-keys", new.section, old.path, new.path, len(new.raw), places)
    else:
        yield Change("reshaped", new.section, old.path, new.path, len(new.raw))


def _moves(removed: Sequence[_Alone], added: Sequence[_Alone]) -> Iterator[tuple[Segment, Segment]]:
    waiting: dict[str, list[Segment]] = {}
    for item in removed:
        waiting.setdefault(item.segment.key, []).append(item.segment)
    for item in added:
        same = waiting.get(item.segment.key)
        if same:
            yield same.pop(0), item.segment


def _rest(removed: Sequence[_Alone], added: Sequence[_Alone]) -> Iterator[Change]:
    """Pair what stands in one gap, is of one sort and alike; the rest was removed or added."""
    waiting: dict[tuple[int, str, str | None, str], list[Segment]] = {}
    for item in added:
        waiting.setdefault(_sort(item), []).append(item.segment)
    taken: set[int] = set()
    for item in removed:
        old = item.segment
        same = waiting.get(_sort(item), [])
        new = _likest(old, same)
        if new is None:
            yield Change("removed", old.section, old.path, None, len(old.raw))
            continue
        same.remove(new)
        taken.add(id(new))
        yield _inside(old, new)
    for item in added:
        new = item.segment
        if id(new) not in taken:
            yield Change("added", new.section, None, new.path, len(new.raw))


def _likest(old: Segment, among: Sequence[Segment]) -> Segment | None:
    """The segment that an old one became: of the same tool, or with the most words in common."""
    if old.section == "tools" or not among:
        return among[0] if among else None
    words = _words(old)
    best = max(among[:_MOST_PAIRED], key=lambda new: Indel.similarity(words, _words(new)))
    alike = Indel.normalized_similarity(words, _words(best))
    return best if alike >= _ALIKE else None


def _words(segment: Segment) -> list[bytes]:
    return _WORD.findall(segment.raw[:_LOOKED_AT])


def _sort(item: _Alone) -> tuple[int, str, str | None, str]:
    segment = item.segment
    value = segment.value
    name = value.string_of("name") if segment.section == "tools" else value.string_of("type")
    return item.gap, segment.section, segment.role, name or ""


def _inside(old: Segment, new: Segment) -> Change:
    if _attestation(old) and _attestation(new):
        return Change("volatile", new.section, old.path, new.path, len(new.raw))
    places = tuple(_parted(old.value, new.value))
    verdict = "changed"
    if not places and (places := tuple(_reordered(old.value, new.value))):
        verdict = "reordered-keys"
    return Change(verdict, new.section, old.path, new.path, len(new.raw), places)


def _attestation(segment: Segment) -> bool:
    """Whether a block is the billing line, new in each request by design of the client."""
    text = segment.value.string_of("text") if segment.section == "system" else None
    return text is not None and text.startswith(_ATTESTATION)


# --- inside one pair -----------------------------------------------------------------------------


def _parted(old: Node, new: Node) -> Iterator[str]:
    """Pointers at which two values part, by DeepDiff."""
    if "object" not in {old.kind, new.kind} or old.kind != new.kind:
        yield ""
        return
    from deepdiff import DeepDiff

    values = _spelled(loads(old.text)), _spelled(loads(new.text))
    found: Any = DeepDiff(*values, view="tree", verbose_level=2)
    groups = cast("Iterable[Iterable[Any]]", found.values())
    for items in groups:
        for item in items:
            steps: list[object] = item.path(output_format="list")
            yield pointer(*(str(step) for step in steps))


def _spelled(value: JSON) -> JSON:
    """The value with numbers as the text they are written in."""
    match value:
        case Number():
            return f"#{value.text}"
        case dict():
            return {name: _spelled(item) for name, item in value.items()}
        case list():
            return [_spelled(item) for item in value]
        case _:
            return value


def _reordered(old: Node, new: Node, path: str = "") -> Iterator[str]:
    """Pointers of objects that hold the same members in another order."""
    names = [member.name for member in old.members], [member.name for member in new.members]
    if names[0] != names[1] and Counter(names[0]) == Counter(names[1]):
        yield path
    for member in old.members:
        other = new.get(member.name)
        if other is not None and other.raw != member.value.raw:
            yield from _reordered(member.value, other, f"{path}/{escape(member.name)}")
    for number, (left, right) in enumerate(zip(old.items, new.items, strict=False)):
        if left.raw != right.raw:
            yield from _reordered(left, right, f"{path}/{number}")


# --- params --------------------------------------------------------------------------------------


def _params(a: Prompt, b: Prompt) -> Iterator[Change]:
    old = {f"/{escape(item.name)}": item.raw for item in a.params}
    new = {f"/{escape(item.name)}": item.raw for item in b.params}
    for path, raw in new.items():
        if path not in old:
            yield Change("added", "params", None, path, len(raw or b""))
        elif old[path] != raw:
            yield _param(path, old[path] or b"", raw or b"")
    for path, raw in old.items():
        if path not in new:
            yield Change("removed", "params", path, None, len(raw or b""))
    order = [member.name for member in a.members], [member.name for member in b.members]
    if order[0] != order[1] and Counter(order[0]) == Counter(order[1]):
        yield Change("reordered-keys", "params", "", "", 0)


def _param(path: str, old: bytes, new: bytes) -> Change:
    if path in _VOLATILE:
        return Change("volatile", "params", path, path, len(new))
    left, right = parse(old), parse(new)
    places = tuple(_parted(left, right))
    if not places and (places := tuple(_reordered(left, right))):
        return Change("reordered-keys", "params", path, path, len(new), places)
    return Change("changed", "params", path, path, len(new), places)
