"""Tables stay readable on any width, and print cells as they are."""

import io

import pytest
from rich.console import Console

from inspector.terminal.rows import Rows


def printed(width: int) -> str:
    out = io.StringIO()
    rows = Rows(("id", "bytes", "path"), right=("bytes",), free=("path",))
    rows.add("one", "1,234", "/a/[id]/[/red]/" + "long/" * 8)
    rows.section()
    rows.add("two", ".", "-")
    rows.print(Console(file=out, width=width, highlight=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines() if line.strip())


def test_a_table_that_fits_is_a_table_and_cells_are_no_markup() -> None:
    head, line, one, two = printed(90).splitlines()
    path = "/a/[id]/[/red]/" + "long/" * 8
    assert (head, one, two) == (
        " id    bytes   path",
        f" one   1,234   {path}",
        " two       .   -",
    )
    assert set(line.strip()) == {"─"}


def test_long_text_is_folded_before_anything_else_is() -> None:
    head, _, *rows = printed(40).splitlines()
    assert head == " id    bytes   path"
    assert [row[:15] for row in rows] == [" one   1,234   ", " " * 15, " " * 15, " two       .   "]
    assert "".join(row[15:] for row in rows[:3]) == "/a/[id]/[/red]/" + "long/" * 8


@pytest.mark.parametrize("width", [1, 30])
def test_what_does_not_fit_is_a_paragraph_a_row_without_empty_cells(width: int) -> None:
    assert printed(width).splitlines() == [
        "id one, bytes 1,234, path /a/[id",
        "    ]/[/red]/long/long/long/long",
        "    /long/long/long/long/",
        "id two",
    ]
