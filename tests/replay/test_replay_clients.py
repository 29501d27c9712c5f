"""`inspector replay` around the real clients, in a network namespace with loopback only."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from inspector.demo import installed
from tests.e2e.test_capture_clients import (
    ARGUMENTS,
    CLIENTS,
    LIMIT,
    SCRIPTS,
    Place,
    place,
)

pytestmark = pytest.mark.client

RULES = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md"}


@dataclass(frozen=True)
class Ended:
    """What a replay gave."""

    code: int
    said: dict[str, Any]
    stderr: str


def recorded(root: Path, program: Path, client: str, route: str = "base-url") -> Place:
    here = written(root, program, client)
    ended = here.run(route, {"replies": SCRIPTS[client], "expect": 3}, ARGUMENTS[client])
    assert ended.returncode == 0, ended.stderr.decode()
    return here


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Place]:
    """A session of each client, recorded once."""
    found = {client: installed(client) for client in CLIENTS}
    assert None not in found.values(), f"not installed: {found}"
    return {
        client: recorded(tmp_path_factory.mktemp("recorded") / "there", program, client)
        for client, program in found.items()
        if program is not None
    }


def written(root: Path, program: Path, client: str) -> Place:
    root.mkdir()
    here = place(root, program)
    (here.workspace / RULES[client]).write_text("Speak plainly.\nNever swear.\n")
    return here


def replayed(there: Place, here: Place, client: str, *options: str) -> Ended:
    """The session recorded there, replayed to a client here."""
    apart = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    store = str(there.root / "s.db")
    ours = [
        sys.executable,
        "-m",
        "inspector",
        "replay",
        "--json",
        "--store",
        store,
        "--limit",
        "60",
    ]
    command = [*apart, *ours, *options, "last", "--", str(here.program), *ARGUMENTS[client]]
    ended = subprocess.run(
        command, cwd=here.workspace, env=here.environ(), stdin=subprocess.DEVNULL,
        capture_output=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    said: dict[str, Any] = json.loads(ended.stdout) if ended.stdout else {}
    return Ended(ended.returncode, said, ended.stderr.decode())


@pytest.mark.parametrize("client", CLIENTS)
def test_a_session_on_the_default_host_replays_in_another_folder_and_home(
    tmp_path: Path, binaries: dict[str, Path], client: str
) -> None:
    there = recorded(tmp_path / "there", binaries[client], client, "tls")
    here = written(tmp_path / "a longer place", binaries[client], client)
    replays_whole(there, here, client)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_session_replays_until_a_rule_is_edited(
    tmp_path: Path, recordings: dict[str, Place], client: str
) -> None:
    there = recordings[client]
    here = written(tmp_path / "a longer place", there.program, client)
    replays_whole(there, here, client)
    rule = here.workspace / RULES[client]
    rule.write_text("Speak plainly.\nNever shout.\n")
    (here.workspace / "made.txt").unlink()
    ended = replayed(there, here, client)
    assert ended.code == 1, ended.stderr
    assert ended.said["reused"] == []
    (diverged,) = ended.said["diverged"]
    assert diverged["files"][0] == f"{rule}: changed in line 2"
    nearest = diverged["nearest"][0]
    recorded_rule = there.workspace / RULES[client]
    assert (nearest["origin"], nearest["line"]) == (f"file:{recorded_rule}", 2)
    assert ("swear" in nearest["recorded"], "shout" in nearest["sent"]) == (True, True)
    assert not (here.workspace / "made.txt").exists()
    lenient = ["--mode", "lenient", "--allow", f"file:*/{RULES[client]}"]
    ended = replayed(there, here, client, *lenient)
    assert ended.code == 0, ended.said or ended.stderr
    assert len(ended.said["reused"]) == 3
    assert {one["allowed"] for one in ended.said["diverged"]} == {True}


def replays_whole(there: Place, here: Place, client: str) -> None:
    ended = replayed(there, here, client)
    assert ended.code == 0, ended.said or ended.stderr
    assert [one["kind"] for one in ended.said["reused"]] == ["main"] * 3
    assert (ended.said["diverged"], ended.said["unused"]) == ([], [])
    assert (here.workspace / "made.txt").read_text() == "two\n"
    assert "all done" in ended.stderr  # with --json the client's own output stands there


@pytest.mark.parametrize("client", CLIENTS)
def test_after_a_fork_a_script_goes_on(
    tmp_path: Path, recordings: dict[str, Place], client: str
) -> None:
    there = recordings[client]
    here = written(tmp_path / "here", there.program, client)
    script = tmp_path / "on.yaml"
    script.write_text("- text: another end\n")
    ended = replayed(there, here, client, "--fork", "1", "--script", str(script))
    assert ended.code == 0, ended.said or ended.stderr
    counts = {name: ended.said["counts"][name] for name in ("reused", "answered_otherwise")}
    assert counts == {"reused": 1, "answered_otherwise": 1}
    assert (ended.said["diverged"], ended.said["unused"]) == ([], [])
    assert "another end" in ended.stderr
    assert not (here.workspace / "made.txt").exists()


def test_a_recording_of_another_client_is_refused(
    tmp_path: Path, recordings: dict[str, Place]
) -> None:
    program = recordings["codex"].program
    here = written(tmp_path / "here", program, "codex")
    ended = replayed(recordings["claude-code"], here, "codex")
    assert (ended.code, ended.said) == (2, {})
    assert ended.stderr.splitlines()[-1] == (
        f"inspector: {program}: this is codex, the recording is of claude-code;"
        " replay it with that client"
    )


def test_a_client_that_takes_too_long_is_ended(
    tmp_path: Path, recordings: dict[str, Place]
) -> None:
    there = recordings["claude-code"]
    here = written(tmp_path / "here", there.program, "claude-code")
    ended = replayed(there, here, "claude-code", "--limit", "0.2")
    late = "the client did not end within 0.2 s; see --limit"
    assert (ended.code, ended.said["ended"]) == (1, late)
