"""Where masks stand in requests: the closed list in ARCHITECTURE.md, against every golden.

usage: python -m tests.golden.masks     writes ARCHITECTURE.md's table anew
"""

import re
from collections.abc import Iterator
from pathlib import Path

from inspector.named import find, recordings, verified
from inspector.text import Kind
from inspector.verify import SessionReport, places
from tests.golden.scenario import ROOT

ARCHITECTURE = ROOT / "ARCHITECTURE.md"
FOLDERS = (ROOT / "captures", ROOT / "inspector/data/recordings")
BEGIN, END = "<!-- masks:begin -->\n", "<!-- masks:end -->"
HEAD = "| client | mask | pattern | limit | recurs | path |\n|---|---|---|---|---|---|\n"

type Rows = dict[tuple[str, str], str]


def listed() -> Rows:
    """The paths column of the table by client and mask."""
    table = ARCHITECTURE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows: Rows = {}
    for line in table.splitlines()[2:]:
        cells = [cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        rows[cells[0], cells[1]] = cells[5]
    return rows


def unordered_listed() -> set[tuple[str, str]]:
    """Client and pointer of the maps whose order is random, as the closed list has them."""
    text = ARCHITECTURE.read_text(encoding="utf-8").partition("**Random-order maps**")[2]
    entries = text.partition("\n\n")[0].partition(":")[2].strip().rstrip(".")
    ids = {"Claude Code": "claude-code", "Codex": "codex"}
    found: set[tuple[str, str]] = set()
    for entry in entries.split(" · "):
        name, _, pointers = entry.partition(" `")
        found |= {(ids[name.strip()], f"/{one}") for one in f"`{pointers}".split("`")[1::2]}
    return found


def unordered_seen() -> Iterator[tuple[str, str]]:
    """Client and pointer of every map a golden's build says is of random order."""
    for report in _reports():
        for request in report.requests:
            for pointer in request.built.unordered if request.built is not None else ():
                yield report.client, pointer


def seen() -> Iterator[tuple[str, str, str]]:
    """Client, mask and path of every masked place in the goldens, numbers in paths left out."""
    for report in _reports():
        for request in report.requests:
            for place in places(request.built) if request.built is not None else ():
                if place.origin.kind is Kind.MASK:
                    name = place.origin.name.partition(":")[0]
                    yield report.client, name, re.sub(r"/\d+", "/*", place.path)


def _reports() -> Iterator[SessionReport]:
    for path in (path for folder in FOLDERS for path in recordings(folder)):
        yield verified(find(str(path), Path("unused")), {})


def write(rows: list[str], found: set[tuple[str, str, str]]) -> None:
    """Write the table: the profiles' rows, each with the paths seen."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    lines = ""
    for row in rows:
        client, name = (cell.strip().strip("`") for cell in row.split("|")[1:3])
        paths = sorted({path for one, other, path in found if (one, other) == (client, name)})
        lines += f"{row} {', '.join(f'`{path}`' for path in paths) or 'headers'} |\n"
    after = rest.partition(END)[2]
    ARCHITECTURE.write_text(before + BEGIN + HEAD + lines + END + after, encoding="utf-8")


if __name__ == "__main__":
    from tests.test_frame import mask_rows

    write(mask_rows(ROOT), set(seen()))
