"""The scoreboard over all goldens, as `score.json` keeps it: it may only get better.

usage: python -m tests.golden.ratchet     writes score.json, headers.json and docs/mechanisms.md (the recorder does so too)
"""

import json
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from inspector import score, views
from inspector.named import find, recordings, verified
from tests.golden import header_law, table
from tests.golden.scenario import ROOT

PATH = Path(__file__).with_name("score.json")


def merged(parts: Iterable[score.Row]) -> list[dict[str, Any]]:
    """Sums of rows per client, version and route: what a machine with and without words agrees on."""
    sums: dict[tuple[str, str, str], score.Row] = {}
    for part in parts:
        key = part.client, part.version, part.route
        sums[key] = _plus(sums[key], part) if key in sums else part
    document = views.score_document(tuple(sums[key] for key in sorted(sums)))
    return [
        {name: value for name, value in row.items() if name != "sha256_checked"}
        for row in document["rows"]
    ]


def _plus(one: score.Row, other: score.Row) -> score.Row:
    sums = {
        item.name: getattr(one, item.name) + getattr(other, item.name)
        for item in fields(score.Row)
        if item.name not in ("client", "version", "route")
    }
    return replace(one, **sums)


def write(captures: Path = ROOT / "captures") -> None:
    """Put the present score on record, the headers, and the table of mechanisms."""
    reports = [verified(find(str(path), Path("unused")), {}) for path in recordings(captures)]
    PATH.write_text(json.dumps(merged(score.score(reports)), indent=1) + "\n", encoding="utf-8")
    header_law.write(reports)
    table.write()


if __name__ == "__main__":
    write()
