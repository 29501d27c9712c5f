"""Comparing objects and arrays: their members, their order, the punctuation between."""

from collections.abc import Callable, Sequence
from typing import Self

from inspector.jsontext import Member, Node, escape
from inspector.text import ByteClass, Origin
from inspector.verify import align, leaf
from inspector.verify.ledger import Difference, Ledger, Unequal
from inspector.verify.pair import Pair, excerpt

type Value = Callable[[Pair, str, Node, Node, Ledger], None]
"""The comparison of two values, passed in by the walk that calls this module."""

type _Name = tuple[str, int]
"""A member's name and which of its duplicates it is."""


def objects(
    pair: Pair, path: str, built: Node, captured: Node, ledger: Ledger, value: Value
) -> None:
    """Compare two objects member by member; where order is free it is masked, not compared."""
    ours, theirs = _members(built), _members(captured)
    order = [name for name in ours if name in theirs]
    wire = [name for name in theirs if name in ours]
    free = path in pair.built.unordered
    keys = None if order == wire else ByteClass.MASKED if free else ByteClass.DIFFERENT
    if keys is ByteClass.DIFFERENT:
        ledger.differ(_order(path, order, wire, pair.origin_at(built.start)), 0)
    missing = [name for name in theirs if name not in ours]
    _frame(pair, path, (built, captured), len(missing) * 2, ledger)
    for name in missing:
        _missing(_below(path, name), (theirs[name].end - theirs[name].start), theirs[name], ledger)
    extra = [name for name in ours if name not in theirs]
    with _Copied(pair, built, ledger) as copied:
        for name in [*wire, *extra] if free else ours:
            copied.separate()
            _member(pair, _below(path, name), (ours[name], theirs.get(name), keys), ledger)
            if name in theirs:
                value(pair, _below(path, name), ours[name].value, theirs[name].value, ledger)


def _below(path: str, name: _Name) -> str:
    return f"{path}/{escape(name[0])}"


def _members(node: Node) -> dict[_Name, Member]:
    found: dict[_Name, Member] = {}
    times: dict[str, int] = {}
    for member in node.members:
        times[member.name] = times.get(member.name, 0) + 1
        found[member.name, times[member.name]] = member
    return found


def _order(
    path: str, ours: Sequence[_Name], theirs: Sequence[_Name], origin: Origin | None
) -> Difference:
    first = next(at for at, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1])
    spelled = [
        ", ".join(name for name, _ in names[first:])[: leaf.EXCERPT] for names in (ours, theirs)
    ]
    return Difference(path, "reordered-keys", origin, 0, *spelled)


def _member(
    pair: Pair,
    path: str,
    members: tuple[Member, Member | None, ByteClass | None],
    ledger: Ledger,
) -> None:
    """Compare a member's key; of one that is not captured, copy the value as well."""
    built, captured, keys = members
    colon = pair.origin_at(built.end)
    if captured is None:
        ledger.differ(_extra(pair, path, built.value), 0)
        pair.copy(built.start, built.end, ledger)
        ledger.emit(b":", colon)
        pair.copy(built.value.start, built.value.end, ledger)
        return
    size = captured.end - captured.start
    if pair.built.body[built.start : built.end] != pair.captured[captured.start : captured.end]:
        ledger.differ(Difference(path, "encoding", pair.origin_at(built.start)), size)
        pair.copy(built.start, built.end, ledger)
    elif keys is None:
        pair.equal(built.start, built.end, captured.start, ledger)
    else:
        ledger.count(keys, size)
        pair.copy(built.start, built.end, ledger)
    ledger.emit(b":", colon)


def _frame(pair: Pair, path: str, nodes: tuple[Node, Node], foreign: int, ledger: Ledger) -> None:
    """Count the punctuation of a captured container; `foreign` bytes of it we have no like of."""
    built, captured = nodes
    parts = _parts(captured)
    size = captured.end - captured.start - sum(item.end - item.start for item in parts)
    expected = 2 + len(captured.members) + max(len(captured.members or captured.items) - 1, 0)
    ours, theirs = _blanks(pair.built.body, built), _blanks(pair.captured, captured)
    foreign = min(foreign, expected - 2)
    origin = pair.origin_at(built.start)
    ledger.count(ByteClass.DIFFERENT, foreign)
    if ours == theirs:
        ledger.count_origin(origin, size - foreign)
        return
    ledger.count_origin(origin, expected - foreign)
    ledger.differ(Difference(path, "encoding", origin), size - expected)


