"""Building a scenario's workspace at its fixed place, the same each time."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.golden.scenario import FIXTURES, Case, data, file_of

_DEVICE = "c" * 64
"""The device id both runs of a scenario share; the client makes a random one where none is seeded."""


def build(case: Case) -> None:
    """Make the workspace, home and server data of a case, from nothing."""
    root, scenario = case.root, case.scenario
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("ws", "home", "tmp", "bin", "mcp"):
        (root / folder).mkdir(parents=True)
    (root / "bin" / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    shutil.copyfile(FIXTURES / "mcp" / "server.py", root / "mcp" / "server.py")
    for server, spec in scenario.mcp.items():
        stem = file_of(server)
        served = {**spec, "log": str(root / "mcp" / f"{stem}.log")}
        (root / "mcp" / f"{stem}.json").write_text(json.dumps(served), encoding="utf-8")
    if scenario.hooks:
        (root / "hooks").mkdir()
        shutil.copy(FIXTURES / "hooks" / "hook.py", root / "hooks" / "hook.py")
        (root / "hooks" / "hooks.json").write_text(json.dumps(scenario.hooks), encoding="utf-8")
    for path, content in {**_seeded(case), **scenario.files}.items():
        _put(root / path, data(content))
    for path, target in scenario.links.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).symlink_to(target)
    (root / scenario.cwd).mkdir(parents=True, exist_ok=True)
    _git(case)
    if scenario.setup:
        shell(case, scenario.setup)


def managed(case: Case) -> None:
    """Put managed files below /etc/claude-code in this process's private mount namespace.

    The whole of /etc is shadowed by a copy, so that nothing appears on the machine itself.
    """
    copy = Path("/run") if Path("/run").is_dir() else Path("/mnt")
    _call("mount", "-t", "tmpfs", "tmpfs", str(copy))
    _call("cp", "-a", "/etc", str(copy / "etc"))
    _call("mount", "--bind", str(copy / "etc"), "/etc")
    for path, content in case.scenario.managed.items():
        _put(Path("/etc/claude-code") / path, data(content))


def shell(case: Case, lines: str) -> None:
    """Run shell lines in the root with a fixed environment; the scenario wrote them."""
    subprocess.run(["sh", "-ec", lines], cwd=case.root, env=environment(case), check=True)


def environment(case: Case) -> dict[str, str]:
    """What every process of a case sees: nothing of the user's."""
    return {
        "HOME": str(case.root / "home"),
        "PATH": f"{case.root / 'bin'}:/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "TMPDIR": str(case.root / "tmp"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
        "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    }


def _seeded(case: Case) -> dict[str, str]:
    if case.client != "claude-code":
        return {}
    return {"home/.claude.json": json.dumps({"userID": _DEVICE})}


def _git(case: Case) -> None:
    kind = case.scenario.git
    if kind == "empty":
        (case.root / "ws" / ".git").mkdir()
    if kind in ("init", "commit"):
        lines = "cd ws; git init -q -b main .; git config user.email tester@example.com; "
        lines += "git config user.name Tester; "
        lines += "git add -A; git commit -q -m 'first commit'" if kind == "commit" else ""
        shell(case, lines)


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _call(*command: str) -> None:
    subprocess.run(command, check=True)
