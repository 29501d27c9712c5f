"""Replay goldens to the real clients that made them: one command, resumable.

usage: python -m tests.golden.replayed [NAME…] [--times 2] [--results FILE] [--part N] [--keep DIR]

NAME as `record` takes it. Each scenario runs in its own network namespace (root is needed), each of its runs
answered from its recording, strict. `--results` keeps a line for each golden that went well, and
leaves out those it has. `--part N` takes every Nth.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.golden.record import launched
from tests.golden.scenario import ROOT, Case, cases

LIMIT = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one golden."""

    case: Case
    reused: int
    trouble: tuple[str, ...]
    seconds: float

    @property
    def line(self) -> str:
        """One line for people."""
        what = "; ".join(self.trouble) or f"{self.reused} requests matched"
        return f"{self.case.label}: {what}  {self.seconds:.1f}s"


def replayed(case: Case, work: Path, captures: Path = ROOT / "captures") -> Outcome:
    """Replay every run of a golden once."""
    begun = time.monotonic()
    ended = launched(case, work, str(captures / case.golden), limit=LIMIT)
    trouble = [ended.stderr.strip()[-400:]] if ended.returncode else []
    reused = 0
    for number in range(len(case.scenario.runs)):
        report, wrong = _report(work, number)
        trouble += wrong
        reused += report
    return Outcome(case, reused, tuple(trouble), time.monotonic() - begun)


def _report(work: Path, number: int) -> tuple[int, list[str]]:
    """How many requests of a run were matched, and what was wrong."""
    try:
        said = json.loads((work / f"r{number}.report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        out = work / f"r{number}.out"
        words = out.read_text(encoding="utf-8", errors="replace") if out.exists() else "no report"
        return 0, [f"r{number}: {words.strip()[-300:]}"]
    return said["counts"]["reused"], [f"r{number}: {line}" for line in _wrong(said)]


def _wrong(said: dict[str, Any]) -> Iterator[str]:
    diverged: list[dict[str, Any]] = said["diverged"]
    for one in diverged:
        near: dict[str, Any] = one["nearest"][0] if one["nearest"] else {}
        words = f"{near.get('path')} {near.get('origin')}: {near.get('recorded')!r} → {near.get('sent')!r}"
        yield f"request {one['request']} ({one['kind']}) diverged: {words}"
    unused: list[dict[str, Any]] = said["unused"]
    if unused:
        yield f"not asked for: {[one['number'] for one in unused]}"
    if said["ended"]:
        yield str(said["ended"])


def main(argv: list[str] | None = None) -> int:
    """Replay; the exit code says whether every request of every golden was matched."""
    options = _options(argv)
    done = set(options.results.read_text().split()) if options.results.exists() else set[str]()
    chosen = [case for case in cases(tuple(options.names)) if case.label not in done]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="inspector-replayed-") as scratch:
        for case in chosen[:: options.part]:
            for _ in range(options.times):
                outcome = replayed(case, (options.keep or Path(scratch)) / case.root.name)
                print(outcome.line, flush=True)
                if outcome.trouble:
                    failed += 1
                    break
            else:
                with options.results.open("a", encoding="utf-8") as file:
                    file.write(f"{case.label}\n")
    print(f"{len(chosen[:: options.part]) - failed} of {len(chosen[:: options.part])} goldens")
    return 1 if failed else 0


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="replayed", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("replayed.txt"))
    parser.add_argument("--keep", type=Path)
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
