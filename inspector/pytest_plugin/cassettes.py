"""Cassettes in tests: a recorded session answers the real client, or is recorded first.

Modes are vcrpy's: `none` replays only, `once` records where there is no cassette, `new_episodes`
adds what a cassette does not hold, `all` records anew.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

from inspector import named
from inspector.errors import InspectorError
from inspector.replay import cassettes

MODES = ("none", "once", "new_episodes", "all")
AGAIN = "run pytest with --inspector-record all, look at the difference and commit it"


@dataclass(frozen=True, slots=True)
class Played:
    """How a client's run with a cassette ended."""

    path: Path
    recorded: bool
    """Whether the cassette was written."""
    exit_code: int
    stdout: str
    stderr: str
    report: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The document of `inspector replay`; empty where everything was recorded."""


@dataclass(frozen=True, slots=True)
class Tape:
    """One use of a cassette."""

    path: Path
    mode: str
    command: Sequence[str]
    script: Path | None = None
    upstream: str | None = None
    cwd: Path | None = None
    env: Mapping[str, str] | None = None
    route: str = "auto"
    timeout: float = 300

    def play(self) -> Played:
        """Replay or record, as the mode says; what does not fit fails the test."""
        __tracebackhide__ = True
        there = cassettes.is_cassette(self.path)
        if self.mode == "none" and not there:
            _fail(f"{self.path}: no such cassette; record it: --inspector-record once")
        with tempfile.TemporaryDirectory(prefix="inspector-cassette-") as folder:
            if self.mode == "all" or not there:
                return self._record(Path(folder))
            return self._replay(Path(folder))

    def _record(self, folder: Path) -> Played:
        __tracebackhide__ = True
        words = ["run", *self._source("--mock"), "--route", self.route, "--no-mcp"]
        ended, said = self._ours(folder, words)
        rows: list[dict[str, Any]] = said.get("sessions") or []
        if ended.returncode or not rows:
            _fail(f"{self.path}: recording failed (exit {ended.returncode})\n{ended.stderr}")
        _written(self.path, rows[0]["id"], folder / "store.db")
        return Played(self.path, True, ended.returncode, ended.stdout, ended.stderr)

    def _replay(self, folder: Path) -> Played:
        __tracebackhide__ = True
        words = ["replay", "--limit", f"{self.timeout:g}"]
        if self.mode == "new_episodes":
            words += ["--mode", "record-missing", *self._source("--script")]
        ended, said = self._ours(folder, [*words, str(self.path)])
        if ended.returncode:
            _fail(_stale(self.path, ended.stderr, said))
        if new := said["new"]:
            _added(self.path, said["kept_as"], folder / "store.db", new)
        code = said["exit_code"]
        return Played(self.path, bool(new), code, ended.stdout, ended.stderr, said)

    def _source(self, option: str) -> list[str]:
        """What answers while recording; without it nothing does, so that nothing goes out."""
        __tracebackhide__ = True
        if self.script is None and self.upstream is None:
            _fail(f"{self.path}: nothing to record from; give script= or upstream=")
        return (
            ["--upstream", str(self.upstream)]
            if self.script is None
            else [option, str(self.script)]
        )

    def _ours(
        self, folder: Path, words: Sequence[str]
    ) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
        __tracebackhide__ = True
        report = folder / "report.json"
        first, *rest = words
        shared = ["--store", str(folder / "store.db"), "--report", str(report)]
        command = [sys.executable, "-m", "inspector", first, *shared, *rest, "--", *self.command]
        try:
            ended = subprocess.run(
                command,
                cwd=self.cwd,
                env=None if self.env is None else dict(self.env),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=self.timeout + 30,
                check=False,
            )
        except subprocess.TimeoutExpired:
            _fail(f"{self.path}: the client did not end within {self.timeout:g} s")
        said: dict[str, Any] = {}
        if report.exists():
            said = json.loads(report.read_text(encoding="utf-8"))
        return ended, said


def _written(path: Path, session: str, store: Path) -> None:
    __tracebackhide__ = True
    try:
        cassettes.write(named.find(session, store), path)
    except InspectorError as error:
        _fail(str(error))


def _added(path: Path, session: str, store: Path, new: Sequence[str]) -> None:
    """Put the requests that the cassette did not hold behind its own."""
    cassettes.add(named.find(session, store), path, new)


def _stale(path: Path, stderr: str, said: Mapping[str, Any]) -> str:
    """What differs, and what to do about it."""
    told = stderr.strip() or "the replay ended without a word"
    if not said:
        return f"{path}: {told}"
    files = [line for one in said["diverged"] for line in one["files"]]
    why = "a file of the workspace changed" if files else "the client or its surroundings changed"
    return f"{path}: the cassette is stale: {why}\n{told}\nIf that is meant, {AGAIN}."


def _fail(message: str) -> NoReturn:
    __tracebackhide__ = True
    pytest.fail(message, pytrace=False)
