"""Headers are judged apart from the body.

Rule: headers are a list, not a mapping: every captured one is held against one claim at most, and a
claimed name that comes once more than claimed is a difference.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from inspector.session import Headers
from inspector.text import Kind, Mask, Text
from inspector.verify import leaf
from inspector.verify.ledger import MaskState


@dataclass(frozen=True, slots=True)
class HeaderReport:
    """How the headers a builder claims stand against the captured ones."""

    equal: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    """Claimed and not so on the wire, or on the wire once more than claimed."""
    unclaimed: tuple[str, ...] = field(default=())
    """Captured headers the builder says nothing about (connection, lengths, keys)."""
    reordered: tuple[str, ...] = ()
    """Claimed headers that stand in another order on the wire."""


@dataclass(slots=True)
class _Wire:
    """The captured headers that no claim has taken yet, by place."""

    left: dict[int, tuple[str, str]]
    masks: dict[str, str]

    def take(self, name: str, value: Text) -> tuple[int, str]:
        """The place and verdict of a claim; place -1 where nothing has the name."""
        named = [at for at, (other, _) in self.left.items() if other == name]
        verdicts = [(at, self._verdict(value, self.left[at][1])) for at in named]
        fits = (found for found in verdicts if found[1] != "different")
        at, verdict = next(fits, verdicts[0] if verdicts else (-1, "different"))
        if at >= 0:
            self._remember(value, self.left.pop(at)[1], verdict)
        return at, verdict

    def _verdict(self, value: Text, captured: str) -> str:
        parts = _stretches(value)
        texts = leaf.match(parts, captured, self.masks)
        if texts is None or leaf.repeats(parts, texts, self.masks):
            return "different"
        loose = any(isinstance(part.origin, Mask) or _adopted(part) for part in parts)
        return "masked" if loose else "equal"

    def _remember(self, value: Text, captured: str, verdict: str) -> None:
        """An id that a header showed must come again like one that a body showed."""
        if verdict == "masked":
            parts = _stretches(value)
            texts = leaf.match(parts, captured, self.masks) or ()
            self.masks |= leaf.recurring(parts, texts, self.masks)


def judge(
    built: Sequence[tuple[str, Text]], captured: Headers, masks: MaskState
) -> tuple[HeaderReport, MaskState]:
    """Compare claimed headers by name (case as on the wire), value and order.

    The mask values come back with those that a header showed first.
    """
    wire = _Wire(dict(enumerate(captured)), dict(masks))
    found: dict[str, list[str]] = {"equal": [], "masked": [], "different": []}
    places: list[tuple[int, str]] = []
    for name, value in built:
        at, verdict = wire.take(name, value)
        found[verdict].append(name)
        if at >= 0:
            places.append((at, name))
    claimed = {name.lower() for name, _ in built}
    named = {name.lower() for name in found["different"]}
    left = [name for name, _ in wire.left.values()]
    surplus = [name for name in left if name.lower() in claimed - named]
    report = HeaderReport(
        tuple(found["equal"]),
        tuple(found["masked"]),
        (*found["different"], *surplus),
        tuple(name for name in left if name not in surplus),
        tuple(_out_of_order(places)),
    )
    return report, wire.masks


def _stretches(value: Text) -> list[leaf.Stretch]:
    return [leaf.Stretch(piece.text, piece.origin, piece.at, 0, 0) for piece in value.pieces]


def _adopted(part: leaf.Stretch) -> bool:
    return part.origin is not None and part.origin.kind is Kind.ADOPTED


def _out_of_order(places: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The names outside a longest run of claims in wire order."""
    tails: list[int] = []
    lengths: list[int] = []
    for at, _ in places:
        lengths.append(bisect_left(tails, at))
        tails[lengths[-1] : lengths[-1] + 1] = [at]
    wanted, kept = len(tails) - 1, set[int]()
    limit = len(places) and max(at for at, _ in places) + 1
    for number in range(len(places) - 1, -1, -1):
        if lengths[number] == wanted and places[number][0] < limit:
            kept.add(number)
            wanted, limit = wanted - 1, places[number][0]
    yield from (name for number, (_, name) in enumerate(places) if number not in kept)
