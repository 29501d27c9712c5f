"""The main job in one go: live, from recordings, and from the wheel."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

from inspector import demo

LIMIT = 120
CLASSES = ("rebuilt", "input", "known", "masked", "adopted", "different")


def _env(home: Path, root: Path, **more: str) -> dict[str, str]:
    """A user without clients; names and keys of theirs that must not reach the demo's clients."""
    nothing = home.parent / "no-programs"
    nothing.mkdir(exist_ok=True)
    theirs = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "CLAUDE_CONFIG_DIR": "/nowhere"}
    own = {"HOME": str(home), "PATH": str(nothing), "PYTHONPATH": str(root), "LANG": "C.UTF-8"}
    return {**theirs, **own, **more}


def _home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    for name in (".claude/CLAUDE.md", ".codex/AGENTS.md"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("not for the demo\n", encoding="utf-8")
    return home


def _tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def _run(
    arguments: list[str], cwd: Path, env: dict[str, str]
) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "inspector", "demo", *arguments]
    cwd.mkdir(exist_ok=True)
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, timeout=LIMIT, check=False
    )


def _totals(document: dict[str, Any]) -> list[tuple[str, bool]]:
    return [
        (session["client"], all(request["exact"] for request in session["requests"]))
        for session in document["sessions"]
    ]


def test_without_a_client_the_demo_proves_recordings_of_both_and_says_so(
    root: Path, tmp_path: Path
) -> None:
    home, empty = _home(tmp_path), tmp_path / "empty"
    before = _tree(home)
    ended = _run([], empty, _env(home, root))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "No client found" in ended.stdout
    assert "7 of 7 requests rebuilt byte for byte" in ended.stdout
    for name in ("tides/service/CLAUDE.md", "tides/.claude/rules/service.md", "tides/AGENTS.md"):
        assert name in ended.stdout
    assert (_tree(home), _tree(empty)) == (before, {})


def test_the_json_document_is_the_one_of_verify(root: Path, tmp_path: Path) -> None:
    ended = _run(["--json"], tmp_path / "empty", _env(_home(tmp_path), root))
    document = json.loads(ended.stdout)
    assert document["schema"] == 1
    assert _totals(document) == [("claude-code", True), ("codex", True)]
    for session in document["sessions"]:
        for request in session["requests"]:
            counts = request["bytes"]
            assert sum(counts[name] for name in CLASSES) == counts["total"]


def test_the_recordings_keep_no_request_but_the_conversation_and_no_real_name() -> None:
    for client in ("claude-code", "codex"):
        recording = demo.bundled(client).recording
        assert {exchange.method for exchange in recording.exchanges} == {"POST"}
        assert recording.snapshot is not None
        assert recording.snapshot.environment.home.startswith("/tmp/inspector-golden/")


def test_a_program_that_is_no_client_is_refused_in_one_line(root: Path, tmp_path: Path) -> None:
    ended = _run(["--client-binary", "/bin/sh"], tmp_path / "empty", _env(_home(tmp_path), root))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "inspector: /bin/sh: neither named claude nor codex; give the client's own program\n"
    )


def test_without_npm_the_demo_says_so_and_goes_on_with_recordings(
    root: Path, tmp_path: Path
) -> None:
    ended = _run(["--install-clients"], tmp_path / "empty", _env(_home(tmp_path), root))
    assert ended.returncode == 0
    assert ended.stderr.startswith("inspector: npm: not on PATH")
    assert "7 of 7 requests rebuilt byte for byte" in ended.stdout


@pytest.mark.client
def test_the_real_clients_are_rebuilt_to_the_captured_sha256_and_nothing_of_the_user_is_touched(
    root: Path, tmp_path: Path, binaries: dict[str, Path]
) -> None:
    home, empty = _home(tmp_path), tmp_path / "empty"
    before = _tree(home)
    given = [word for path in binaries.values() for word in ("--client-binary", str(path))]
    path = {"PATH": os.environ["PATH"]}
    ended = _run(["--json", *given], empty, _env(home, root, **path))
    document = json.loads(ended.stdout)
    proof = {
        session["client"]: [
            (request["exact"], request["sha256_checked"]) for request in session["requests"]
        ]
        for session in document["sessions"]
    }
    assert proof == {"claude-code": [(True, True)] * 4, "codex": [(True, True)] * 3}
    assert ended.returncode == 0
    assert (_tree(home), _tree(empty)) == (before, {})


def test_the_wheel_carries_all_the_demo_needs(root: Path, tmp_path: Path) -> None:
    built = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(tmp_path)]
    subprocess.run([*built, str(root)], check=True, capture_output=True)
    wheel = next(tmp_path.glob("wire_inspector-*.whl"))
    place = tmp_path / "venv"
    venv.create(place, with_pip=True)
    pip = [str(place / "bin/python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    home, empty = _home(tmp_path), tmp_path / "empty"
    empty.mkdir()
    env = _env(home, root)
    del env["PYTHONPATH"]
    program = str(place / "bin/inspector")
    ended = subprocess.run(
        [program, "demo"], cwd=empty, env=env, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "7 of 7 requests rebuilt byte for byte" in ended.stdout
