"""README's commands run as they stand there."""

import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inspector import demo
from inspector.store import Store

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LIMIT = 120


def _blocks(root: Path, language: str) -> list[str]:
    text = (root / "README.md").read_text(encoding="utf-8")
    return [body for name, body in _BLOCK.findall(text) if name == language]


def _commands(root: Path) -> list[str]:
    lines = "".join(_blocks(root, "sh")).splitlines()
    return [line.partition("  #")[0] for line in lines if line.strip()]


def _environment(root: Path, tmp_path: Path, path: str) -> dict[str, str]:
    program = tmp_path / "bin" / "inspector"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m inspector "$@"\n')
    program.chmod(0o755)
    return {
        "PATH": f"{program.parent}:{path}",
        "HOME": str(tmp_path / "home"),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(root),
        "INSPECTOR_DATA": str(tmp_path / "data"),
    }


def _captured(tmp_path: Path) -> None:
    """A store whose newest session is a user's: two requests of a real client."""
    recording = demo.bundled("claude-code").recording
    assert recording.snapshot is not None
    (tmp_path / "data").mkdir()
    with Store.open(tmp_path / "data" / "store.db") as store:
        store.put_session(replace(recording.session, source="run"))
        for number, exchange in enumerate(recording.exchanges, 1):
            store.put(replace(exchange, number=number))
        store.put_snapshot(recording.session.id, recording.snapshot)


def _run(line: str, cwd: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", line],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def _shown(root: Path, env: dict[str, str], folder: Path, *, live: bool) -> dict[str, int]:
    (folder / "script.yaml").write_text(_blocks(root, "yaml")[0], encoding="utf-8")
    lines = [line for line in _commands(root) if (" -- claude " in line) == live]
    ended = {line: _run(line, folder, env) for line in lines}
    complaints = "\n".join(f"{line}: {run.stderr}" for line, run in ended.items() if run.stderr)
    assert "Traceback" not in complaints
    return {line: run.returncode for line, run in ended.items()}


def test_the_tour_runs_on_a_captured_session(root: Path, tmp_path: Path) -> None:
    _captured(tmp_path)
    folder = tmp_path / "folder"
    folder.mkdir()
    env = _environment(root, tmp_path, "/usr/bin:/bin")
    codes = _shown(root, env, folder, live=False)
    differing = {line for line, code in codes.items() if code == 1}
    assert set(codes.values()) <= {0, 1}
    # The words that are looked for stand nowhere in that session.
    assert {line.split()[1] for line in differing} <= {"diff", "explain", "find"}
    assert (folder / "proof" / "001.built").is_file()
    assert (folder / "requests" / "001.json").is_file()


@pytest.mark.client
def test_the_tour_captures_a_real_client_against_a_script(
    root: Path, tmp_path: Path, binaries: dict[str, Path]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    env = _environment(root, tmp_path, f"{binaries['claude-code'].parent}:/usr/bin:/bin")
    codes = _shown(root, env, folder, live=True)
    assert codes
    assert set(codes.values()) == {0}
    ended = _run("inspector verify last", folder, env)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_where_python_is_too_old_the_two_lines_name_what_is_needed_and_do_nothing(
    root: Path, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    old = tmp_path / "bin" / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    for line in _blocks(root, "console"):
        ended = subprocess.run(
            ["/bin/sh", "-c", line.strip().removeprefix("$ ")],
            cwd=tmp_path,
            env={"PATH": str(tmp_path / "bin")},
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert (ended.returncode, ended.stdout) == (1, "")
        assert ended.stderr == "Python 3.12 or newer (with venv) is needed\n"
    assert not (tmp_path / ".venv").exists()


def test_the_two_lines_name_the_interpreters_in_the_order_they_are_tried(root: Path) -> None:
    setup, tests = (block.strip() for block in _blocks(root, "console"))
    first = "for p in python3.12 python3.13 python3.14 python3; do "
    assert all(line.startswith(f"$ {first}") for line in (setup, tests))
    assert setup.endswith("inspector demo --install-clients")
    assert tests.endswith("pytest -q")
    assert (root / ".python-version").read_text(encoding="utf-8") == "3.12\n"
