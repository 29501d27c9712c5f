"""Record all goldens again from the real clients: one command for developers and for CI.

usage: python -m tests.golden.record [NAME…] [--out captures] [--check] [--words DIR] [--jobs N] [--keep DIR]
       python -m tests.golden.record --demo

NAME is a folder of scenarios (a client, or CLIENT@VERSION), a scenario, or FOLDER/SCENARIO. Each scenario runs in a network namespace of its own (root is
needed). `--check` writes no golden: it verifies fresh recordings and fails on every difference that the
golden's `gaps.yaml` does not name, where it comes a second time as well. `--words` puts the clients' own texts into that data folder. `--demo` records the
sessions that come with the package for `inspector demo`.

A golden's turns come from the command line, the mock's log, the client's record of the run and the
fixture servers' log; nothing is taken from its capture.
"""

import argparse
import fcntl
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from inspector.demo import installed
from inspector.errors import InspectorError
from tests.golden import demo, ratchet
from tests.golden.keep import Outcome, keep
from tests.golden.scenario import PLACE, ROOT, Case, cases

RACES = 5
"""With more scenarios than this that differ, it is no race."""


def main(argv: list[str] | None = None) -> int:
    """Record or check; the exit code says whether everything was as the goldens say."""
    options = _options(argv)
    if options.demo:
        return demo.record()
    chosen = list(cases(tuple(options.names)))
    if not chosen:
        sys.exit("no scenario has that name")
    with tempfile.TemporaryDirectory(prefix="inspector-golden-") as scratch:
        work = options.keep or Path(scratch)
        recorded = partial(_case, scratch=work, options=options)
        with ThreadPoolExecutor(options.jobs) as pool:
            outcomes = list(pool.map(recorded, chosen))
        if options.check:
            outcomes = again(outcomes, recorded)
    _print(outcomes)
    if not options.check and options.out == ROOT / "captures":
        ratchet.write()
    return 0 if all(outcome.fine for outcome in outcomes) else 1


@contextmanager
def alone(case: Case) -> Generator[None]:
    """One recorder of a scenario at a time on a machine: its workspace has a fixed place."""
    PLACE.mkdir(parents=True, exist_ok=True)
    with case.root.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def launched(
    case: Case, work: Path, *more: str, limit: float | None = None
) -> "subprocess.CompletedProcess[str]":
    """Every run of a scenario with its real client, in a network namespace of its own."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    binary = installed(case.client, version=case.version)
    if binary is None:
        sys.exit(
            f"{case.folder}: not installed; install it, or name its folder in INSPECTOR_CLIENTS"
        )
    inside = ["-m", "tests.golden.inside", case.label, str(binary), str(work), *more]
    with alone(case):
        return subprocess.run(
            ["unshare", "-n", "-m", sys.executable, *inside],
            cwd=ROOT,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
            timeout=limit,
        )


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="record", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=ROOT / "captures")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--words", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="leave stores and logs there")
    return parser.parse_args(argv)


def _case(case: Case, scratch: Path, options: argparse.Namespace) -> Outcome:
    started = time.monotonic()
    work = scratch / case.root.name
    ended = launched(case, work)
    if ended.returncode:
        return Outcome(case, trouble=(ended.stderr.strip() or ended.stdout.strip())[-800:])
    try:
        outcome = keep(case, work, None if options.check else options.out, options.words)
    except InspectorError as error:
        return Outcome(case, trouble=str(error))
    print(f"{outcome.line}  {time.monotonic() - started:.1f}s", flush=True)
    return outcome


def again(outcomes: list[Outcome], recorded: Callable[[Case], Outcome]) -> list[Outcome]:
    """Few that are not as their goldens say are recorded once more, alone; both times are told.

    A client that watches files, or waits for servers for a time, says a thing one request later on a
    machine that is busy with others. What comes twice is a difference.
    """
    odd = [outcome for outcome in outcomes if not outcome.fine]
    if len(odd) > RACES:
        return outcomes
    for outcome in odd:
        first = outcome.trouble or outcome.complaints[0]
        print(f"{outcome.case.label}: once more, alone; at first {first[:200]}", flush=True)
    second = {outcome.case.label: recorded(outcome.case) for outcome in odd}
    return [second.get(outcome.case.label, outcome) for outcome in outcomes]


def _print(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        if outcome.trouble:
            print(outcome.line)
        for line in outcome.complaints:
            print(f"{outcome.case.label}: {line}")
    for client in sorted({outcome.case.folder for outcome in outcomes}):
        mine = [outcome for outcome in outcomes if outcome.case.folder == client]
        exact, total = (
            sum(getattr(outcome, name) for outcome in mine) for name in ("exact", "requests")
        )
        print(f"{client}: {exact} of {total} main requests exact, {len(mine)} scenarios")


if __name__ == "__main__":
    sys.exit(main())
