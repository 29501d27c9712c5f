"""`inspector build`: requests offline, from a workspace and a turns file."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.offline import built, faults, laid_out, thrown
from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import counted

if TYPE_CHECKING:
    from inspector.text import Built

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.option("--client", required=True, type=click.Choice(["claude-code", "codex"]))
@click.option("--client-version", help="Default: the version the turns file names.")
@click.option("--workspace", required=True, type=_FOLDER, help="The client's working directory.")
@click.option("--home", type=_FOLDER, help="The user's home; default: your own.")
@click.option("--turns", "turns_file", required=True, type=_FILE, help="See `inspector turns`.")
@click.option(
    "--environment",
    "facts",
    type=_FILE,
    help="Facts outside the workspace; see `inspector turns --environment`.",
)
@click.option(
    "--listings",
    "listings_file",
    type=_FILE,
    help="What MCP servers offer, in place of the environment's; see `inspector mcp snapshot`.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False))
@store_option
@json_option
def build(  # noqa: PLR0913, PLR0917 - one parameter an option
    client: str,
    client_version: str | None,
    workspace: Path,
    home: Path | None,
    turns_file: Path,
    facts: Path | None,
    listings_file: Path | None,
    out: Path,
    store: Path,
    as_json: bool,
) -> None:
    """Rebuild the requests of a turns file from files on disk; writes NNN.json, exact bytes.

    Values nobody can rebuild (ids, attestations) and client texts not yet learned stay marked
    with ⟦ ⟧ at their places. docs/turns-format.md describes both files.
    """
    del store
    from inspector import profiles

    situation = laid_out(workspace, home, client, client_version, turns_file, facts, listings_file)
    version = situation.world.environment.version
    profile = profiles.find(client, version)
    for line in faults(situation):
        say(line)
    out.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, Any]] = []
    for number, body in enumerate(built(situation), start=1):
        path = out / f"{number:03d}.json"
        path.write_bytes(body.sent)
        for line in thrown(situation, number - 1, body.sent):
            say(line)
        if body.built is not None:
            _say_unmade(path, body.built)
            found.append(_row(path, body.built))
    if as_json:
        named = {"client": client, "version": version, "profile": profile.version}
        print_json({**named, "profile_exact": profile.exact, "requests": found})
    else:
        for row in found:
            texts = len(row["sealed"])
            marked = ", ".join(row["masks"] + [counted(texts, "client text")] * bool(texts))
            click.echo(f"{row['path']}  {row['bytes']:,} bytes" + (f"  ⟦{marked}⟧" * bool(marked)))


def _say_unmade(path: Path, built: "Built") -> None:
    """What the builder could not make: most often a result that the turns do not have."""
    from inspector.text import Kind
    from inspector.verify import places

    if all(run.origin.kind is not Kind.ADOPTED for run in built.runs):
        return
    for place in places(built):
        if place.origin.kind is Kind.ADOPTED:
            say(f"{path} {place.path}: not made ({place.origin.name})")


def _row(path: Path, built: "Built") -> dict[str, Any]:
    from inspector.text import Kind

    masks = [run.origin.name for run in built.runs if run.origin.kind is Kind.MASK]
    sealed = [run.origin.name for run in built.runs if run.sealed]
    return {
        "path": str(path),
        "bytes": len(built.body),
        "sha256": hashlib.sha256(built.body).hexdigest(),
        "masks": list(dict.fromkeys(masks)),
        "sealed": list(dict.fromkeys(sealed)),
    }
