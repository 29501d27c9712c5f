"""`inspector mock` as a user starts it."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

LIMIT = 30


def words(*more: str) -> list[str]:
    return [sys.executable, "-m", "inspector", "mock", *more]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_serves_and_ends_on_a_signal(
    tmp_path: Path, number: int, root: Path
) -> None:
    (tmp_path / "s.yaml").write_text("- text: I am in {PLACE}\n")
    log = tmp_path / "log"
    env = {**os.environ, "PYTHONPATH": str(root)}
    command = words(
        str(tmp_path / "s.yaml"), "--log", str(log), "--run", "5", "--hole", "PLACE=Rome"
    )
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        with urllib.request.urlopen(
            f"{url}/v1/messages", json.dumps({"tools": [{}]}).encode(), timeout=LIMIT
        ) as answer:
            message = json.loads(answer.read())
        server.send_signal(number)
        assert server.wait(LIMIT) == 0
    assert (message["id"], message["content"]) == (
        "msg_000500000000000000000001",
        [{"type": "text", "text": "I am in Rome"}],
    )
    assert json.loads(log.read_text())["answer"]["id"] == message["id"]


def test_a_script_not_played_out_as_expected_is_exit_1(tmp_path: Path, root: Path) -> None:
    (tmp_path / "s.yaml").write_text("{replies: [], expect: 1}")
    env = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen(
        words(str(tmp_path / "s.yaml")),
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        server.terminate()
        _, err = server.communicate(timeout=LIMIT)
    assert (server.returncode, err) == (
        1,
        "the script expects 1 main request, the client made 0\n",
    )


@pytest.mark.parametrize(
    ("hole", "code", "end"),
    [
        ("PLACE", 2, "--hole PLACE: write NAME=TEXT; see `inspector mock --help`\n"),
        (None, 2, "give a YAML or JSON file\n"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    tmp_path: Path, root: Path, hole: str | None, code: int, end: str
) -> None:
    (tmp_path / "s.yaml").write_text("[]")
    more = ["--hole", hole, str(tmp_path / "s.yaml")] if hole else [str(tmp_path / "none.yaml")]
    ended = subprocess.run(
        words(*more),
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (code, "")
    assert ended.stderr.endswith(end)
