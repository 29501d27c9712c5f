"""The mutation law: whatever changes in a capture, verify must say so there.

One character of every string, every number, constant and key is changed in turn. So that a body
costs seconds and not hours, only the smallest value that verify walked around the change is
compared again, by verify's own walk; every so many mutations the whole body is.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from inspector.jsontext import Member, Node, escape, parse
from inspector.text import Built
from inspector.verify import Counts, RequestReport, compare
from inspector.verify.ledger import Ledger
from inspector.verify.pair import Pair
from inspector.verify.walk import value

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
    missed: list[str] = field(default_factory=list[str])

    @property
    def percent(self) -> float:
        """Share of the mutations that verify noticed."""
        return 100 * (self.tried - len(self.missed)) / self.tried if self.tried else 100.0


# --- what is changed -----------------------------------------------------------------------------


def mutations(
    body: bytes, masked: tuple[tuple[int, int], ...] = (), tally: Tally | None = None
) -> Iterator[Mutation]:
    """One change in every string, number, constant and key; masked spans are left alone."""
    for path, node in parse(body).walk():
        for member in node.members:
            yield _key(f"{path}/{escape(member.name)}", member, body)
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


def hold(request: RequestReport, tally: Tally) -> None:
    """Put one verified request to the law."""
    assert request.built is not None
    law = _Law(request.built, request.captured, request.before)
    masked = request.comparison.masked_spans
    adopted = {item.path for item in request.comparison.differences if item.verdict == "adopted"}
    for number, mutation in enumerate(mutations(request.captured, masked, tally)):
        if mutation.path in adopted:
            tally.adopted += 1
            continue
        tally.tried += 1
        noticed = law.noticed(mutation)
        if noticed and number % WHOLE_EVERY == 0:
            noticed = law.noticed_whole(mutation)
        if not noticed:
            tally.missed.append(f"#{request.number} {mutation.path}")


class _Law:
    def __init__(self, built: Built, captured: bytes, before: Mapping[str, str]) -> None:
        self._built, self._captured, self._before = built, captured, before
        self._walked: dict[str, tuple[Node, Node]] = {}
        comparison = compare(built, captured, before, seen=self._note)
        self._masks = comparison.masks
        self._differences = {
            item.path for item in comparison.differences if item.verdict != "adopted"
        }

    def _note(self, path: str, built: Node, captured: Node, _: Counts) -> None:
        self._walked[path] = built, captured

    def noticed(self, mutation: Mutation) -> bool:
        """Whether the smallest walked value around the change is no longer equal."""
        path = mutation.path
        while True:
            built, captured = self._walked.get(path, (None, None))
            inside = captured and captured.start <= mutation.start and mutation.end <= captured.end
            if built is not None and captured is not None and inside:
                return self._differs(path, built, captured, mutation)
            if path in self._differences:
                return True
            if not path:
                return False
            path = path.rpartition("/")[0]

    def _differs(self, path: str, built: Node, captured: Node, mutation: Mutation) -> bool:
        start = captured.start
        moved = replace(mutation, start=mutation.start - start, end=mutation.end - start)
        changed = parse(moved.applied(captured.raw))
        ledger = Ledger(masks=dict(self._masks))
        value(Pair(self._built, changed.source.data), path, built, changed, ledger)
        return any(item.verdict != "adopted" for item in ledger.differences)

    def noticed_whole(self, mutation: Mutation) -> bool:
        """Whether the whole comparison names the place, or a value around it."""
        body = mutation.applied(self._captured)
        comparison = compare(self._built, body, self._before)
        return any(_near(item.path, mutation.path) for item in comparison.differences)


def _near(path: str, changed: str) -> bool:
    """Whether a difference stands at a change, around it, or beside it (a key that became another)."""
    return (
        f"{changed}/".startswith(f"{path}/")
        or path.rpartition("/")[0] == changed.rpartition("/")[0]
    )
