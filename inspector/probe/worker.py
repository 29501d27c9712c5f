"""The process that captures a share of the probes' runs, one after the other."""

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from inspector.errors import InspectorError
from inspector.run import Order, capture

RECORD = ".claude/projects/*/*.jsonl"
"""Where below its home a client keeps its own record of a run."""


def main() -> None:
    """Run the orders that standard input names; what failed is told in the run's report."""
    for order in json.load(sys.stdin):
        try:
            _one(order)
        except InspectorError as error:
            _tell(order, str(error))
        except Exception:  # noqa: BLE001 - one run must not lose the others
            _tell(order, traceback.format_exc(limit=3))


def _one(order: dict[str, Any]) -> None:
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    capture(
        Order(
            tuple(order["command"]),
            Path(order["store"]),
            route=order["route"],
            script=Path(order["script"]),
            mock_log=Path(order["log"]),
            mock_run=order["number"],
            report=Path(order["report"]),
        ),
        order["env"],
    )
    # The client's own record as it is now: later runs write on in it.
    said = sorted(Path(order["env"]["HOME"]).glob(RECORD), key=lambda path: path.stat().st_mtime)
    words = "".join(path.read_text(encoding="utf-8") for path in said)
    Path(order["record"]).write_text(words, encoding="utf-8")


def _tell(order: dict[str, Any], trouble: str) -> None:
    said: dict[str, Any] = {"sessions": [], "trouble": trouble[-300:]}
    Path(order["report"]).write_text(json.dumps(said), encoding="utf-8")
