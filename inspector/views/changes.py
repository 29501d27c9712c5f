"""The document of `diff`: each change with its source on both sides, and its words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from inspector.cache import Cause, Sent, Turn, report
from inspector.diff import Change, Compared, Edit, Rate, Side, edits
from inspector.jsontext import Node, pointer, tokens
from inspector.text import Kind, Origin
from inspector.verify import Place, places

CONTEXT = 30
"""Code points told on either side of an edit."""
_OWN = frozenset({Kind.FILE, Kind.LISTING, Kind.HOOK, Kind.PROMPT})


@dataclass(frozen=True, slots=True)
class Source:
    """Where a character of a request came from."""

    kind: str
    name: str
    line: int | None = None
    """Of a file, from 1; None where its text is not at hand."""

    @property
    def label(self) -> str:
        """`kind:name`, as the documents have it."""
        return f"{self.kind}:{self.name}"


@dataclass(slots=True)
class Origins:
    """The sources of one side, looked up where they are asked for."""

    side: Side | None
    _runs: dict[str, list[Place]] | None = field(default=None)

    def node(self, path: str | None, inside: str) -> Node | None:
        """The value at a place."""
        if self.side is None or path is None or self.side.prompt.dialect is None:
            return None
        whole = path + inside
        segment = self.side.prompt.at(whole)
        if segment is not None:
            return segment.value.find(whole.removeprefix(segment.path))
        name = next(iter(tokens(whole)), "")
        param = self.side.prompt.param(name)
        return None if param is None else param.find(whole.removeprefix(pointer(name)))

    def near(self, path: str | None, inside: Sequence[str]) -> Source | None:
        """The source of what parted inside a value, or else of the value."""
        found = (self.longest(f"{path}{place}") for place in inside if path is not None)
        return next((source for source in found if source is not None), None) or self.longest(path)

    def longest(self, path: str | None) -> Source | None:
        """The source of most at or below a place; what the user wrote comes first."""
        if path is None:
            return None
        runs = self._all()
        within = [run for at, found in runs.items() if _below(at, path) for run in found]
        own = [run for run in within if run.origin.kind in _OWN]
        sizes = Counter[Origin]()
        for run in own or within:
            sizes[run.origin] += run.end - run.start
        most = max(own or within, key=lambda run: (sizes[run.origin], _size(run)), default=None)
        return None if most is None else self._source(most, most.start)

    def within(self, path: str | None, start: int, end: int) -> Source | None:
        """The source of a stretch: what the user wrote of it, else of its first character."""
        runs = self._all().get(path, []) if path is not None else []
        inside = [run for run in runs if run.start < max(end, start + 1) and run.end > start]
        own = [run for run in inside if run.origin.kind in _OWN]
        if own:
            most = max(own, key=lambda run: min(run.end, end) - max(run.start, start))
            return self._source(most, max(most.start, start))
        # The end of a text belongs to what stands last in it.
        first = inside[0] if inside else runs[-1] if runs else None
        return None if first is None else self._source(first, start)

    def _all(self) -> dict[str, list[Place]]:
        if self._runs is None:
            self._runs = {}
            built = self.side.built if self.side is not None else None
            for place in places(built) if built is not None else ():
                self._runs.setdefault(place.path, []).append(place)
        return self._runs

    def _source(self, run: Place, offset: int) -> Source:
        line = None
        if run.origin.kind is Kind.FILE and self.side is not None and self.side.source is not None:
            text = self.side.source(run.origin.name)
            if text is not None:
                line = text.count("\n", 0, run.at + max(offset - run.start, 0)) + 1
        return Source(run.origin.kind.value, run.origin.name, line)


def parted(a: Origins, b: Origins, cause: Cause) -> Source | None:
    """Where the first words that changed in a block come from; else of the whole block."""
    path = cause.path
    if cause.alone or not path:
        return (a if cause.alone == "old" else b).longest(path or None)
    for inside in ("/text", "", "/content"):
        left, right = a.node(path, inside), b.node(path, inside)
        if left is not None and right is not None and {left.kind, right.kind} == {"string"}:
            for edit in edits(left.string, right.string):
                came = b.within(f"{path}{inside}", edit.start_b, edit.end_b)
                return came or a.within(f"{path}{inside}", edit.start_a, edit.end_a)
    return b.longest(path) or a.longest(path)


def document(compared: Sequence[Compared], rate: Rate) -> dict[str, Any]:
    """The document of `diff`."""
    changes = [row for pair in compared for row in rows(pair, rate)]
    counted = Counter(row["verdict"] for row in changes)
    return {"changes": changes, "counts": dict(sorted(counted.items())), "tokens": rate.document}


def rows(pair: Compared, rate: Rate) -> list[dict[str, Any]]:
    """The changes of one pair of requests."""
    a, b = Origins(pair.a), Origins(pair.b)
    broken = _break(pair)
    return [
        {**_row(pair, change, (a, b), rate), **_effect(change, broken)} for change in pair.changes
    ]


def _break(pair: Compared) -> Turn | None:
    """Where the cached prefix ends if B is sent after A; None where it does not break."""
    if pair.a is None or pair.b is None or not any(map(_may_break, pair.changes)):
        return None
    both = [Sent(side.name, side.prompt) for side in (pair.a, pair.b)]
    turns = report(both).turns
    return turns[1] if len(turns) > 1 and turns[1].change is not None else None


def _may_break(change: Change) -> bool:
    return not change.benign or (change.verdict == "volatile" and change.section != "params")


def _effect(change: Change, broken: Turn | None) -> dict[str, Any]:
    """What a change does to the cached prefix: the first one that breaks it, with what it costs."""
    if broken is None or broken.change is None or not broken.change.path:
        return {"cache_effect": None}
    path = broken.change.path
    paths = [at for at in (change.path_a, change.path_b) if at is not None]
    if not any(at == path or _below(at, path) or _below(path, at) for at in paths if at):
        return {"cache_effect": None}
    lost = broken.predicted.write + broken.predicted.uncached
    return {"cache_effect": {"cause": broken.change.rule, "bytes_sent_anew": lost}}


def _row(
    pair: Compared, change: Change, origins: tuple[Origins, Origins], rate: Rate
) -> dict[str, Any]:
    a, b = origins
    parted = _edits(change, a, b)
    first = parted[0] if parted else None
    source_a = first["source_a"] if first else _said(a.near(change.path_a, change.detail))
    source_b = first["source_b"] if first else _said(b.near(change.path_b, change.detail))
    return {
        "verdict": change.verdict,
        "benign": change.benign,
        "exchange_a": pair.a.name if pair.a else None,
        "exchange_b": pair.b.name if pair.b else None,
        "path_a": change.path_a,
        "path_b": change.path_b,
        "section": change.section,
        "requests": change.requests,
        "origin_a": _label(source_a),
        "origin_b": _label(source_b),
        "line_a": source_a["line"] if source_a else None,
        "line_b": source_b["line"] if source_b else None,
        "bytes": change.size,
        "tokens_estimate": rate.tokens(change.size),
        "inside": list(change.detail),
        "edits": parted,
    }


def _edits(change: Change, a: Origins, b: Origins) -> list[dict[str, Any]]:
    """The words that changed in each text of a pair, with their sources."""
    if change.verdict not in {"changed", "volatile"}:
        return []
    found: list[dict[str, Any]] = []
    for inside in change.detail or ("",):
        left, right = a.node(change.path_a, inside), b.node(change.path_b, inside)
        if left is None or right is None or {left.kind, right.kind} != {"string"}:
            found += _value(change, inside, (left, right), (a, b))
            continue
        paths = f"{change.path_a}{inside}", f"{change.path_b}{inside}"
        texts = left.string, right.string
        for edit in edits(*texts):
            sources = (
                a.within(paths[0], edit.start_a, edit.end_a),
                b.within(paths[1], edit.start_b, edit.end_b),
            )
            found.append({"inside": inside, **_edit(edit, *texts, *sources), "json": False})
    return found


def _value(
    change: Change,
    inside: str,
    nodes: tuple[Node | None, Node | None],
    sides: tuple[Origins, Origins],
) -> list[dict[str, Any]]:
    """What is no text on both sides, as JSON: what was there and what is there now."""
    before, after = ("" if node is None else node.text for node in nodes)
    if not before and not after:
        return []
    whole = Edit(0, len(before), 0, len(after))
    paths = change.path_a, change.path_b
    sources = (side.near(path, (inside,)) for side, path in zip(sides, paths, strict=True))
    return [{"inside": inside, **_edit(whole, before, after, *sources), "json": True}]


def _edit(
    edit: Edit, before: str, after: str, source_a: Source | None, source_b: Source | None
) -> dict[str, Any]:
    return {
        **asdict(edit),
        "before": before[edit.start_a : edit.end_a],
        "after": after[edit.start_b : edit.end_b],
        "lead": after[max(edit.start_b - CONTEXT, 0) : edit.start_b],
        "tail": after[edit.end_b : edit.end_b + CONTEXT],
        "source_a": _said(source_a),
        "source_b": _said(source_b),
    }


def _size(run: Place) -> int:
    return run.end - run.start


def _below(path: str, above: str) -> bool:
    return path == above or path.startswith(f"{above}/")


def _said(source: Source | None) -> dict[str, Any] | None:
    if source is None:
        return None
    return {"kind": source.kind, "name": source.name, "line": source.line}


def _label(source: dict[str, Any] | None) -> str | None:
    return None if source is None else f"{source['kind']}:{source['name']}"
