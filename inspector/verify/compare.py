"""Holding one built body against one captured body."""

from inspector.jsontext import Node, parse
from inspector.text import Built, ByteClass
from inspector.verify.ledger import Comparison, Counts, Difference, Ledger, MaskState
from inspector.verify.pair import Pair, Seen, excerpt
from inspector.verify.walk import value

MASKED_LIMIT = 4096
"""Most bytes newly masked in one request; above it nothing is proven (design 8)."""


def compare(
    built: Built, captured: bytes, masks: MaskState | None = None, *, seen: Seen | None = None
) -> Comparison:
    """Count every byte of the capture in one class; `masks` are the values seen in the session.

    `seen` is called with path, both nodes and counted bytes of every value that was walked.
    """
    ledger = Ledger(masks=dict(masks or {}))
    try:
        theirs = parse(captured)
    except ValueError as error:
        where = Difference("", "not-json", None, 0, "", str(error))
        ledger.differ(where, len(captured))
        ledger.emit(built.body)
        return _done(built, ledger)
    ours = parse(built.body)
    _margins((built.body, captured), (ours, theirs), ledger)
    value(Pair(built, captured, seen), "", ours, theirs, ledger)
    _limit(ledger)
    return _done(built, ledger)


def _margins(bodies: tuple[bytes, bytes], nodes: tuple[Node, Node], ledger: Ledger) -> None:
    """Hold what stands around the two values against each other."""
    ours, theirs = (
        (body[: node.start], body[node.end :]) for body, node in zip(bodies, nodes, strict=True)
    )
    if ours != theirs:
        ledger.differ(Difference("", "encoding", None), sum(map(len, theirs)))
    else:
        ledger.count(ByteClass.REBUILT, sum(map(len, theirs)))


def _limit(ledger: Ledger) -> None:
    masked = ledger.counts.get(ByteClass.MASKED, 0)
    if masked > MASKED_LIMIT:
        del ledger.counts[ByteClass.MASKED]
        where = Difference("", "masked-too-much", None, 0, "", f"{masked} bytes")
        ledger.differ(where, masked)


def _done(built: Built, ledger: Ledger) -> Comparison:
    filled = ledger.filled(built.unordered)
    hidden = dict.fromkeys(run.origin.name for run in filled.runs if run.sealed)
    return Comparison(
        counts=ledger.total(),
        differences=tuple(ledger.differences),
        known_spans=tuple(ledger.known),
        masked_spans=tuple(ledger.masked),
        masks=ledger.masks,
        filled=filled,
        unfilled=tuple(hidden),
    )


def adopted(captured: bytes, masks: MaskState) -> Comparison:
    """The comparison of a request that was not built at all."""
    counts = Counts(adopted=len(captured))
    difference = Difference("", "adopted", None, 0, "", excerpt(captured))
    filled = Built(f'"⟦adopted {len(captured)}⟧"'.encode(), ())
    return Comparison(counts, (difference,), (), (), dict(masks), filled, ())
