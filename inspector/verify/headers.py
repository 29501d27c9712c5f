"""Headers are judged apart from the body."""

from collections.abc import Sequence
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
    unclaimed: tuple[str, ...] = field(default=())
    """Captured headers the builder says nothing about (connection, lengths, keys)."""


def judge(built: Sequence[tuple[str, Text]], captured: Headers, masks: MaskState) -> HeaderReport:
    """Compare claimed headers by name (case as on the wire) and value."""
    left = dict(captured)
    found: dict[str, list[str]] = {"equal": [], "masked": [], "different": []}
    for name, value in built:
        found[_verdict(value, left.pop(name, None), masks)].append(name)
    return HeaderReport(
        tuple(found["equal"]), tuple(found["masked"]), tuple(found["different"]), tuple(left)
    )


def _verdict(value: Text, captured: str | None, masks: MaskState) -> str:
    if captured is None:
        return "different"
    parts = [leaf.Stretch(piece.text, piece.origin, piece.at, 0, 0) for piece in value.pieces]
    fits = leaf.match(parts, captured, masks) is not None
    if not fits:
        return "different"
    loose = any(isinstance(part.origin, Mask) or _adopted(part) for part in parts)
    return "masked" if loose else "equal"


def _adopted(part: leaf.Stretch) -> bool:
    return part.origin is not None and part.origin.kind is Kind.ADOPTED
