"""Parts in this process: the store, split and diff, and how long `--help` takes."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable


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
