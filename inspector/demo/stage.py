"""The demo's stage: a throwaway home and a copy of the bundled workspace, nothing of the user's.

Rule: the client sees an environment emptied but for PATH, TERM and LANG, an own HOME and CODEX_HOME
and a made-up key.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from inspector.mock.script import fill

PROMPTS = {
    "claude-code": "When is high water in Lerwick?",
    "codex": "Use $greeting: when is high water in Lerwick?",
}
_CODEX_CONFIG = """\
approval_policy = "never"
sandbox_mode = "danger-full-access"

[mcp_servers.clock]
command = {python}
args = {clock}
"""
_KEPT = ("PATH", "TERM", "LANG")
_KEYS = {"ANTHROPIC_API_KEY": "sk-ant-api03-demo-demo-demo-demo", "OPENAI_API_KEY": "sk-demo-000"}


@dataclass(frozen=True, slots=True)
class Stage:
    """Where one client of the demo runs."""

    client: str
    root: Path

    @property
    def workspace(self) -> Path:
        """The project."""
        return self.root / "tides"

    @property
    def cwd(self) -> Path:
        """Where the client starts: Codex below the root, so that two AGENTS.md apply."""
        return self.workspace / "service" if self.client == "codex" else self.workspace

    @property
    def script(self) -> Path:
        """What the model answers."""
        return self.root / "script.json"

    def command(self, binary: Path) -> list[str]:
        """The client's command line."""
        prompt = PROMPTS[self.client]
        if self.client == "codex":
            return [str(binary), "exec", "--skip-git-repo-check", prompt]
        allowed = ["Skill", "Read", "mcp__clock__now"]
        configuration = str(self.root / "mcp.json")
        return [
            str(binary),
            "-p",
            prompt,
            "--mcp-config",
            configuration,
            "--allowedTools",
            *allowed,
        ]

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """What the client and the capture around it see."""
        home = self.root / "home"
        own = {
            "HOME": str(home),
            "CODEX_HOME": str(home / ".codex"),
            "TMPDIR": str(self.root / "tmp"),
            "INSPECTOR_DATA": str(self.root / "data"),
        }
        kept = {name: env[name] for name in _KEPT if name in env}
        return {**kept, **own, **_KEYS}


def build(client: str, root: Path) -> Stage:
    """Put the bundled workspace, an empty home and the MCP server there."""
    stage = Stage(client, root.resolve())
    for folder in ("home/.codex", "home/.claude", "tmp", "data"):
        (stage.root / folder).mkdir(parents=True)
    _copy(_bundled() / "workspace", stage.workspace)
    for file in ("probes/server.py", "clock.json"):
        (stage.root / file.rpartition("/")[2]).write_bytes((_bundled() / file).read_bytes())
    python, clock = sys.executable, [str(stage.root / "server.py"), str(stage.root / "clock.json")]
    if client == "codex":
        (stage.workspace / ".git").mkdir()
        config = _CODEX_CONFIG.format(python=json.dumps(python), clock=json.dumps(clock))
        (stage.root / "home/.codex/config.toml").write_text(config, encoding="utf-8")
    servers = {"mcpServers": {"clock": {"command": python, "args": clock}}}
    (stage.root / "mcp.json").write_text(json.dumps(servers), encoding="utf-8")
    stage.script.write_text(json.dumps(_script(stage)), encoding="utf-8")
    return stage


def _script(stage: Stage) -> object:
    import yaml

    text = (_bundled() / f"{stage.client}.yaml").read_text(encoding="utf-8")
    loaded: object = yaml.load(text, Loader=yaml.CSafeLoader)
    return fill(loaded, {"{WS}": str(stage.workspace)})


def _bundled() -> Traversable:
    return resources.files("inspector") / "data"


def _copy(source: Traversable, target: Path) -> None:
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        for entry in source.iterdir():
            _copy(entry, target / entry.name)
    else:
        target.write_bytes(source.read_bytes())
