"""The output of `drift`."""

import difflib
from itertools import groupby

from inspector import terminal
from inspector.drift import Drift, Head, Row, ends, lines, numbers, tokens

_SHORT = 200
"""Characters of a value that a table shows."""


def show(head: Head, found: Drift, *, words: bool) -> None:
    """Tables: sizes, then the changes by aspect."""
    out = terminal.console()
    out.print(head.sentence, style="bold red" if head.stand_ins else "bold", markup=False)
    _sizes(head, found)
    columns = ("what", "how", "host", "requests", *_versions(head))
    for aspect, rows in groupby(found.rows, key=lambda row: row.aspect):
        out.print(f"\n{aspect.value}", style="bold", markup=False)
        made = terminal.table(*columns, free=("what", *columns[4:]))
        kept = list(rows)
        for row in kept:
            cells = (row.name, row.verdict, row.host, numbers(row), _cell(row.a), _cell(row.b))
            made.add(*cells)
        made.print(out)
        if words:
            for row in kept:
                _words(head, row)
    if not found.rows:
        out.print("nothing changed")
    if any(one.estimated for one in found.sizes):
        out.print(
            "≈ some words are not at hand, so escapes in them are not counted; `inspector verify`"
            " of a session of that version keeps them",
            style="dim",
            markup=False,
        )


def markdown(head: Head, found: Drift) -> None:
    """The same as Markdown."""
    for line in lines(head, found):
        terminal.console().out(line, highlight=False)


def _versions(head: Head) -> tuple[str, str]:
    a, b = head.versions
    return (a, b) if a != b else (f"{a} (a)", f"{b} (b)")


def _sizes(head: Head, found: Drift) -> None:
    bytes_ = [f"bytes {one}" for one in _versions(head)]
    estimates = [f"tokens {one} ≈" for one in _versions(head)]
    columns = ("host", "request", "section", *bytes_, *estimates)
    made = terminal.table(*columns, right=("request", *columns[3:]))
    for one in ends(found.sizes):
        about = "≈ " if one.estimated else ""
        sizes = [
            f"{about}{one.a:,}",
            f"{about}{one.b:,}",
            f"{tokens(one.a):,}",
            f"{tokens(one.b):,}",
        ]
        made.add(one.host, str(one.request), one.section, *sizes)
    made.print(terminal.console())


def _cell(value: str | None) -> str:
    shown = "-" if value is None else value.replace("\n", "⏎")
    return shown if len(shown) <= _SHORT else f"{shown[: _SHORT - 1]}…"


def _words(head: Head, row: Row) -> None:
    """How a text differs, line by line."""
    if row.words_a is None or row.words_b is None:
        return
    out = terminal.console()
    left, right = row.words_a.splitlines(), row.words_b.splitlines()
    a, b = (f"{version} {row.name}" for version in head.versions)
    for line in difflib.unified_diff(left, right, a, b, n=0, lineterm=""):
        out.print(line, markup=False, soft_wrap=True)
