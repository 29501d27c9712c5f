"""Where each run of a body's text came from, by JSON pointer and code points."""

from collections.abc import Iterator
from dataclasses import dataclass

from inspector.jsontext import Node, parse
from inspector.text import Built, Origin
from inspector.verify import leaf
from inspector.verify.pair import Pair


@dataclass(frozen=True, slots=True)
class Place:
    """A run of text inside one value."""

    path: str
    start: int
    """Code points into the decoded string at `path` (into the raw text of other values)."""
    end: int
    origin: Origin
    at: int
    """Code points into the source."""
    sealed: bool = False


def places(built: Built) -> Iterator[Place]:
    """Every run with an origin, in wire order; keys are left out."""
    pair = Pair(built, built.body)
    for path, node in parse(built.body).walk():
        if node.kind == "string":
            yield from _string(pair, node, path)
        elif not node.members and not node.items:
            for run in pair.runs(node.start, node.end):
                yield Place(path, 0, len(node.text), run.origin, run.at, run.sealed)


def _string(pair: Pair, node: Node, path: str) -> Iterator[Place]:
    low, high = node.start + 1, node.end - 1
    runs = pair.runs(low, high)
    sealed = {run.start for run in runs if run.sealed}
    start = 0
    for part in leaf.stretches(pair.built.body, low, high, runs):
        end = start + len(part.text)
        if part.origin is not None:
            yield Place(path, start, end, part.origin, part.at, part.start in sealed)
        start = end
