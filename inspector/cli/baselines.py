"""What `lint` and `cache` do with findings in CI: baselines, SARIF, annotations, summaries."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.options import say
from inspector.errors import BadInput, counted, yaml_reason

if TYPE_CHECKING:
    from inspector.lint import Accepted, Finding


def split(
    every: "Sequence[Finding]", path: Path | None, to_write: Path | None
) -> "tuple[list[Finding], list[Finding]]":
    """What is new and what a baseline accepts; entries that hold for nothing are said."""
    from inspector import lint

    known: list[Accepted] = lint.accepted(_loaded(path), str(path)) if path else []
    if to_write is not None:
        _write(to_write, lint.written(every, known))
    new, old, gone = lint.split(every, known)
    for entry in gone:
        say(f"{path}: {entry.rule} {entry.path} {entry.name}: holds for nothing; take it out")
    return new, old


def write_sarif(path: Path, found: "Iterable[Finding]", about: Mapping[str, str]) -> None:
    """Findings as a file of SARIF 2.1.0."""
    from inspector import __version__, lint

    document = lint.sarif(found, __version__, about)
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def annotate(found: "Sequence[Finding]", title: str) -> None:
    """Annotations on stdout; a table in the step's summary, where GitHub gave a file for it."""
    from inspector import lint

    for line in lint.annotations(found):
        click.echo(line)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(_table(found, title))


def _table(found: "Sequence[Finding]", title: str) -> str:
    head = f"### {title}\n\n{counted(len(found), 'finding')}\n\n"
    if not found:
        return head
    rows = (
        f"| {item.severity.value} | `{item.rule}` | `{_cell(item.path)}` "
        f"| {_cell(item.message)} |\n"
        for item in found
    )
    return f"{head}| severity | rule | where | finding |\n|---|---|---|---|\n{''.join(rows)}\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _loaded(path: Path) -> object:
    import yaml

    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: no YAML ({yaml_reason(error)}); mend it") from error


def _write(path: Path, document: dict[str, Any]) -> None:
    import yaml

    text: str = yaml.dump(  # pyright: ignore[reportUnknownMemberType]
        document, Dumper=yaml.SafeDumper, sort_keys=False, allow_unicode=True
    )
    path.write_text(text, encoding="utf-8")
    say(f"{path}: {counted(len(document['accepted']), 'finding')}; give each its reason")
