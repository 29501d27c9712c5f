"""`inspector cache`: what the rules of the API's prompt cache say of a session."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.options import json_option, print_json, store_option, world_options

if TYPE_CHECKING:
    from inspector.views.conversations import Judged

FOUND = 1
UPSTREAMS = ("anthropic", "openai", "generic-prefix", "hoist-system")
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_OUT = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("session", default="last")
@click.option("--upstream", type=click.Choice(UPSTREAMS), help="Default: that of the requests.")
@click.option("--workspace", type=_FOLDER, help="Offline: what tomorrow, a server gone … would do.")
@world_options("With --workspace. ")
@click.option("--baseline", type=_FILE, help="Findings that are accepted, with reasons (YAML).")
@click.option("--write-baseline", type=_OUT, help="Write a baseline that accepts what is found.")
@click.option("--sarif", "sarif_file", type=_OUT, help="Write SARIF 2.1.0, too.")
@click.option("--github", is_flag=True, help="Print GitHub annotations, and fill the step summary.")
@store_option
@json_option
def cache(  # noqa: PLR0913, PLR0917 - one parameter an option
    session: str,
    upstream: str | None,
    workspace: Path | None,
    home: Path | None,
    client: str,
    client_version: str | None,
    facts: Path | None,
    listings_file: Path | None,
    baseline: Path | None,
    write_baseline: Path | None,
    sarif_file: Path | None,
    github: bool,
    store: Path,
    as_json: bool,
) -> int:
    """Say for each request of a session what the prompt cache can do for it, and why not.

    The rules of the API decide, not a guess: entries are written at cache marks and looked for from
    marks. Main requests alone are judged, those of the sessions it goes on from before them. Exit 1
    for a finding at warning or above that no baseline accepts. docs/cache.md lists the rules.
    """
    from inspector import named

    if workspace is not None:
        return _gate(workspace, home, client, client_version, facts, listings_file, as_json=as_json)
    from inspector.cli import baselines
    from inspector.views import conversations

    judged = conversations.judged(session, named.find(session, store), upstream)
    new, old = baselines.split(judged.findings(), baseline, write_baseline)
    if sarif_file is not None:
        from inspector.cache.about import ABOUT

        baselines.write_sarif(sarif_file, new, ABOUT)
    if github:
        baselines.annotate(new, "inspector cache")
    else:
        _print(judged, {item.key for item in old}, as_json=as_json)
    return FOUND if any(item.severity.fails for item in new) else 0


def _print(judged: "Judged", accepted: set[tuple[str, str, str]], *, as_json: bool) -> None:
    from inspector.views import cached

    if as_json:
        print_json(cached.document(judged, accepted))
        return
    from inspector.terminal import caches

    caches.judged(judged, accepted)


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
    from inspector.cli.offline import laid_out
    from inspector.views import cached

    situation = laid_out(workspace, home, client, version, None, facts, listings).with_bodies()
    found = list(outcomes(situation))
    if as_json:
        print_json(cached.outcomes(found))
    else:
        from inspector.terminal import caches

        caches.outcomes(found)
    same = found[0].turn
    return FOUND if same.change is not None else 0
