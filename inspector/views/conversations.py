"""A session as the cache model reads it, judged, and where its breaks come from."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from inspector import named, profiles, views, wire, words
from inspector.cache import Finding, Report, Sent, Usage, renamed, report
from inspector.cache.heads import Heads, heads
from inspector.cache.upstream import upstream_of
from inspector.diff import Side
from inspector.errors import BadInput
from inspector.lint.finding import Finding as Told
from inspector.lint.finding import Severity
from inspector.session import Exchange, ExchangeKind, Recording
from inspector.text import Kind
from inspector.views.changes import Origins, Source, parted
from inspector.views.stale import stale
from inspector.wire.diagnosis import diagnosis

_CLIENTS = {"anthropic": "claude-code", "openai": "codex"}
"""Whose texts are looked for in requests of nobody we know."""
_MEMORY = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md")
_ANEW = frozenset({"HISTORY-EDITED", "SYSTEM-CHANGED"})


@dataclass(frozen=True, slots=True)
class Aside:
    """A conversation beside the main one: a sub-agent's, or side requests of one kind."""

    kind: str
    report: Report


@dataclass(frozen=True, slots=True)
class Judged:
    """A conversation, what the rules say of it, and where its breaks come from."""

    sent: tuple[Sent, ...]
    report: Report
    origins: Mapping[str, Source]
    """By exchange."""
    cwd: str = ""
    """Where the client ran; empty where nobody knows."""
    aside: tuple[Aside, ...] = ()

    def finding(self, found: Finding) -> Told:
        """A finding by the file it comes from, or else by the place in the request."""
        number = 1 + [turn.exchange for turn in self.report.turns].index(found.exchange)
        source = self.origins.get(found.exchange) if found.path else None
        severity = Severity(found.severity)
        price = f" ({found.cost.words})" if found.cost is not None else ""
        if source is None or source.kind != Kind.FILE.value:
            said = f"{source.label}: " if source is not None else ""
            message = f"request {number}: {said}{found.message}{price}"
            return Told(found.rule, severity, message, f"request {found.path}".strip())
        below = source.name.startswith(f"{self.cwd.rstrip('/')}/") if self.cwd else False
        path = posixpath.relpath(source.name, self.cwd) if below else source.name
        message = f"request {number} {found.path}: {found.message}{price}"
        return Told(found.rule, severity, message, path, source.line)

    def findings(self) -> list[Told]:
        """All of them, as baselines, SARIF and annotations take them."""
        return [self.finding(item) for item in self.report.findings]


def judged(name: str, found: named.Found, upstream: str | None = None) -> Judged:
    """Judge a session together with those it goes on from. Raises `BadInput`.

    `upstream`: the name of one, where it is not that of the requests' dialect.
    """
    sent = [item for recording in (*found.earlier, found.recording) for item in requests(recording)]
    if not sent:
        raise BadInput(f"{name}: no main request in it; see `inspector show {name}`")
    kept = found.recording.snapshot
    known = known_heads(found.recording, sent)
    said = report(sent, known, upstream)
    asked = any(turn.change is not None for turn in said.turns)
    listed = kept is not None and bool(kept.listings)
    sides = _sides(found) if asked or listed else []
    made = judged_sides(sent, said, sides)
    older = tuple(stale(sides)) if listed else ()
    whole = replace(made.report, findings=(*made.report.findings, *older))
    cwd = kept.environment.cwd if kept is not None else ""
    return replace(
        made, report=whole, cwd=cwd, aside=tuple(_aside(found.recording, known, upstream))
    )


def judged_sides(sent: Sequence[Sent], said: Report, sides: Sequence[Side]) -> Judged:
    """What was said of requests, with the sources of what parted in those that were rebuilt."""
    sources = _sources(said, sides)
    causes = {
        turn.exchange: rule
        for turn in said.turns
        if turn.change is not None
        and turn.change.rule in _ANEW
        and (source := sources.get(turn.exchange)) is not None
        and (rule := _by_source(source))
    }
    return Judged(tuple(sent), renamed(said, sent, causes) if causes else said, sources)


