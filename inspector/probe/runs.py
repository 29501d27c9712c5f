"""Running a client on probes: a few processes at a time, each alone with the mock.

Rule: the client reaches no host but the mock: everything else is closed by the capture, and where
the system lets us, the processes have a network of their own.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import inspector
from inspector import clients
from inspector.clients import McpCall
from inspector.errors import BadInput
from inspector.mock import read_log
from inspector.probe.plan import Job
from inspector.probe.stage import Stage, build
from inspector.session import Recording
from inspector.store import Store
from inspector.turns import Hooked, Turn, Turns

LIMIT = 60
"""Seconds one client process may take."""
AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Run:
    """One client process that was captured."""

    job: Job
    step: int
    recording: Recording | None
    """With its turns from the mock's, the client's and the servers' own logs."""
    trouble: str = ""


def run(jobs: Sequence[Job], binary: Path, deferred: str) -> list[Run]:
    """The captured sessions of all jobs, in order.

    `deferred` are the names that a probe loads, with commas between them.
    """
    with TemporaryDirectory(prefix="inspector-learn-") as scratch:
        root = Path(scratch).resolve()
        shares = [
            list(range(start, len(jobs), AT_ONCE)) for start in range(min(AT_ONCE, len(jobs)))
        ]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            told = list(pool.map(partial(_share, jobs, (root, binary, deferred)), shares))
            found = {number: runs for share in told for number, runs in share.items()}
    return [one for number in sorted(found) for one in found[number]]


def _share(
    jobs: Sequence[Job], given: tuple[Path, Path, str], numbers: list[int]
) -> dict[int, list[Run]]:
    """Run some of the jobs one after the other in one process of ours."""
    root, binary, deferred = given
    stages = {number: build(jobs[number], _folder(root, number)) for number in numbers}
    orders = [order for stage in stages.values() for order in _orders(stage, binary, deferred)]
    broken = _ordered(orders, LIMIT * len(orders))
    if broken:
        raise BadInput(f"{binary}: its runs broke off ({broken}); try `inspector doctor`")
    return {number: list(_kept(stage)) for number, stage in stages.items()}


def _ordered(orders: list[dict[str, object]], limit: int) -> str:
    """Run orders in a process of ours; why that broke off, else nothing."""
    process = subprocess.Popen(
        [*_alone(), sys.executable, "-I", "-c", _code()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        said = process.communicate(json.dumps(orders), timeout=limit)[1]
    except subprocess.TimeoutExpired:
        # The client is a process of the same group, and must not live on.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"still running after {limit} s"
    return " ".join(said.split())[-300:] if process.returncode else ""


def _folder(root: Path, number: int) -> Path:
    """The probes' folders have names of unlike length."""
    folder = root / f"{'p' * (1 + number % 5)}{number}"
    folder.mkdir()
    return folder


def _orders(stage: Stage, binary: Path, deferred: str) -> list[dict[str, object]]:
    orders: list[dict[str, object]] = []
    path = f"{Path(sys.base_prefix) / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    for number, step in enumerate(stage.probe.steps):
        script = stage.root / f"script{number}.json"
        words = json.dumps(step.script).replace("{DEFERRED}", deferred)
        script.write_text(words, encoding="utf-8")
        orders.append(
            {
                "command": stage.command(binary, step),
                "cwd": str(stage.cwd),
                "env": stage.environment(path),
                "route": stage.job.route,
                "script": str(script),
                "store": str(stage.root / "probe.db"),
                "report": str(stage.root / f"report{number}.json"),
                "record": str(stage.root / f"record{number}.jsonl"),
                "calls": str(stage.root / f"calls{number}.json"),
                "log": str(stage.root / f"mock{number}.jsonl"),
                "number": number,
            }
        )
    return orders


def _kept(stage: Stage) -> list[Run]:
    runs: list[Run] = []
    for number in range(len(stage.probe.steps)):
        report = stage.root / f"report{number}.json"
        said: dict[str, Any] = (
            json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        )
        if not said.get("sessions"):
            runs.append(Run(stage.job, number, None, said.get("trouble") or "no request was seen"))
            continue
        with Store.open(stage.root / "probe.db", create=False) as store:
            recording = clients.labelled(store.recording(said["sessions"][0]["id"]))
        runs.append(_with_turns(stage, number, recording))
    return runs


def _with_turns(stage: Stage, number: int, recording: Recording) -> Run:
    """The recording with turns from logs; its capture tells them where the logs do not."""
    client = clients.client(recording.session.client)
    assert recording.snapshot is not None
    record = (stage.root / f"record{number}.jsonl").read_text(encoding="utf-8")
    said = json.loads((stage.root / f"calls{number}.json").read_text(encoding="utf-8"))
    calls = [McpCall(**call) for call in said]
    replies = read_log(stage.root / f"mock{number}.jsonl")
    try:
        turns = client.logged_turns(recording.snapshot.environment, replies, record, calls)
    except (BadInput, KeyError, ValueError) as error:
        trouble = f"its turns are those of its capture, as no log has them: {error}"
        return Run(stage.job, number, recording, trouble)
    if not any(_hooks(turn) for turn in turns.turns):
        turns = with_hooks(turns, client.turns(recording.exchanges, recording.snapshot.environment))
    return Run(stage.job, number, recording.with_turns(turns))


def with_hooks(turns: Turns, captured: Turns) -> Turns:
    """What hooks printed, from the capture: the records of old clients have no word of it."""
    if len(turns.turns) != len(captured.turns):
        return turns
    out = [
        turn.model_copy(update={"events": (*turn.events, *_hooks(seen))})
        for turn, seen in zip(turns.turns, captured.turns, strict=True)
    ]
    return turns.model_copy(update={"turns": tuple(out)})


def _hooks(turn: Turn) -> list[Hooked]:
    return [event for event in turn.events if isinstance(event, Hooked)]


def _alone() -> list[str]:
    """A prefix that gives the processes a network of their own; empty where that is not allowed."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return []
    prefix = ["unshare", "-n"]
    tried = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    up = 'ip link set lo up && exec "$@"'
    return [] if tried.returncode else [*prefix, "sh", "-c", up, "sh"]


def _code() -> str:
    root = str(Path(inspector.__file__).resolve().parents[1])
    path = f"import sys; sys.path.insert(0, {root!r})"
    return f"{path}; from inspector.probe.worker import main; main()"
