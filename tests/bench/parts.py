"""Parts in this process: the store, split and diff, and how long `--help` takes."""

import operator
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from inspector.session import Exchange
from inspector.store import Store
from tests.bench import made


def timed(act: Callable[[], object]) -> float:
    """Seconds of CPU of this process."""
    start = time.process_time()
    act()
    return time.process_time() - start


def interleaved(rounds: int, acts: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """Every act in every round."""
    found: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(rounds):
        for name, act in acts.items():
            found[name].append(timed(act))
    return found


def ratios(found: dict[str, list[float]], base: str) -> list[list[str]]:
    """Rows of name, ms, and ratios to the base."""
    low = min(found[base])
    middle = statistics.median(found[base])
    return [
        [
            name,
            f"{min(times) * 1000:.2f}",
            f"{min(times) / low:.2f}",
            f"{statistics.median(times) / middle:.2f}",
        ]
        for name, times in found.items()
    ]


def store(rounds: int) -> list[list[str]]:
    """Put and get of 2 MB, against one comparison of the bodies and against a file's write."""
    first, *rest = made.bodies(2_000_000, rounds + 1)
    row = Exchange("e0", "s", 0, "POST", "https://h/v1/messages", (), first, first, "", "")
    found: dict[str, list[float]] = {"memcmp": [], "file write": [], "put": [], "get": []}
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.db") as kept:
        kept.put(row)
        before = first
        for number, body in enumerate(rest, 1):
            one = replace(row, id=f"e{number}", number=number, request=body, request_wire=body)
            same = bytearray(before)
            found["memcmp"].append(timed(partial(operator.eq, same, before)))
            found["file write"].append(timed(partial((Path(folder) / "f").write_bytes, body)))
            found["put"].append(timed(partial(kept.put, one)))
            found["get"].append(timed(partial(kept.get, one.id)))
            before = body
        size = kept.used() / len(rest[-1])
    rows = [["2 MB body", "CPU ms min", "x memcmp min", "x memcmp median"]]
    return [*rows, *ratios(found, "memcmp"), ["bytes on disk / last body", f"{size:.2f}", "", ""]]


def help_(rounds: int) -> list[list[str]]:
    """`inspector --help` against an empty program."""

    def run(*words: str) -> float:
        start = time.monotonic()
        subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - start

    found: dict[str, list[float]] = {"python -c pass": [], "inspector --help": []}
    for _ in range(rounds):
        found["python -c pass"].append(run("-c", "pass"))
        found["inspector --help"].append(run("-m", "inspector", "--help"))
    return [["program", "ms min", "x min", "x median"], *ratios(found, "python -c pass")]
