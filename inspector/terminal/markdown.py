"""What `diff --markdown` prints: the same answer as a text for an issue."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.diff import Compared, Rate
from inspector.terminal import parted
from inspector.terminal.rows import printable
from inspector.views import changes

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")

type Row = Mapping[str, Any]


def compared(pairs: Sequence[Compared], rate: Rate, *, strict: bool = False) -> str:
    """The first difference, a table, and the words that changed in fences."""
    found = [row for pair in pairs for row in changes.rows(pair, rate)]
    return "\n".join(_lines(found, strict=strict))


def _lines(found: Sequence[Row], *, strict: bool) -> Iterator[str]:
    yield f"**{_plain(parted.answer(found, strict=strict))}**"
    if not found:
        return
    yield ""
    yield "| exchange | verdict | path | bytes | source |"
    yield "|---|---|---|---:|---|"
    for row in found:
        path = row["path_b"] if row["path_b"] is not None else row["path_a"]
        cells = (row["exchange_b"] or row["exchange_a"], row["verdict"], _code(path))
        source = _plain(parted.source(row))
        yield f"| {' | '.join(cells)} | {row['bytes']:,} | {source} |"
    for row in found:
        if row["edits"] and (strict or not row["benign"]):
            yield from _words(row)


def _words(row: Row) -> Iterator[str]:
    lines = [
        line
        for edit in row["edits"][: parted.SHOWN]
        for mark, side in (("-", "before"), ("+", "after"))
        for line in _marked(mark, f"{edit['lead']}{edit[side]}{edit['tail']}")
    ]
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", "".join(lines))), default=0))
    yield ""
    yield f"{_code(row['path_b'])}:"
    yield ""
    yield from (f"{fence}diff", *lines, fence)


def _marked(mark: str, text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield f"{mark} {printable(line)}"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", printable(text))


def _code(text: str) -> str:
    return f"`{text}`" if text and "`" not in text and "|" not in text else _plain(text)
