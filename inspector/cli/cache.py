"""`inspector cache`: what the rules of the API's prompt cache say of a session."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.options import json_option, print_json, store_option
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.cache import Report, Sent, Usage
    from inspector.named import Found
    from inspector.session import Exchange, Recording
    from inspector.views.changes import Source

FOUND = 1


@click.command()
@click.argument("session", default="last")
@store_option
@json_option
def cache(session: str, store: Path, as_json: bool) -> int:
    """Say for each request of a session what the prompt cache can do for it, and why not.

    The rules of the API decide, not a guess: entries are written at cache marks and looked for from
    marks. Main requests alone are judged, those of the sessions it goes on from before them. Exit 1
    for a finding at warning or above. docs/cache.md lists the rules and how well each is known.
    """
    from inspector import cache as caching
    from inspector import named
    from inspector.views import cached

    found = named.find(session, store)
    sent = [item for recording in (*found.earlier, found.recording) for item in _sent(recording)]
    if not sent:
        raise BadInput(f"{session}: no main request in it; see `inspector show {session}`")
    judged = caching.report(sent)
    origins = _origins(found, judged)
    if as_json:
        print_json(cached.document(judged, origins))
    else:
        from inspector.terminal import caches

        caches.judged(judged, origins)
    return FOUND if any(finding.severity != "info" for finding in judged.findings) else 0


def _origins(found: "Found", judged: "Report") -> "dict[str, Source]":
    """Where the first change of each break comes from, by exchange; of the sessions at hand."""
    from inspector import named, words
    from inspector.views.changes import Origins

    broken = {turn.exchange: turn.change for turn in judged.turns if turn.change is not None}
    if not broken:
        return {}
    known = words.load()
    sources: dict[str, Source] = {}
    for side in named.model_sides(found, known):
        change = broken.get(side.name)
        source = Origins(side).longest(change.path) if change is not None and change.path else None
        if source is not None:
            sources[side.name] = source
    return sources


def _sent(recording: "Recording") -> "Iterator[Sent]":
    """The main requests of a session; of those on a WebSocket what they stand for."""
    from inspector import named, wire
    from inspector.cache import Sent
    from inspector.session import ExchangeKind

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
        usage = _usage(exchange)
        session = recording.session.id
        yield Sent(exchange.id, parent, exchange.started, usage, session, compacted)
        compacted = False


def _usage(exchange: "Exchange") -> "Usage | None":
    """What the API said it read and wrote."""
    from inspector import views
    from inspector.cache import Usage

    row = views.exchange_row(exchange)["usage"]
    if row is None or row["input"] is None:
        return None
    read, write = row["cache_read"] or 0, row["cache_write"] or 0
    return Usage(read, write, row["input"], row["output"] or 0)
