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
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("session", default="last")
@click.option("--workspace", type=_FOLDER, help="Offline: what tomorrow, a server gone … would do.")
@click.option("--home", type=_FOLDER, help="With --workspace: the user's home; default: your own.")
@click.option("--client", type=click.Choice(["claude-code", "codex"]), default="claude-code")
@click.option("--client-version", help="With --workspace; default: the newest with a profile.")
@click.option("--environment", "facts", type=_FILE, help="With --workspace; as for `build`.")
@click.option("--listings", "listings_file", type=_FILE, help="With --workspace; as for `build`.")
@store_option
@json_option
def cache(  # noqa: PLR0913, PLR0917 - one parameter an option
    session: str,
    workspace: Path | None,
    home: Path | None,
    client: str,
    client_version: str | None,
    facts: Path | None,
    listings_file: Path | None,
    store: Path,
    as_json: bool,
) -> int:
    """Say for each request of a session what the prompt cache can do for it, and why not.

    The rules of the API decide, not a guess: entries are written at cache marks and looked for from
    marks. Main requests alone are judged, those of the sessions it goes on from before them. Exit 1
    for a finding at warning or above. docs/cache.md lists the rules and how well each is known.
    """
    from inspector import cache as caching
    from inspector import named

    if workspace is not None:
        return _gate(workspace, home, client, client_version, facts, listings_file, as_json=as_json)
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


def _gate(  # noqa: PLR0913 - the options of a workspace
    workspace: Path,
    home: Path | None,
    client: str,
    version: str | None,
    facts: Path | None,
    listings: Path | None,
    *,
    as_json: bool,
) -> int:
    """What changes outside do to the prefix; 1 where nothing changes and yet it breaks."""
    from inspector.cli.gate import outcomes
    from inspector.cli.offline import offline
    from inspector.views import cached

    situation = offline(workspace, home, client, version, None, facts, listings)
    found = list(outcomes(situation))
    if as_json:
        print_json(cached.outcomes(found))
    else:
        from inspector.terminal import caches

        caches.outcomes(found)
    same = found[0].turn
    return FOUND if same.change is not None else 0


def _origins(found: "Found", judged: "Report") -> "dict[str, Source]":
    """Where the first change of each break comes from, by exchange; of the sessions at hand."""
    from inspector import named, words
    from inspector.views.changes import Origins, parted

    broken = {turn.exchange: turn.change for turn in judged.turns if turn.change is not None}
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
