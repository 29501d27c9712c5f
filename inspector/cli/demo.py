"""`inspector demo`: the main job in one go, without a key or a network."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from inspector.cli.options import json_option, print_json, say

if TYPE_CHECKING:
    from inspector.demo import Proof

DIFFERENT = 1


@click.command()
@click.option(
    "--client-binary",
    "binaries",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Use this client (twice for both) in place of those on PATH.",
)
@click.option(
    "--install-clients",
    is_flag=True,
    help="First install both clients into our cache folder, with npm.",
)
@json_option
def demo(binaries: tuple[Path, ...], install_clients: bool, as_json: bool) -> int:
    """Capture a live session, rebuild every request from the workspace, compare, show the proof.

    Uses the clients on PATH or in our cache folder; without one, recordings that come with the
    package. The client runs on a bundled workspace, against a built-in model server, with a
    throwaway home.
    """
    from inspector import demo as stages
    from inspector import views

    found = _binaries(binaries, install=install_clients)
    proofs: list[Proof] = []
    if found:
        say(f"running {' and '.join(found)} on a bundled workspace, without a key or a network")
        proofs = stages.captured(found)
    notes: list[str] = []
    if not found:
        notes.append(
            "No client found on PATH: these are recordings of real clients that come with the "
            "package. `inspector demo --install-clients` installs the clients and captures live."
        )
        proofs = [stages.bundled(client) for client in ("claude-code", "codex")]
    if as_json:
        print_json(views.verify_document([proof.report for proof in proofs]))
    else:
        stages.show(proofs, notes)
    return 0 if all(proof.report.exact for proof in proofs) else DIFFERENT


def _binaries(given: tuple[Path, ...], *, install: bool) -> dict[str, Path]:
    from inspector import demo as stages
    from inspector.errors import InspectorError

    if given:
        return {stages.client_of(binary): binary.absolute() for binary in given}
    if install:
        try:
            stages.install()
        except InspectorError as error:
            say(str(error))
    found = {client: stages.installed(client) for client in ("claude-code", "codex")}
    return {client: binary for client, binary in found.items() if binary is not None}
