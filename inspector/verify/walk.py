"""Walking a built and a captured body in parallel.

Strategy: equal stretches of bytes are settled whole, by the origins of the built side; only where
the bytes part does the walk go down, and there every byte of the capture is counted at the
smallest value that holds it.
"""

from collections.abc import Sequence

from inspector.jsontext import Node
from inspector.text import ByteClass, Kind, Known, Run
from inspector.verify import leaf
from inspector.verify.containers import arrays, objects
from inspector.verify.ledger import Difference, KnownSpan, Ledger
from inspector.verify.pair import Pair, any_kind
from inspector.verify.strings import number, strings


def value(pair: Pair, path: str, built: Node, captured: Node, ledger: Ledger) -> None:
    """Compare two values, wherever they stand."""
    if pair.seen is None:
        _value(pair, path, built, captured, ledger)
        return
    before = ledger.total()
    _value(pair, path, built, captured, ledger)
    pair.seen(path, built, captured, ledger.total() - before)


def _value(pair: Pair, path: str, built: Node, captured: Node, ledger: Ledger) -> None:
    runs = pair.runs(built.start, built.end)
    whole = _whole(runs, built)
    if whole is not None:
        _stand_in(pair, path, whole, (built, captured), ledger)
    elif _settled(pair, built, captured, runs):
        pair.equal(built.start, built.end, captured.start, ledger)
    elif built.kind != captured.kind:
        pair.changed(path, built, captured, ledger)
    else:
        _unequal(pair, path, built, captured, ledger)


def _unequal(pair: Pair, path: str, built: Node, captured: Node, ledger: Ledger) -> None:
    match built.kind:
        case "object":
            objects(pair, path, built, captured, ledger, value)
        case "array":
            arrays(pair, path, built, captured, ledger, value)
        case "string":
            strings(pair, path, built, captured, ledger)
        case "number":
            number(pair, path, built, captured, ledger)
        case _:
            pair.changed(path, built, captured, ledger)


def _settled(pair: Pair, built: Node, captured: Node, runs: Sequence[Run]) -> bool:
    if pair.seen is not None and captured.kind in {"object", "array"}:
        return False
    return not any_kind(runs, Kind.MASK, Kind.ADOPTED) and built.raw == captured.raw


def _whole(runs: Sequence[Run], node: Node) -> Run | None:
    """The run that stands for a whole value (quotes included), if it is no text of ours."""
    if len(runs) != 1 or runs[0].start > node.start or runs[0].end < node.end:
        return None
    return runs[0] if runs[0].origin.kind in {Kind.KNOWN, Kind.ADOPTED} else None


def _stand_in(pair: Pair, path: str, run: Run, nodes: tuple[Node, Node], ledger: Ledger) -> None:
    built, captured = nodes
    size = captured.end - captured.start
    if not isinstance(run.origin, Known):
        ledger.differ(Difference(path, "adopted", run.origin), size)
        ledger.emit(f'"⟦adopted {size}⟧"'.encode(), run.origin)
        return
    placeholder = b'"' + leaf.encode(run.origin.placeholder) + b'"'
    sealed = captured.raw == placeholder
    if not sealed and not run.origin.names(captured.text):
        pair.changed(path, built, captured, ledger)
        return
    ledger.count(ByteClass.KNOWN, size)
    ledger.known.append(KnownSpan(captured.start, captured.end, run.origin, sealed))
    # Words at hand are ours; where we have none, the digest says that the capture holds them.
    words = captured.raw if built.raw == placeholder else built.raw
    ledger.emit(words, run.origin, sealed=words == placeholder)
