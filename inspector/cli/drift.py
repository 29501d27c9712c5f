"""`inspector drift`: what changed on the wire between two versions of a client."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.given import given_environment, given_turns, placed
from inspector.cli.options import json_option, print_json, say
from inspector.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.drift import Material
    from inspector.workspace import Environment

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
DIFFERENT = 1


@click.command()
@click.argument("v1")
@click.argument("v2")
@click.option("--client", default="claude-code", type=click.Choice(["claude-code", "codex"]))
@click.option("--workspace", type=_FOLDER, help="Your own; default: the demo's.")
@click.option("--home", type=_FOLDER, help="With --workspace: the user's home; default: your own.")
@click.option("--turns", "turns_file", type=_FILE, help="With --workspace: see `inspector turns`.")
@click.option(
    "--environment",
    "facts",
    type=_FILE,
    help="With --workspace: facts outside it; see `inspector turns --environment`.",
)
@click.option(
    "--host",
    default="both",
    type=click.Choice(["both", "default", "custom"]),
    help="Where the client thinks its model is.",
)
@click.option(
    "--nearest", is_flag=True, help="Let the nearest profile stand in for a version without one."
)
@click.option("--words", "in_words", is_flag=True, help="Show how texts differ, where at hand.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@json_option
def drift(  # noqa: PLR0913, PLR0917 - one parameter an option
    v1: str,
    v2: str,
    client: str,
    workspace: Path | None,
    home: Path | None,
    turns_file: Path | None,
    facts: Path | None,
    host: str,
    nearest: bool,
    in_words: bool,
    markdown: bool,
    as_json: bool,
) -> int:
    """Show what changed on the wire from version V1 to V2, by mechanism.

    Both versions' requests are built offline with their profiles, on the same workspace and turns,
    as for the client's default host and for a custom one. Exit 1 where something changed.
    """
    from inspector import drift as drifts

    if workspace is None and (home or turns_file or facts):
        raise click.UsageError("--home, --turns and --environment go with --workspace")
    if markdown and as_json:
        raise click.UsageError("--markdown and --json exclude each other")
    stand_ins = {version: _stand_in(client, version, nearest=nearest) for version in (v1, v2)}
    if workspace is None:
        material, environment = _demo(client)
    else:
        places = (workspace, home, turns_file, facts)
        material, environment = _own(client, v2, places)
    hosts = list(drifts.HOSTS) if host == "both" else [host]
    found = drifts.drift(material, (v1, v2), hosts, _roots(environment))
    name = "demo" if workspace is None else str(workspace)
    head = drifts.Head(client, (v1, v2), stand_ins, name, tuple(hosts))
    if as_json:
        print_json(drifts.document(head, found))
    else:
        from inspector.terminal import drifted

        if markdown:
            drifted.markdown(head, found)
        else:
            drifted.show(head, found, words=in_words)
    return DIFFERENT if found.rows else 0


def _stand_in(client: str, version: str, *, nearest: bool) -> str:
    """The version whose profile is used; another one only where that was asked for."""
    from inspector import profiles

    found = profiles.find(client, version)
    if found.exact:
        return version
    if not nearest:
        how = profiles.learning(client, version)
        how = how or f"there are those of {', '.join(profiles.names(client))}"
        raise BadInput(
            f"{client} {version}: no profile for this version; {how}, or let the nearest one"
            " stand in with --nearest"
        )
    say(profiles.unknown(client, version, found.version))
    return found.version


def _demo(client: str) -> "tuple[Material, Environment]":
    """The demo's session: its workspace, and what happened in it."""
    from inspector import clients, demo, named, words
    from inspector.drift import Material
    from inspector.snapshot import SnapshotTree
    from inspector.workspace import World

    recording = clients.labelled(demo.bundled(client).recording)
    snapshot = recording.snapshot
    assert snapshot is not None
    turns = named.given(named.Found(recording))

    def world(at: str) -> World:
        return World(SnapshotTree(snapshot, at), snapshot.environment, snapshot.listings)

    return Material(client, turns, world, words.load()), snapshot.environment


def _own(
    client: str, version: str, places: tuple[Path, Path | None, Path | None, Path | None]
) -> "tuple[Material, Environment]":
    """A workspace on disk, with turns and facts as given."""
    from inspector import words
    from inspector.drift import Material, example
    from inspector.workspace import World

    workspace, home, turns_file, facts = places
    environment, listings = given_environment(facts, client, version, (workspace, home))
    turns = example(client) if turns_file is None else given_turns(turns_file, client)
    world = World(placed(environment, workspace, home), environment, listings)
    return Material(client, turns, lambda _: world, words.load()), environment


def _roots(environment: "Environment") -> "Mapping[str, str]":
    """Folders by what is shown for them, the deepest first."""
    roots = {environment.cwd: ".", environment.home: "~"}
    if environment.git is not None:
        roots.setdefault(environment.git.root, "<repository>")
    return dict(sorted(roots.items(), key=lambda one: -len(one[0])))
