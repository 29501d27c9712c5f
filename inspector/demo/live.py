"""Capturing the demo's sessions from real clients, or reading the bundled ones."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import inspector
from inspector import folder, learn
from inspector.demo import stage
from inspector.errors import BadInput
from inspector.session import Recording
from inspector.snapshot import SnapshotTree
from inspector.store import Store
from inspector.verify import SessionReport, verify

LIMIT = 60
"""Seconds a client may take."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One session of the demo, captured (or bundled) and verified."""

    recording: Recording
    report: SessionReport
    root: str
    """Folder above workspace and home, left out where paths are shown."""
    live: bool


def captured(binaries: Mapping[str, Path]) -> list[Proof]:
    """Run every client at the same time and verify what it sent."""
    with ThreadPoolExecutor(max(1, len(binaries))) as pool:
        return list(pool.map(_captured, binaries, binaries.values()))


def bundled(client: str) -> Proof:
    """The recording of a client that comes with the package."""
    with resources.as_file(resources.files("inspector") / "data" / "recordings" / client) as path:
        recording = folder.read(path)
    return _proof(recording, live=False)


def _captured(client: str, binary: Path) -> Proof:
    with TemporaryDirectory(prefix="inspector-demo-") as root:
        recording = capture(stage.build(client, Path(root)), binary)
    return _proof(recording, live=True)


def capture(place: stage.Stage, binary: Path) -> Recording:
    """One session of a real client on the stage, through `inspector run --mock`."""
    store, report = place.root / "demo.db", place.root / "report.json"
    options = ["--mock", str(place.script), "--store", str(store), "--report", str(report)]
    command = [*_inspector(), "run", *options, "--", *place.command(binary)]
    try:
        ended = subprocess.run(
            command,
            cwd=place.cwd,
            env=place.environment(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BadInput(f"{binary}: still running after {LIMIT} s; try `inspector doctor`") from None
    if ended.returncode:
        reason = " ".join(ended.stderr.split())[-400:]
        raise BadInput(f"{binary}: exit code {ended.returncode} ({reason}); try `inspector doctor`")
    with Store.open(store, create=False) as opened:
        return opened.recording(_session(report))


def _inspector() -> list[str]:
    """This very package as a command, wherever it lies and whatever the working directory holds."""
    root = str(Path(inspector.__file__).resolve().parents[1])
    path = f"import sys; sys.path.insert(0, {root!r})"
    code = f"{path}; from inspector.cli import main; sys.exit(main())"
    return [sys.executable, "-I", "-c", code]


def _session(report: Path) -> str:
    sessions = json.loads(report.read_text(encoding="utf-8"))["sessions"]
    if not sessions:
        raise BadInput("demo: the client's session was not stored; try `inspector doctor`")
    first = sessions[0]
    return first if isinstance(first, str) else str(first["id"])


def _proof(recording: Recording, *, live: bool) -> Proof:
    first = verify(recording, {}, SnapshotTree)
    report = verify(recording, learn.harvest_session(first), SnapshotTree) if live else first
    return Proof(recording, report, _root(recording), live)


def _root(recording: Recording) -> str:
    if recording.snapshot is None:
        return ""
    return recording.snapshot.environment.home.rpartition("/")[0] + "/"
