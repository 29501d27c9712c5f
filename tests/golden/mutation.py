"""The mutation law: whatever changes in a capture, verify must say so there.

One character of every string, every number, constant and key is changed in turn; of every object and
array two parts are swapped, one is left out, one is put in. So that a body costs seconds and not hours,
only the smallest value that verify walked around the change is compared again, by verify's own walk;
every so many mutations the whole body is. What differs without a change proves nothing and is left out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from inspector.jsontext import Member, Node, escape, parse
from inspector.session import ExchangeKind
from inspector.text import Built
from inspector.verify import Counts, Difference, RequestReport, compare
from inspector.verify.ledger import Ledger, Unequal
from inspector.verify.pair import Pair
from inspector.verify.walk import value

_BUILT = frozenset({ExchangeKind.MAIN, ExchangeKind.COUNT_TOKENS})
"""The requests that builders must make."""

WHOLE_EVERY = 89
"""One mutation in so many is put through the whole comparison."""

_CONSTANTS = {b"true": b"false", b"false": b"true", b"null": b"true"}
_PLAIN = re.compile(rb"\\(?:u[0-9a-fA-F]{4}|.)|([A-Za-z0-9])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change: bytes `start` to `end` of the captured body become `data`."""

    path: str
    start: int
    end: int
    data: bytes
    inside: bool = False
    """Whether the change is in the frame of the container at `path`: its parts and their order."""

    def applied(self, body: bytes) -> bytes:
        """The changed body."""
        return body[: self.start] + self.data + body[self.end :]


@dataclass(slots=True)
class Tally:
    """How the law stands."""

    tried: int = 0
    masked: int = 0
    """Values that are nothing but a mask: no character can be held to anything."""
    adopted: int = 0
    """Values the builder could not make; each is a gap beside the recording."""
    different: int = 0
    """Changes inside a value that differs already: whether they are noticed nobody can say."""
    missed: list[str] = field(default_factory=list[str])

    @property
    def percent(self) -> float:
        """Share of the mutations that verify noticed."""
        return 100 * (self.tried - len(self.missed)) / self.tried if self.tried else 100.0


def built(request: RequestReport) -> bool:
    """Whether a request is held to the laws: builders must make it, or one has."""
    return request.kind in _BUILT or request.built is not None


# --- what is changed -----------------------------------------------------------------------------


def mutations(
    body: bytes, masked: tuple[tuple[int, int], ...] = (), tally: Tally | None = None
) -> Iterator[Mutation]:
    """One change in every string, number, constant and key; masked spans are left alone."""
    for path, node in parse(body).walk():
        for member in node.members:
            yield _key(f"{path}/{escape(member.name)}", member, body)
        yield from _frame(path, node, body)
        if node.kind in {"object", "array"}:
            continue
        found = _value(path, node, masked)
        if found is not None:
            yield found
        elif tally is not None:
            tally.masked += 1


def _value(path: str, node: Node, masked: tuple[tuple[int, int], ...]) -> Mutation | None:
    if node.kind == "string":
        return _string(path, node, masked)
    if any(low <= node.start and node.end <= high for low, high in masked):
        return None
    if node.kind != "number":
        return Mutation(path, node.start, node.end, _CONSTANTS[node.raw])
    digit = max(at for at, char in enumerate(node.raw) if chr(char).isdigit())
    at = node.start + digit
    return Mutation(path, at, at + 1, _next(node.raw[digit : digit + 1]))


