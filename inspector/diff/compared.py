"""What changed between two prompts.

Strategy: elements that both bodies hold are told by their bytes, so a moved or inserted message is
one change at any size; only what is left is split, aligned by key, and compared inside.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from inspector.diff.aligned import changes
from inspector.diff.change import Change
from inspector.diff.elements import unshared_within
from inspector.diff.inside import parted, reordered
from inspector.diff.onetext import one_text
from inspector.diff.onward import Onward
from inspector.diff.seen import Seen
from inspector.diff.turns import aligned
from inspector.jsontext import escape, parse
from inspector.segments import Cut, Prompt
from inspector.segments.narrowed import narrowed
from inspector.text import Built
from inspector.text.origin import size

_VOLATILE = ("/metadata", "/client_metadata", "/prompt_cache_key", "/diagnostics")
"""Params that name the session, not the prompt. Witness: lab captures of both clients."""

FEW = 8
"""Elements between the equal ends of two bodies up to which the next pair is looked at whole."""


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
    """Requests in pairs, turn by turn; what has no counterpart was removed or added whole.

    A change that later pairs show, too, is told with the first of them.
    """
    seen, onward, found = Seen(), Onward(), Counter[int]()
    pairs: list[Compared] = []
    for old, new in aligned(*([(side, side.prompt) for side in sides] for sides in (a, b))):
        if old is None or new is None:
            pairs.append(_alone(old, new))
            continue
        every = diff(old.prompt, new.prompt, seen, onward)
        pairs.append(Compared(old, new, _fresh(every, onward, found)))
    return tuple(_counted(pair, found) if pair.a and pair.b else pair for pair in pairs)


def _counted(pair: Compared, found: Counter[int]) -> Compared:
    changes = tuple(replace(one, requests=found[one.what()]) for one in pair.changes)
    return replace(pair, changes=changes)


def _alone(old: Side | None, new: Side | None) -> Compared:
    verdict, side = ("removed", old) if old is not None else ("added", new)
    count = size(side.prompt.body) if side is not None else 0
    a, b = (None if one is None else "" for one in (old, new))
    return Compared(old, new, (Change(verdict, "request", a, b, count),))


def diff(
    a: Prompt, b: Prompt, seen: Seen | None = None, onward: Onward | None = None
) -> tuple[Change, ...]:
    """The changes from one prompt to another; nothing for equal bytes.

    With `onward`, less what it knows from the pair of requests before.
    """
    if a.body == b.body:
        if onward is not None:
            onward.forget()
        return ()
    alone = onward is None
    seen, onward = seen or Seen(), onward or Onward()
    try:
        inside = None if onward.begun else narrowed(a.body, a.cut, b.body)
        if inside is not None and (alone or len(inside.new) <= FEW):
            one = one_text(inside, seen)
            return (one,) if one else tuple(changes(unshared_within(inside), seen))
        return full_diff(a, b, seen, onward)
    except ValueError:
        # Not JSON inside an element, which nobody looked into before.
        onward.forget()
        return _unreadable(b)


def full_diff(a: Prompt, b: Prompt, seen: Seen, onward: Onward) -> tuple[Change, ...]:
    """The same of unequal bodies that may part anywhere. Raises `ValueError`: no JSON inside."""
    old, new = a.cut, b.cut
    if old.dialect is None or new.dialect is None:
        onward.forget()
        return _unreadable(b)
    return (*_params(old, new), *changes(onward.unshared(old, new), seen))


def _unreadable(new: Prompt) -> tuple[Change, ...]:
    return (Change("changed", "params", "", "", len(new.body)),)


def _fresh(every: Sequence[Change], onward: Onward, found: Counter[int]) -> tuple[Change, ...]:
    """The changes that no earlier pair showed."""
    told = [one.what() for one in every]
    fresh = tuple(
        replace(one, what=partial(_same, what))
        for one, what in zip(every, told, strict=True)
        if what not in found
    )
    found.update(told)
    found.update(onward.told(zip(every, told, strict=True)))
    return fresh


def _same(what: int) -> int:
    return what


def _params(a: Cut, b: Cut) -> Iterator[Change]:
    old = {f"/{escape(name)}": raw for name, raw in a.params.items()}
    new = {f"/{escape(name)}": raw for name, raw in b.params.items()}
    for path in dict.fromkeys((*new, *old)):
        before, now = old.get(path), new.get(path)
        for verdict, places in _param(path, before, now) if before != now else ():
            yield Change(
                verdict,
                "params",
                None if before is None else path,
                None if now is None else path,
                len(now if now is not None else before or b""),
                places,
                what=partial(hash, (path, verdict, before, now)),
            )
    order = [one[0] for one in a.spans], [one[0] for one in b.spans]
    if order[0] != order[1] and Counter(order[0]) == Counter(order[1]):
        yield Change("reordered-keys", "params", "", "", 0, what=partial(hash, "order"))


def _param(
    path: str, old: bytes | None, new: bytes | None
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Verdicts on a param, with the places inside."""
    if old is None or new is None:
        yield "added" if old is None else "removed", ()
        return
    if path in _VOLATILE:
        yield "volatile", ()
        return
    left, right = parse(old), parse(new)
    if places := tuple(parted(left, right)):
        yield "changed", places
    if places := tuple(reordered(left, right)):
        yield "reordered-keys", places