def _parts(node: Node) -> list[Member | Node]:
    """Keys and values of an object, or the items of an array, in the order written."""
    found: list[Member | Node] = [*node.items]
    for member in node.members:
        found += [member, member.value]
    return found


def _blanks(body: bytes, node: Node) -> list[tuple[int, bytes]]:
    """White space between a container's parts, with the number of the gap it stands in."""
    parts = _parts(node)
    starts = [node.start, *(part.end for part in parts)]
    ends = [*(part.start for part in parts), node.end]
    gaps = (body[start:end].strip(b"{}[],:") for start, end in zip(starts, ends, strict=True))
    return [(number, gap) for number, gap in enumerate(gaps) if gap]


class _Copied:
    """Puts a built container's punctuation into the filled body."""

    def __init__(self, pair: Pair, built: Node, ledger: Ledger) -> None:
        self._pair, self._built, self._ledger = pair, built, ledger
        self._first = True

    def __enter__(self) -> Self:
        self._pair.copy(self._built.start, self._built.start + 1, self._ledger)
        return self

    def __exit__(self, *_: object) -> None:
        self._pair.copy(self._built.end - 1, self._built.end, self._ledger)

    def separate(self) -> None:
        """Stand a comma before every part but the first."""
        if not self._first:
            self._ledger.emit(b",", self._pair.origin_at(self._built.start))
        self._first = False


def arrays(
    pair: Pair, path: str, built: Node, captured: Node, ledger: Ledger, value: Value
) -> None:
    """Compare two arrays; one missing item is one difference, wherever it stands."""
    paired = _paired(pair, path, (built, captured), ledger, value)
    alone = sum(1 for left, _ in paired if left is None)
    _frame(pair, path, (built, captured), alone, ledger)
    with _Copied(pair, built, ledger) as copied:
        for left, right in paired:
            if left is not None:
                copied.separate()
            if left is not None and right is not None:
                ours, theirs = built.items[left], captured.items[right]
                value(pair, f"{path}/{right}", ours, theirs, ledger)
            elif left is not None:
                ours = built.items[left]
                ledger.differ(_extra(pair, f"{path}/{left}", ours), 0)
                pair.copy(ours.start, ours.end, ledger)
            elif right is not None:
                _missing(f"{path}/{right}", 0, captured.items[right], ledger)


def _paired(
    pair: Pair, path: str, nodes: tuple[Node, Node], ledger: Ledger, value: Value
) -> Sequence[align.Pair]:
    built, captured = nodes[0].items, nodes[1].items
    unseen = pair.unseen()
    memo: dict[align.Pair, bool] = {}

    def same(left: int, right: int) -> bool:
        if (left, right) not in memo:
            memo[left, right] = built[left].kind == captured[right].kind
            try:
                if memo[left, right]:
                    where = f"{path}/{right}"
                    value(unseen, where, built[left], captured[right], ledger.trial())
            except Unequal:
                memo[left, right] = False
        return memo[left, right]

    if len(built) == len(captured):
        straight = [(number, number) for number in range(len(built))]
        if len(built) < 2 or sum(not same(*both) for both in straight) < 2:
            return straight
    return align.pairs(len(built), len(captured), same)


def _missing(path: str, key: int, found: Node | Member, ledger: Ledger) -> None:
    node = found.value if isinstance(found, Member) else found
    difference = Difference(path, "missing", None, 0, "", excerpt(node.raw))
    ledger.differ(difference, key + node.end - node.start)


def _extra(pair: Pair, path: str, node: Node) -> Difference:
    return Difference(path, "extra", pair.main_origin(node), 0, excerpt(node.raw))
