"""A session as the cache model reads it, judged, and where its breaks come from."""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inspector import lint, named, views, wire, words
from inspector.cache import Finding, Report, Sent, Usage, report
from inspector.errors import BadInput
from inspector.session import Exchange, ExchangeKind, Recording
from inspector.text import Kind
from inspector.views.changes import Origins, Source, parted


@dataclass(frozen=True, slots=True)
class Judged:
    """A conversation, what the rules say of it, and where its breaks come from."""

    sent: tuple[Sent, ...]
    report: Report
    origins: Mapping[str, Source]
    """By exchange."""
    cwd: str = ""
    """Where the client ran; empty where nobody knows."""

    def finding(self, found: Finding) -> lint.Finding:
        """A finding by the file it comes from, or else by the place in the request."""
        number = 1 + [turn.exchange for turn in self.report.turns].index(found.exchange)
        source = self.origins.get(found.exchange) if found.path else None
        severity = lint.Severity(found.severity)
        if source is None or source.kind != Kind.FILE.value:
            said = f"{source.label}: " if source is not None else ""
            message = f"request {number}: {said}{found.message}"
            return lint.Finding(found.rule, severity, message, f"request {found.path}".strip())
        below = source.name.startswith(f"{self.cwd.rstrip('/')}/") if self.cwd else False
        path = posixpath.relpath(source.name, self.cwd) if below else source.name
        message = f"request {number} {found.path}: {found.message}"
        return lint.Finding(found.rule, severity, message, path, source.line)

    def findings(self) -> list[lint.Finding]:
        """All of them, as baselines, SARIF and annotations take them."""
        return [self.finding(item) for item in self.report.findings]


def judged(name: str, found: named.Found) -> Judged:
    """Judge a session together with those it goes on from. Raises `BadInput`."""
    sent = [item for recording in (*found.earlier, found.recording) for item in requests(recording)]
    if not sent:
        raise BadInput(f"{name}: no main request in it; see `inspector show {name}`")
    said = report(sent)
    kept = found.recording.snapshot
    cwd = kept.environment.cwd if kept is not None else ""
    return Judged(tuple(sent), said, _origins(found, said), cwd)


def requests(recording: Recording) -> Iterator[Sent]:
    """The main requests of a session; of those on a WebSocket what they stand for."""
    parent, compacted = None, False
    for exchange in recording.exchanges:
        if exchange.kind is ExchangeKind.COMPACTION:
            compacted = True
        if exchange.kind is not ExchangeKind.MAIN:
            continue
        try:
            body = named.joined_request(exchange, recording)
        except BadInput:
            continue
        parent = wire.split(body, parent=parent)
        session = recording.session.id
        yield Sent(exchange.id, parent, exchange.started, _usage(exchange), session, compacted)
        compacted = False


def _usage(exchange: Exchange) -> Usage | None:
    """What the API said it read and wrote."""
    row = views.exchange_row(exchange)["usage"]
    if row is None or row["input"] is None:
        return None
    read, write = row["cache_read"] or 0, row["cache_write"] or 0
    return Usage(read, write, row["input"], row["output"] or 0)


def _origins(found: named.Found, said: Report) -> dict[str, Source]:
    """Where the first change of each break comes from, by exchange; of the sessions at hand."""
    broken = {turn.exchange: turn.change for turn in said.turns if turn.change is not None}
    if not broken:
        return {}
    known = words.load()
    sources: dict[str, Source] = {}
    sides = [
        side
        for index in range(len(found.earlier) + 1)
        for side in named.model_sides(named.part(found, index), known)
    ]
    for before, side in zip([None, *sides], sides, strict=False):
        change = broken.get(side.name)
        if change is not None:
            source = parted(Origins(before), Origins(side), change)
            sources |= {side.name: source} if source is not None else {}
    return sources
