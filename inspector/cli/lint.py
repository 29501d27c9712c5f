"""`inspector lint`: what is wrong with rules, skills and servers before anything is sent."""

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.options import json_option, print_json, store_option, world_options
from inspector.errors import BadInput, counted

if TYPE_CHECKING:
    from inspector.cli.offline import Situation
    from inspector.lint import Accepted, Finding
    from inspector.workspace import World

_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_OUT = click.Path(path_type=Path, dir_okay=False)
FOUND = 1


@click.command()
@click.argument("workspace", type=_FOLDER, default=".")
@world_options()
@click.option("--every-version", is_flag=True, help="Judge by every version with a profile.")
@click.option("--baseline", type=_FILE, help="Findings that are accepted, with reasons (YAML).")
@click.option("--write-baseline", type=_OUT, help="Write a baseline that accepts what is found.")
@click.option("--sarif", "sarif_file", type=_OUT, help="Write SARIF 2.1.0, too.")
@click.option("--github", is_flag=True, help="Print GitHub annotations in place of the table.")
@store_option
@json_option
def lint(  # noqa: PLR0913, PLR0917 - one parameter an option
    workspace: Path,
    home: Path | None,
    client: str,
    client_version: str | None,
    facts: Path | None,
    listings_file: Path | None,
    every_version: bool,
    baseline: Path | None,
    write_baseline: Path | None,
    sarif_file: Path | None,
    github: bool,
    store: Path,
    as_json: bool,
) -> int:
    """Check the rules, skills, servers and settings that a client would read in a workspace.

    Exit 1 where a finding is a warning or an error and no baseline accepts it. docs/lint.md lists
    the rules.
    """
    del store
    from inspector import lint as linting
    from inspector import named
    from inspector.cli import baselines
    from inspector.cli.offline import laid_out
    from inspector.lint.about import ABOUT

    if named.is_recorded(workspace):
        raise BadInput(f"{workspace}: a recording's folder; name a workspace")
    there = laid_out(workspace, home, client, client_version, None, facts, listings_file)
    version = there.world.environment.version
    judged = _versions_of(client) if every_version else [version]
    every = linting.merged(_findings(there, name) for name in judged)
    new, old = baselines.split(every, baseline, write_baseline)
    if sarif_file is not None:
        baselines.write_sarif(sarif_file, new, ABOUT)
    if as_json:
        rows = [*map(_row, new), *({**_row(item), "accepted": True} for item in old)]
        print_json({"client": client, "version": version, "findings": rows})
    elif github:
        baselines.annotate(new, "inspector lint")
    else:
        _print(new, old, judged)
    return FOUND if any(item.severity.fails for item in new) else 0


def _versions_of(client: str) -> list[str]:
    from inspector import profiles

    return profiles.names(client)


def _findings(there: "Situation", version: str) -> "list[Finding]":
    """The findings for one version, paths relative to the working directory."""
    from inspector import lint as linting
    from inspector.cli.offline import modelled
    from inspector.explain import explain

    def of_version(world: "World") -> "World":
        environment = world.environment.model_copy(update={"version": version})
        return replace(world, environment=environment)

    situation = there.otherwise(of_version)
    world = situation.world
    known, profile = modelled(world)
    missing = known.missing(world, profile)
    requests = [(body.exchange, body.built) for body in situation.bodies if body.built is not None]
    items = explain(requests, missing, known.called)
    seen = linting.Surveyed(known, profile, world, items, missing)
    return [_relative(item, world.environment.cwd) for item in linting.lint(seen)]


def _relative(item: "Finding", cwd: str) -> "Finding":
    below = item.path.startswith(f"{cwd.rstrip('/')}/")
    return replace(item, path=posixpath.relpath(item.path, cwd)) if below else item


def _row(item: "Finding") -> dict[str, Any]:
    return {
        "rule": item.rule,
        "severity": item.severity.value,
        "path": item.path,
        "line": item.line,
        "name": item.name,
        "message": item.message,
        "versions": [*item.versions],
        "chars": item.chars,
        "tokens_estimate": _tokens(item),
    }


def _tokens(item: "Finding") -> int:
    """About what the file it is about takes of a request."""
    from inspector.diff import Rate

    return Rate().tokens(item.chars)


def _versions(item: "Finding", judged: "Sequence[str]") -> str:
    return "all" if list(item.versions) == list(judged) else ", ".join(item.versions)


def _print(
    new: "Sequence[Finding]", old: "Sequence[Accepted | Finding]", judged: "Sequence[str]"
) -> None:
    from inspector.terminal import console, table

    out = console()
    if new:
        columns = ["severity", "rule", "tokens about", "where", "finding"]
        if len(judged) > 1:
            columns.append("versions")
        made = table(*columns, right=("tokens about",), free=("where", "finding", "versions"))
        for item in new:
            place = f"{item.path}:{item.line}" if item.line else item.path
            tokens = f"{_tokens(item):,}" if item.chars else "-"
            cells = (item.severity.value, item.rule, tokens, place, item.message)
            made.add(*cells, *([_versions(item, judged)] if len(judged) > 1 else []))
        made.print(out)
    failing = sum(item.severity.fails for item in new)
    told = f"{counted(len(new), 'finding')}, {failing} of them warnings or errors"
    out.print(f"{told}; {len(old)} accepted" if old else told, markup=False)
