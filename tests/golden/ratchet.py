"""The scoreboard over all goldens, as `score.json` keeps it: it may only get better.

usage: python -m tests.golden.ratchet     writes score.json, headers.json and docs/mechanisms.md (the recorder does so too)
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inspector import score, views
from inspector.named import find, recordings, verified
from inspector.verify import SessionReport
from tests.golden import header_law, table
from tests.golden.scenario import ROOT

PATH = Path(__file__).with_name("score.json")


def rows(reports: Iterable[SessionReport]) -> list[dict[str, Any]]:
    """The rows that a machine with and without the clients' words agrees on."""
    document = views.score_document(score.score(reports))
    return [
        {name: value for name, value in row.items() if name != "sha256_checked"}
        for row in document["rows"]
    ]


def write(captures: Path = ROOT / "captures") -> None:
    """Put the present score on record, the headers, and the table of mechanisms."""
    reports = [verified(find(str(path), Path("unused")), {}) for path in recordings(captures)]
    PATH.write_text(json.dumps(rows(reports), indent=1) + "\n", encoding="utf-8")
    header_law.write(reports)
    table.write()


if __name__ == "__main__":
    write()
