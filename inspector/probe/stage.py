"""A probe's place: a throwaway home, its workspace and servers; nothing of the user's.

Rule: the client sees an environment made here, an own HOME and a made-up key.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from inspector.probe.plan import Job, Probe, Step

_KEY = "sk-ant-api03-probe-probe-probe-probe"
_MODELS = {"claude-code": "--model"}


@dataclass(frozen=True, slots=True)
class Stage:
    """Where one job runs."""

    root: Path
    job: Job

    @property
    def probe(self) -> Probe:
        """The probe with its folder known."""
        return self.job.probe.filled(str(self.root))

    @property
    def cwd(self) -> Path:
        """Where the client starts."""
        return self.root / self.probe.cwd

    def command(self, binary: Path, step: Step) -> list[str]:
        """The client's command line."""
        model = ["--model", self.job.model] if self.job.model else []
        servers = ["--mcp-config", str(self.root / "mcp.json")] if self.probe.mcp else []
        again = ["--continue"] if step.resume else []
        return [str(binary), "-p", step.prompt, *model, *servers, *step.argv, *again]

    def environment(self, path: str) -> dict[str, str]:
        """What the client and the capture around it see."""
        quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        return {
            "PATH": path,
            "HOME": str(self.root / "home"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "SHELL": "/bin/bash",
            "TMPDIR": str(self.root / "tmp"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "INSPECTOR_DATA": str(self.root.parent / "data"),
            "ANTHROPIC_API_KEY": _KEY,
            "DISABLE_AUTOUPDATER": "1",
            **(quiet if self.job.traffic == "essential" else {}),
        }


def build(job: Job, root: Path) -> Stage:
    """Put the probe's files, an empty home and its servers there."""
    stage = Stage(root, job)
    probe = stage.probe
    for folder in ("home/.claude", "tmp"):
        (root / folder).mkdir(parents=True)
    for name, content in probe.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    stage.cwd.mkdir(parents=True, exist_ok=True)
    if probe.mcp:
        _servers(probe.mcp, root)
    if probe.git:
        _git(root / (probe.top or probe.cwd), probe.git, stage.environment(_path()))
    return stage


def _servers(servers: Mapping[str, dict[str, Any]], root: Path) -> None:
    program = root / "server.py"
    program.write_bytes((resources.files("inspector") / "data/probes/server.py").read_bytes())
    entries: dict[str, object] = {}
    for number, (name, spec) in enumerate(servers.items()):
        file = root / f"server{number}.json"
        served = {**spec, "log": str(root / f"server.{name}.log")}
        file.write_text(json.dumps(served), encoding="utf-8")
        entries[name] = {"command": sys.executable, "args": [str(program), str(file)]}
    (root / "mcp.json").write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")


def _git(top: Path, branch: str, env: dict[str, str]) -> None:
    user = ["-c", "user.name=Probe", "-c", "user.email=probe@example.com"]
    for words in (
        ["init", "-q", "-b", branch, "."],
        ["add", "-A"],
        [*user, "commit", "-q", "-m", f"start of {top.name}"],
    ):
        subprocess.run(["git", *words], cwd=top, env=env, check=True, capture_output=True)


def _path() -> str:
    return "/usr/local/bin:/usr/bin:/bin"
