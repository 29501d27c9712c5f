"""Comparing two JSON strings, and filling masks and known texts into the built one."""

from collections.abc import Sequence

from inspector.jsontext import Node
from inspector.text import ByteClass, Known, Mask
from inspector.verify import leaf
from inspector.verify.ledger import Difference, KnownSpan, Ledger
from inspector.verify.pair import Pair


def strings(pair: Pair, path: str, built: Node, captured: Node, ledger: Ledger) -> None:
    """Compare a built string that may hold masks and known texts with a captured one."""
    low, high = built.start + 1, built.end - 1
    parts = list(leaf.stretches(pair.built.body, low, high, pair.runs(low, high)))
    raw, text = captured.raw[1:-1], captured.string
    found = leaf.match(parts, text, ledger.masks)
    spelled = [_spelled(pair, *both) for both in zip(parts, found or (), strict=False)]
    verdict = _verdict(parts, found, b"".join(spelled) == raw, ledger)
    if not verdict:
        return _fill(pair, path, (built, captured), (parts, spelled), ledger)
    ledger.unequal()
    ledger.differ(_difference(pair, path, verdict, (built, parts, text), ledger), len(raw) + 2)
    pair.copy(built.start, built.end, ledger)
    return None


def _spelled(pair: Pair, part: leaf.Stretch, text: str) -> bytes:
    """The bytes that must stand in the capture: our own, or the canonical ones of matched text."""
    own = pair.built.body[part.start : part.end]
    if part.literal:
        return own
    if isinstance(part.origin, Known) and part.origin.placeholder not in {part.text, text}:
        return own
    return leaf.encode(text)


def _verdict(
    parts: Sequence[leaf.Stretch], found: Sequence[str] | None, same: bool, ledger: Ledger
) -> str:
    """What is wrong with a captured string; empty when nothing is."""
    if found is None or not leaf.consistent(parts, found):
        return "changed"
    if not same:
        return "encoding"
    return "repeated-id" if leaf.repeats(parts, found, ledger.masks) else ""


def number(pair: Pair, path: str, built: Node, captured: Node, ledger: Ledger) -> None:
    """Compare a built number with a captured one; a masked number matches by its pattern."""
    runs = pair.runs(built.start, built.end)
    parts = list(leaf.stretches(pair.built.body, built.start, built.end, runs))
    mask = parts[0].origin if len(parts) == 1 else None
    if not isinstance(mask, Mask) or leaf.match(parts, captured.text, ledger.masks) is None:
        pair.changed(path, built, captured, ledger)
    elif leaf.repeats(parts, [captured.text], ledger.masks):
        pair.changed(path, built, captured, ledger, "repeated-id")
    else:
        _mask(mask, captured.raw, captured.start, ledger)


def _difference(
    pair: Pair,
    path: str,
    verdict: str,
    sides: tuple[Node, Sequence[leaf.Stretch], str],
    ledger: Ledger,
) -> Difference:
    built, parts, text = sides
    at, part = leaf.parting(parts, text, ledger.masks)
    spelled = "".join(stretch.text for stretch in parts)
    ours = spelled[at : at + leaf.EXCERPT]
    if part is not None and not part.literal:
        ours = part.text[: leaf.EXCERPT]
    origin = pair.origin_at(built.start) if part is None else part.origin
    return Difference(path, verdict, origin, at, ours, text[at : at + leaf.EXCERPT])


def _fill(
    pair: Pair,
    path: str,
    nodes: tuple[Node, Node],
    found: tuple[Sequence[leaf.Stretch], Sequence[bytes]],
    ledger: Ledger,
) -> None:
    """Copy our own bytes; only masks, and known texts not at hand, are filled from the capture."""
    quotes = pair.origin_at(nodes[0].start)
    ledger.count_origin(quotes, 2)
    ledger.emit(b'"', quotes)
    place = nodes[1].start + 1
    for part, data in zip(*found, strict=True):
        if isinstance(part.origin, Known):
            at_hand = pair.built.body[part.start : part.end]
            _known(part.origin, at_hand, data, place, ledger)
        elif isinstance(part.origin, Mask):
            _mask(part.origin, data, place, ledger)
        elif part.literal:
            ledger.count_origin(part.origin, len(data))
            ledger.emit(data, part.origin, part.at)
        else:
            ledger.differ(Difference(path, "adopted", part.origin), len(data))
            ledger.emit(f"⟦adopted {len(data)}⟧".encode(), part.origin, part.at)
        place += len(data)
    ledger.emit(b'"', quotes)


def _known(known: Known, at_hand: bytes, data: bytes, place: int, ledger: Ledger) -> None:
    placeholder = leaf.encode(known.placeholder)
    sealed = data == placeholder
    ledger.count(ByteClass.KNOWN, len(data))
    ledger.known.append(KnownSpan(place, place + len(data), known, sealed))
    words = data if at_hand == placeholder else at_hand
    ledger.emit(words, known, sealed=words == placeholder)


def _mask(mask: Mask, data: bytes, place: int, ledger: Ledger) -> None:
    again = mask.recurs and mask.name in ledger.masks
    if mask.recurs:
        ledger.masks.setdefault(mask.name, leaf.decode(data))
    ledger.count(ByteClass.REBUILT if again else ByteClass.MASKED, len(data))
    if not again:
        ledger.masked.append((place, place + len(data)))
    ledger.emit(data, mask)
