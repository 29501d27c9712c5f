"""`inspector replay` around small programs: what is refused, how it ends."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.run.test_run import ASK, LIMIT, environ, run

PROGRAM = """
for text in ("one", "two"):
    ask(body={"model": "m", "system": "s", "tools": [], "messages": [{"role": "user", "content": text}]})
"""

type Replay = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def replay(tmp_path: Path) -> Replay:
    """Replays a recorded session of two requests to a program."""
    ended = run(tmp_path, PROGRAM, replies=[{"text": "a"}, {"text": "b"}])
    assert ended.returncode == 0, ended.stderr.decode()

    def replayed(program: str, *options: str) -> tuple[int, dict[str, Any], str]:
        source = tmp_path / "agent.py"
        source.write_text(ASK + program)
        ours = [sys.executable, "-m", "inspector", "replay", "--json", "--store", tmp_path / "s.db"]
        command = [*map(str, ours), *options, "last", "--", sys.executable, str(source)]
        ended = subprocess.run(
            command,
            env=environ(tmp_path),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT,
            check=False,
            cwd=tmp_path,
        )
        said: dict[str, Any] = json.loads(ended.stdout) if ended.stdout else {}
        return ended.returncode, said, ended.stderr.decode()

    return replayed


def test_any_program_can_be_answered_from_its_recording(replay: Replay) -> None:
    code, said, words = replay(PROGRAM)
    assert code == 0, words
    assert (len(said["reused"]), said["diverged"], said["unused"], said["ended"]) == (
        2,
        [],
        [],
        None,
    )


def test_a_program_that_is_killed_on_the_way_has_not_been_replayed(replay: Replay) -> None:
    killed = PROGRAM + "    import os; os.kill(os.getpid(), 9)\n"
    code, said, _ = replay(killed)
    assert (code, said["exit_code"]) == (1, 137)
    assert said["ended"] == "the client was ended by signal 9"
    assert len(said["unused"]) == 1


def test_a_difference_ends_a_program_that_would_go_on(replay: Replay) -> None:
    asks_on = PROGRAM.replace("two", "three") + "import time; time.sleep(600)\n"
    stubborn = "import contextlib\n" + asks_on.replace(
        "    ask(", "    with contextlib.suppress(Exception): ask("
    )
    code, said, words = replay(stubborn)
    assert code == 1
    assert "inspector: request 2 (main): /messages/0/content differs from recorded request" in words
    assert [one["request"] for one in said["diverged"]] == [2]
    assert len(said["reused"]) == 1


def test_nothing_else_is_reached(replay: Replay) -> None:
    elsewhere = (
        PROGRAM
        + """
import urllib.error
try:
    ask(host="example.com")
except (urllib.error.HTTPError, OSError) as error:
    print("refused", error)
"""
    )
    code, said, words = replay(elsewhere)
    assert code == 0, words
    assert "refused" in words
    assert said["counts"]["asides"] == 0


def test_a_program_that_asks_nothing_is_told(replay: Replay) -> None:
    code, said, words = replay("")
    assert code == 3
    assert said["reused"] == []
    assert "the client asked its model nothing" in words