def _key(path: str, member: Member, body: bytes) -> Mutation:
    places = _characters(body[member.start + 1 : member.end - 1])
    if not places:
        return Mutation(path, member.end - 1, member.end - 1, b"x")
    at = member.start + 1 + places[len(places) // 2]
    return Mutation(path, at, at + 1, _next(body[at : at + 1]))


def _frame(path: str, node: Node, body: bytes) -> Iterator[Mutation]:
    """Two parts swapped, one left out, one put in."""
    if node.kind not in {"object", "array"}:
        return
    first = b'"+new":0' if node.kind == "object" else b'"+new"'
    spans = [(member.start, member.value.end) for member in node.members]
    spans += [(item.start, item.end) for item in node.items]
    comma = b"," if spans else b""
    yield Mutation(path, node.start + 1, node.start + 1, first + comma, inside=True)
    if not spans:
        return
    middle = len(spans) // 2
    start, end = spans[middle]
    if middle:
        low, high = spans[middle - 1]
        yield Mutation(path, high, end, b"", inside=True)
        swapped = body[start:end] + body[high:start] + body[low:high]
        if body[start:end] != body[low:high]:
            yield Mutation(path, low, end, swapped, inside=True)
    else:
        yield Mutation(path, start, end, b"", inside=True)


def _string(path: str, node: Node, masked: tuple[tuple[int, int], ...]) -> Mutation | None:
    inside = [span for span in masked if span[0] < node.end and node.start < span[1]]
    places = (node.start + 1 + place for place in _characters(node.raw[1:-1]))
    free = [at for at in places if not any(low <= at < high for low, high in inside)]
    if free:
        at = free[len(free) // 2]
        return Mutation(path, at, at + 1, _next(node.raw[at - node.start : at - node.start + 1]))
    if inside:
        return None
    return Mutation(path, node.end - 1, node.end - 1, b"x")


def _characters(raw: bytes) -> list[int]:
    return [match.start(1) for match in _PLAIN.finditer(raw) if match[1]]


def _next(char: bytes) -> bytes:
    """Another character of the same sort, so that the text stays JSON."""
    turns = {b"9": b"1", b"z": b"a", b"Z": b"A", b"0": b"1"}
    return turns.get(char) or bytes([char[0] + 1])


# --- what verify says ----------------------------------------------------------------------------


_COVERING = frozenset(
    {"changed", "missing", "repeated-id", "not-json", "sha256", "masked-too-much"}
)
"""Verdicts on a value as a whole: nothing below is compared."""


def hold(request: RequestReport, tally: Tally) -> None:
    """Put one verified request to the law."""
    assert request.built is not None
    law = _Law(request.built, request.captured, request.before)
    masked = request.comparison.masked_spans
    for number, mutation in enumerate(mutations(request.captured, masked, tally)):
        if law.left_out(mutation, tally):
            continue
        tally.tried += 1
        noticed = law.noticed(mutation)
        if noticed and number % WHOLE_EVERY == 0:
            noticed = law.noticed_whole(mutation)
        if not noticed:
            how = f" ({mutation.data[:20]!r} for {mutation.end - mutation.start} bytes)"
            tally.missed.append(
                f"#{request.number} {mutation.path}{how if mutation.inside else ''}"
            )


class _Law:
    def __init__(self, built: Built, captured: bytes, before: Mapping[str, str]) -> None:
        self._built, self._captured, self._before = built, captured, before
        self._walked: dict[str, tuple[Node, Node]] = {}
        self._plain: dict[str, Counter[Difference]] = {}
        """What differs in a walked value as it is."""
        comparison = compare(built, captured, before, seen=self._note)
        self._masks = comparison.masks
        self._differences = Counter(comparison.differences)
        paths = {name: set[str]() for name in ("adopted", "different")}
        for item in comparison.differences:
            leaf = item.verdict == "encoding" and not self._holds_values(item.path)
            if item.verdict == "adopted":
                paths["adopted"].add(item.path)
            elif leaf or item.verdict in _COVERING:
                paths["different"].add(item.path)
        self._adopted, self._different = paths["adopted"], paths["different"]

    def _note(self, path: str, built: Node, captured: Node, _: Counts) -> None:
        self._walked[path] = built, captured

    def _holds_values(self, path: str) -> bool:
        return path in self._walked and self._walked[path][1].kind in {"object", "array"}

    def left_out(self, mutation: Mutation, tally: Tally) -> bool:
        """Whether nobody can say if a change is noticed; counts why."""
        around = set(_around(mutation.path))
        tally.adopted += (adopted := bool(around & self._adopted))
        tally.different += (different := not adopted and bool(around & self._different))
        free = not adopted and not different and self._swaps_freely(mutation)
        tally.masked += free
        return adopted or different or free

    def _swaps_freely(self, mutation: Mutation) -> bool:
        """Whether it is a swap in a map whose order is random."""
        same = len(mutation.data) == mutation.end - mutation.start
        return mutation.inside and same and mutation.path in self._built.unordered

    def noticed(self, mutation: Mutation) -> bool:
        """Whether the smallest walked value around the change differs where it did not."""
        for path in _around(mutation.path):
            built, captured = self._walked.get(path, (None, None))
            inside = captured and captured.start <= mutation.start and mutation.end <= captured.end
            if built is not None and captured is not None and inside:
                return self._differs(path, built, captured, mutation)
        return False

    def _differs(self, path: str, built: Node, captured: Node, mutation: Mutation) -> bool:
        start = captured.start
        moved = replace(mutation, start=mutation.start - start, end=mutation.end - start)
        if path not in self._plain:
            self._plain[path] = self._found(path, built, captured.raw)
        raw, plain = moved.applied(captured.raw), self._plain[path]
        return (
            bool(self._found(path, built, raw) - plain) if plain else self._parts(path, built, raw)
        )

    def _found(self, path: str, built: Node, raw: bytes) -> "Counter[Difference]":
        ledger = Ledger(masks=dict(self._masks))
        self._walk(path, built, raw, ledger)
        return Counter(ledger.differences)

    def _parts(self, path: str, built: Node, raw: bytes) -> bool:
        """Whether the same walk finds any difference; it ends at the first."""
        try:
            self._walk(path, built, raw, Ledger(masks=dict(self._masks)).trial())
        except Unequal:
            return True
        return False

    def _walk(self, path: str, built: Node, raw: bytes, ledger: Ledger) -> None:
        changed = parse(raw)
        value(Pair(self._built, changed.source.data), path, built, changed, ledger)

    def noticed_whole(self, mutation: Mutation) -> bool:
        """Whether the whole comparison names the place, or a value around it."""
        body = mutation.applied(self._captured)
        comparison = compare(self._built, body, self._before)
        new = Counter(comparison.differences) - self._differences
        return any(_near(item.path, mutation) for item in new)


def _around(path: str) -> Iterator[str]:
    """The path and all above it, the nearest first."""
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path


def _near(path: str, mutation: Mutation) -> bool:
    """Whether a difference stands at a change, around it, or beside it (a key that became another)."""
    changed = mutation.path
    if mutation.inside and f"{path}/".startswith(f"{changed}/"):
        return True
    beside = path.rpartition("/")[0] == changed.rpartition("/")[0]
    return f"{changed}/".startswith(f"{path}/") or beside
