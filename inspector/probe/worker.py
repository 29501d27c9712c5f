"""The process that captures a share of the probes' runs, one after the other."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from inspector.errors import InspectorError
from inspector.run import Order, capture

RECORD = ".claude/projects/*/*.jsonl"
"""Where below its home a client keeps its own record of a run."""
CALLS = "server.*.log"
"""Where beside the store the probes' servers keep what they were asked and answered."""


def main() -> None:
    """Run the orders that standard input names; what failed is told in the run's report."""
    for order in json.load(sys.stdin):
        try:
            _one(order)
        except (InspectorError, OSError) as error:
            _tell(order, str(error))


def _one(order: dict[str, Any]) -> None:
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    home, folder = Path(order["env"]["HOME"]), Path(order["store"]).parent
    before = {path: path.stat().st_size for path in (*home.glob(RECORD), *folder.glob(CALLS))}
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
    # What this run wrote, as it is now: later runs write on. A record that goes on is told whole.
    said = sorted(home.glob(RECORD), key=lambda path: path.stat().st_mtime)
    written = [path for path in said if path.stat().st_size > before.get(path, 0)]
    words = "".join(path.read_text(encoding="utf-8") for path in written)
    Path(order["record"]).write_text(words, encoding="utf-8")
    calls = [
        {"server": path.name.split(".")[1], **json.loads(line)}
        for path in sorted(folder.glob(CALLS))
        for line in path.read_bytes()[before.get(path, 0) :].decode().splitlines()
    ]
    Path(order["calls"]).write_text(json.dumps(calls), encoding="utf-8")


def _tell(order: dict[str, Any], trouble: str) -> None:
    said: dict[str, Any] = {"sessions": [], "trouble": trouble[-300:]}
    Path(order["report"]).write_text(json.dumps(said), encoding="utf-8")
