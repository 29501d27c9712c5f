"""Tables that stay readable where they do not fit: a paragraph a row, in place of cut-up cells."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_LEAST = 16
"""Columns that a cell of free text needs."""
_BETWEEN = 3
_NOTHING = ("", "-", ".")
"""Cells that a paragraph leaves out."""


def printable(text: str) -> str:
    """The text with nothing in it that moves the cursor or turns the direction of writing."""
    return "".join(char if char.isprintable() or char == "\n" else "·" for char in text)


@dataclass(slots=True)
class Rows:
    """Rows of cells, to be printed as a table or, on a narrow terminal, as paragraphs."""

    columns: Sequence[str]
    right: Iterable[str] = ()
    """Columns that hold numbers."""
    free: Iterable[str] = ()
    """Columns of long text, which may be broken anywhere."""
    styles: dict[str, str] = field(default_factory=dict[str, str])
    """By column."""
    _rows: list[tuple[tuple[str, ...], str]] = field(
        default_factory=list[tuple[tuple[str, ...], str]]
    )
    _sections: set[int] = field(default_factory=set[int])
    """Numbers of rows that a line stands before."""

    def add(self, *cells: str, style: str = "") -> None:
        """One row."""
        self._rows.append((tuple(map(printable, cells)), style))

    def section(self) -> None:
        """A line between the rows so far and those that follow."""
        self._sections.add(len(self._rows))

    def __len__(self) -> int:
        return len(self._rows)

    def print(self, out: "Console") -> None:
        """Print what there is."""
        if self._least() <= out.width:
            out.print(self._table())
            return
        for number, (cells, style) in enumerate(self._rows):
            if number in self._sections:
                out.print()
            for line in self._paragraph(cells, out.width):
                out.print(line, style=style, markup=False, soft_wrap=True)

    def _least(self) -> int:
        """Columns that the table needs at least."""
        from rich.cells import cell_len

        free = set(self.free)
        widths = [cell_len(name) for name in self.columns]
        for cells, _ in self._rows:
            widths = [max(pair) for pair in zip(widths, map(cell_len, cells), strict=True)]
        needed = [
            min(width, _LEAST) if name in free else width
            for name, width in zip(self.columns, widths, strict=True)
        ]
        return sum(needed) + _BETWEEN * (len(needed) - 1) + 2

    def _paragraph(self, cells: tuple[str, ...], width: int) -> list[str]:
        named = zip(self.columns, cells, strict=True)
        text = ", ".join(f"{name} {cell}" for name, cell in named if cell not in _NOTHING)
        return textwrap.wrap(text, max(width, 2 * _LEAST), subsequent_indent="    ")

    def _table(self) -> "Table":
        from rich import box
        from rich.table import Table
        from rich.text import Text

        free, right = set(self.free), set(self.right)
        made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in self.columns:
            made.add_column(
                name,
                justify="right" if name in right else "left",
                overflow="fold",
                no_wrap=name not in free,
                style=self.styles.get(name, ""),
            )
        for number, (cells, style) in enumerate(self._rows):
            if number in self._sections:
                made.add_section()
            made.add_row(*map(Text, cells), style=style)
        return made
