"""Benchmarks: `python -m tests.bench [capture|sse|store|put|open|durable|diff|cache|sessions|build|read|memory|help] [--rounds N] [--claude-tap]`.

Prints one table each, of ratios measured in one run, candidates interleaved. Nothing is asserted.
"""

import argparse
from collections.abc import Callable

from tests.bench import building, caching, capture, differing, parts, sse, storing


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    store = ("store", "put", "open", "durable")
    names = (
        "capture",
        "sse",
        *store,
        "diff",
        "cache",
        "sessions",
        "build",
        "read",
        "memory",
        "help",
    )
    parser.add_argument("table", nargs="*", metavar="TABLE", help=", ".join(names))
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--claude-tap", action="store_true", help="beside it, if it is on PATH")
    asked = parser.parse_args()
    if unknown := set(asked.table) - set(names):
        parser.error(f"{', '.join(sorted(unknown))}: no table; choose of {', '.join(names)}")
    tap = ("claude-tap",) if asked.claude_tap else ()
    tables: dict[str, Callable[[], list[list[str]]]] = {
        "capture": lambda: capture.table(asked.rounds, (*capture.NAMES, *tap)),
        "sse": lambda: sse.table(asked.rounds, (*sse.NAMES, *tap)),
        "store": storing.size,
        "put": lambda: storing.speed(asked.rounds),
        "open": storing.reading,
        "durable": lambda: storing.durable(asked.rounds),
        "diff": lambda: differing.bodies(asked.rounds),
        "sessions": differing.sessions,
        "cache": lambda: caching.simulated(asked.rounds),
        "build": lambda: building.session(asked.rounds),
        "read": lambda: building.workspace(asked.rounds),
        "memory": building.memory,
        "help": lambda: parts.help_(asked.rounds),
    }
    for name in asked.table or names:
        print(f"\n{name}")
        show(tables[name]())


def show(rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )


if __name__ == "__main__":
    main()
