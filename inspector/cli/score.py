"""`inspector score`: the scoreboard over recordings."""

from pathlib import Path

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import BadInput


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path, exists=True))
@store_option
@json_option
def score(path: Path | None, store: Path, as_json: bool) -> None:
    """Verify every recording below PATH (or every session in the store) and add up the shares.

    Exact bodies come first. Segment and byte shares leave out tools and static system text, and
    count a segment once per session.
    """
    from inspector import named, views, words
    from inspector import score as scoring

    known = words.load()
    if path is None:
        names = [recording.session.id for recording in named.everything(store)]
    else:
        names = [str(folder) for folder in named.recordings(path)]
    if not names:
        raise BadInput(f"{path or store}: holds no recording; capture one with `inspector run`")
    reports = [named.verified(named.find(name, store), known) for name in names]
    for report in reports:
        if not report.profile_exact:
            chosen = report.profile or "none"
            say(f"{report.session}: {report.client} {report.version}: profile used: {chosen}")
    rows = scoring.score(reports)
    if as_json:
        print_json(views.score_document(rows))
    else:
        from inspector import terminal

        terminal.scored(rows)