def requests(recording: Recording, kind: ExchangeKind = ExchangeKind.MAIN) -> Iterator[Sent]:
    """The requests of one kind of a session; of those on a WebSocket what they stand for."""
    parent, compacted = None, False
    for exchange in recording.exchanges:
        if exchange.kind is ExchangeKind.COMPACTION:
            compacted = True
        if exchange.kind is not kind:
            continue
        try:
            body = named.joined_request(exchange, recording)
        except BadInput:
            continue
        parent = wire.split(body, parent=parent)
        headers = {name.lower(): value for name, value in exchange.response_headers}
        yield Sent(
            exchange.id,
            parent,
            exchange.started,
            _usage(exchange),
            recording.session.id,
            compacted,
            diagnosis(exchange.response, headers.get("content-type", "")),
        )
        compacted = False


def known_heads(recording: Recording, sent: Sequence[Sent]) -> Heads:
    """How the texts of the client begin that sent these requests."""
    client, version = recording.session.client, recording.session.version
    if client not in _CLIENTS.values():
        upstream = next((found for item in sent if (found := upstream_of(item.prompt))), None)
        client = _CLIENTS[upstream.name] if upstream is not None else "claude-code"
        version = ""
    return heads(client, version or profiles.names(client)[-1])


def _aside(recording: Recording, known: Heads, upstream: str | None) -> Iterator[Aside]:
    """Sub-agents by how their conversation begins, and other side requests by their kind."""
    agents: dict[str, list[Sent]] = {}
    for item in requests(recording, ExchangeKind.SUBAGENT):
        said = (segment for segment in item.prompt.segments if segment.section == "messages")
        first = next(said, None)
        agents.setdefault(first.key if first is not None else "", []).append(item)
    for conversation in agents.values():
        yield Aside(ExchangeKind.SUBAGENT.value, report(conversation, known, upstream))
    for kind in (ExchangeKind.TITLE, ExchangeKind.COMPACTION, ExchangeKind.WARMUP):
        if conversation := list(requests(recording, kind)):
            yield Aside(kind.value, report(conversation, known, upstream))


def _usage(exchange: Exchange) -> Usage | None:
    """What the API said it read and wrote; OpenAI counts both in its whole."""
    row = views.exchange_row(exchange)["usage"]
    if row is None or row["input"] is None:
        return None
    read, write = row["cache_read"] or 0, row["cache_write"] or 0
    dialect = wire.split(exchange.request).dialect
    within = read + write if dialect is not None and dialect.name == "openai" else 0
    return Usage(read, write, max(row["input"] - within, 0), row["output"] or 0)


def _sides(found: named.Found) -> list[Side]:
    known = words.load()
    return [
        side
        for index in range(len(found.earlier) + 1)
        for side in named.model_sides(named.part(found, index), known)
    ]


def _sources(said: Report, sides: Sequence[Side]) -> dict[str, Source]:
    """Where the first change of each break comes from, by exchange."""
    broken = {turn.exchange: turn.change for turn in said.turns if turn.change is not None}
    sources: dict[str, Source] = {}
    for before, side in zip([None, *sides], sides, strict=False):
        change = broken.get(side.name)
        if change is not None:
            source = parted(Origins(before), Origins(side), change)
            sources |= {side.name: source} if source is not None else {}
    return sources


def _by_source(source: Source) -> str:
    """The cause that the source of what parted tells; empty: none of its own."""
    if source.kind == Kind.LISTING.value and not source.name.startswith("/"):
        return "MCP-INSTRUCTIONS"
    if source.kind != Kind.FILE.value:
        return ""
    if source.name.endswith(_MEMORY) or "/rules/" in source.name:
        return "RULE-CHANGED"
    return "SKILL-LISTING" if source.name.endswith("/SKILL.md") else ""
