"""`inspector seal`: a recording to be shared without fear."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.options import json_option, print_json, say, store_option

if TYPE_CHECKING:
    from inspector.sealing import Left

_NAMED = 5
"""Names told of one kind before the rest is only counted; --json lists all."""


@click.command()
@click.argument("session")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write the sealed recording into this folder.")  # fmt: skip
@click.option("--private", is_flag=True, help="Replace what was said, paths and names, too.")
@click.option("--check", is_flag=True, help="Write nothing; say what each strength leaves.")
@store_option
@json_option
def seal(
    session: str, out: Path | None, private: bool, check: bool, store: Path, as_json: bool
) -> int:
    """Seal SESSION (or its folder) for sharing: no secret, no account id, no text of the client's.

    What was sealed so verifies, diffs and replays as before. --private also replaces every text by
    letters made with a key that is thrown away: sizes, equal parts and times stay, so it diffs and
    simulates the cache as before; verify and replay refuse it. --check takes any file, too. Exit
    code: 1 if --check finds a secret that either seal would leave.
    """
    if check is (out is not None):
        raise click.UsageError("give --out DIR, or --check alone")
    if check:
        return _check(session, store, as_json=as_json)
    from inspector import folder, named, sealing, words

    assert out is not None
    found = named.find(session, store)
    bare = found.recording
    made = sealing.private_copy(bare) if private else sealing.shared(found, words.load())
    folder.write(made, out)
    told = sealing.left(made)
    if as_json:
        print_json({"folder": str(out), "exchanges": len(made.exchanges), "left": _rows(told)})
    else:
        say(f"{out}: sealed; what it still tells:")
        _tell(told)
    return 0


def _check(name: str, store: Path, *, as_json: bool) -> int:
    from inspector import named, sealing, words

    path = Path(name)
    if path.is_file():
        told = {"as it is": sealing.loose(path.read_bytes())}
    else:
        found = named.find(name, store)
        told = {
            "seal": sealing.left(sealing.shared(found, words.load())),
            "seal --private": sealing.left(sealing.private_copy(found.recording)),
        }
    if as_json:
        print_json({"left": {strength: _rows(items) for strength, items in told.items()}})
    else:
        for strength, items in told.items():
            click.echo(f"{strength}:")
            _tell(items)
    return 1 if any(item.what == "secrets" for items in told.values() for item in items) else 0


def _rows(items: "list[Left]") -> list[dict[str, Any]]:
    return [{"what": item.what, "count": item.count, "names": list(item.names)} for item in items]


def _tell(items: "list[Left]") -> None:
    for item in items:
        more = len(item.names) - _NAMED
        names = ", ".join(item.names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        click.echo(f"  {item.count} x {item.what}{': ' if names else ''}{names}")
    if not items:
        click.echo("  nothing found")
