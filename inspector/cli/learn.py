"""`inspector learn`: a profile from the client itself."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.options import json_option, print_json, say, store_option
from inspector.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.learn import Unlearned
    from inspector.probe import Result
    from inspector.score import Row

DIFFERENT = 1
_ENOUGH = 99.0
"""Percent of segments exact from which on a profile counts as learned."""


@click.command()
@click.option("--client", type=click.Choice(["claude-code", "codex"]))
@click.option(
    "--binary",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The client's program.",
)
@click.option("--client-version", "version", help="A version that is installed, or see --install.")
@click.option(
    "--install", is_flag=True, help="Install that version into our cache folder, with npm."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write it below this folder, too, for others: texts seen on three workspaces alone.",
)
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="SESSION",
    help="Learn from this session and those named behind it; may repeat.",
)
@click.argument("sessions", nargs=-1, metavar="[SESSION...]")
@store_option
@json_option
def learn(  # noqa: PLR0913, PLR0917 - one parameter an option
    client: str | None,
    binary: Path | None,
    version: str | None,
    install: bool,
    out: Path | None,
    sources: tuple[str, ...],
    sessions: tuple[str, ...],
    store: Path,
    as_json: bool,
) -> int:
    """Make the profile of a client version by running it on small workspaces.

    The client runs against a built-in model server with a throwaway home and a made-up key; nothing
    of yours is read (what an organisation set for the whole machine counts), and no other host is
    reached. The profile and the client's texts go into the data folder. The score is taken on
    workspaces nothing was learned from.

    With --from, learn what your account's server-side flags change, from two sessions or more that
    were made in unlike workspaces (folder, day, git state, names, files).
    """
    from inspector import learned, probe, words

    if sources or sessions:
        if client or binary or version or install or out or not sources:
            raise click.UsageError("--from SESSION... goes without other options")
        from inspector.cli.learn_from import learn_from

        return learn_from((*sources, *sessions), store, as_json=as_json)
    if client is None:
        raise click.UsageError("give --client, or --from SESSION...")
    result = probe.learned(client, _program(client, binary, version, install=install), say)
    if version is not None and result.version != version:
        raise BadInput(f"{client}: says it is {result.version}, not {version}; nothing was kept")
    words.save(result.words)
    accounts = learned.accounts(client, result.version)
    kept = [*result.document.get("overlays", ()), *accounts]
    path = learned.save(client, result.version, {**result.document, "overlays": kept})
    if out is not None:
        learned.save(client, result.version, result.shared, out)
    if as_json:
        print_json(document(result, path))
    else:
        _print(result, path)
    return 0 if _segments(result.rows) >= _ENOUGH and not result.troubles else DIFFERENT


def _program(client: str, binary: Path | None, version: str | None, *, install: bool) -> Path:
    from inspector import installed

    if binary is not None:
        return binary.absolute()
    if version is None:
        raise BadInput("learn: neither --binary nor --client-version; give one of them")
    if install:
        return installed.install_version(client, version)
    found = installed.installed(client, version=version)
    if found is None:
        raise BadInput(f"{client} {version}: not installed; add --install, or give --binary")
    return found


def document(result: "Result", path: Path) -> dict[str, Any]:
    """The result for programs."""
    return {
        "client": result.client,
        "version": result.version,
        "profile": str(path),
        "extends": result.parent,
        "score": {
            "segments_exact_percent": _segments(result.rows),
            "bodies_exact_percent": _bodies(result.rows),
        },
        "rows": [_row(row) for row in result.rows],
        "rows_before": [_row(row) for row in result.before],
        "not_learned": _document(result.not_learned),
        "not_learned_from": _document(result.left),
        "thin": len(result.thin),
        "shared_score": {
            "segments_exact_percent": _segments(result.shared_rows),
            "bodies_exact_percent": _bodies(result.shared_rows),
        },
        "troubles": [*result.troubles],
        "not_probed": {axis: [*names] for axis, names in result.unprobed.items()},
    }


def _row(row: Any) -> dict[str, Any]:  # noqa: ANN401 - a score's row
    return {
        "route": row.route,
        "bodies": row.bodies,
        "exact": row.exact,
        "segments": row.segments,
        "segments_exact": row.segments_exact,
        "segments_exact_percent": row.segments_exact_percent,
    }


def _segments(rows: "Sequence[Row]") -> float:
    total = sum(row.segments for row in rows)
    return sum(row.segments_exact for row in rows) * 1000 // total / 10 if total else 0.0


def _bodies(rows: "Sequence[Row]") -> float:
    total = sum(row.bodies for row in rows)
    return sum(row.exact for row in rows) * 1000 // total / 10 if total else 0.0


def _document(items: "Sequence[Unlearned]") -> list[dict[str, Any]]:
    return [
        {"mechanism": name, "places": count, "example": example}
        for name, count, example in _missing(items)
    ]


def _missing(items: "Sequence[Unlearned]") -> list[tuple[str, int, str]]:
    """What could not be learned, by mechanism: how many places, and one of them."""
    counts = Counter(item.mechanism for item in items)
    first = {item.mechanism: item for item in reversed(items)}
    return [(name, count, first[name].sentence) for name, count in counts.most_common()]


def _print(result: "Result", path: Path) -> None:
    from inspector import terminal

    out = terminal.console()
    out.print(f"{result.client} {result.version}: {path}", style="bold", markup=False)
    for when, rows in (("before", result.before), ("learned", result.rows)):
        for row in rows:
            out.print(
                f"  {when:8} {row.route:9} requests exact {row.exact} of {row.bodies},"
                f" segments exact {row.segments_exact_percent} %",
                markup=False,
            )
    for where, items in (("held out", result.not_learned), ("learned from", result.left)):
        for name, count, example in _missing(items):
            line = f"  not learned ({where}): {name}, {count} places; {example}"
            out.print(line, markup=False)
    if result.unprobed:
        states = ", ".join(f"{axis} {'/'.join(some)}" for axis, some in result.unprobed.items())
        out.print(f"  not probed, taken over from {result.parent}: {states}", markup=False)
    for line in result.troubles:
        out.print(f"  not scored, or not from logs: {line}", markup=False)
