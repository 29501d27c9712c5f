"""Scenarios: what a golden is made from, read from `fixtures/scenarios/<client>/<name>.yaml`.

Those of another version than the one `demo` installs are in `<client>@<version>/`.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from inspector.installed import PACKAGES
from inspector.mock.script import fill

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
PLACE = Path("/tmp/inspector-golden")
"""Where workspaces are built: requests show these paths, so they are the same on every machine."""


class _Ours(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


type Content = str | dict[str, Any]


class Run(_Ours):
    """One client process; what is not given comes from the scenario."""

    prompt: str | None = None
    stdin: str | None = None
    argv: list[str] | None = None
    env: dict[str, str] | None = None
    cwd: str | None = None
    script: list[dict[str, Any]] | None = None
    counts: list[int | dict[str, Any]] | None = None
    setup: str | None = None
    resume: bool = False


class Scenario(_Ours):
    """A workspace and the client runs in it."""

    about: str
    rows: list[str] = Field(default_factory=list[str])
    like: str | None = None
    route: Literal["tls", "base-url"] = "base-url"
    git: Literal["init", "commit", "empty"] | None = None
    files: dict[str, Content] = Field(default_factory=dict[str, Content])
    links: dict[str, str] = Field(default_factory=dict[str, str])
    managed: dict[str, Content] = Field(default_factory=dict[str, Content])
    mcp: dict[str, dict[str, Any]] = Field(default_factory=dict[str, dict[str, Any]])
    web: dict[str, dict[str, Any]] = Field(default_factory=dict[str, dict[str, Any]])
    hooks: dict[str, dict[str, Any]] = Field(default_factory=dict[str, dict[str, Any]])
    setup: str | None = None
    cwd: str = "ws"
    env: dict[str, str] = Field(default_factory=dict[str, str])
    argv: list[str] = Field(default_factory=list[str])
    prompt: str = "hello"
    stdin: str | None = None
    script: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    counts: list[int | dict[str, Any]] = Field(default_factory=list[int | dict[str, Any]])
    websocket: Literal["accept", "refuse", "fail"] = "refuse"
    terminal: bool = False
    runs: list[Run] = Field(default_factory=lambda: [Run()])

    def filled(self) -> list[Run]:
        """The runs with everything given."""
        return [
            Run(
                prompt=run.prompt if run.prompt is not None else self.prompt,
                stdin=run.stdin if run.stdin is not None else self.stdin,
                argv=self.argv if run.argv is None else run.argv,
                env=self.env if run.env is None else run.env,
                cwd=run.cwd or self.cwd,
                script=self.script if run.script is None else run.script,
                counts=self.counts if run.counts is None else run.counts,
                setup=run.setup,
                resume=run.resume,
            )
            for run in self.runs
        ]


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario with its name and the place its workspace is built at."""

    client: str
    name: str
    scenario: Scenario
    folder: str
    """Where it stands: the client, with its version where that is not the usual one."""

    @property
    def label(self) -> str:
        """What one says to mean this case alone."""
        return f"{self.folder}/{self.name}"

    @property
    def version(self) -> str | None:
        """The version of the client, where it is not the usual one."""
        return self.folder.partition("@")[2] or None

    @property
    def golden(self) -> str:
        """Where its recordings are, below `captures/`."""
        usual = PACKAGES[self.client].rpartition("@")[2]
        return f"{self.client}/{self.version or usual}/{self.name}"

    @property
    def root(self) -> Path:
        """The folder that holds workspace, home and everything else of the scenario."""
        return _root(self.folder, self.name)


def cases(names: tuple[str, ...] = ()) -> Iterator[Case]:
    """All scenarios, or those called NAME, FOLDER or FOLDER/NAME."""
    for path in sorted((FIXTURES / "scenarios").glob("*/*.yaml")):
        folder, name = path.parent.name, path.stem
        if not names or {name, folder, f"{folder}/{name}"}.intersection(names):
            client = folder.partition("@")[0]
            yield Case(client, name, _read(path, _root(folder, name)), folder)


def _root(folder: str, name: str) -> Path:
    return PLACE / f"{folder.replace('@', '-')}-{name}"


def file_of(server: str) -> str:
    """The file name stem for an MCP server's data."""
    return re.sub("[^A-Za-z0-9]+", "-", server).lower()


def data(content: Content) -> bytes:
    """The bytes of a file."""
    if isinstance(content, str):
        return content.encode()
    if "base64" in content:
        return b64decode(content["base64"])
    return json.dumps(content["json"], indent=1, ensure_ascii=False).encode()


def _read(path: Path, root: Path) -> Scenario:
    holes = {
        "{ROOT}": str(root),
        "{WS}": str(root / "ws"),
        "{HOME}": str(root / "home"),
        "{MCP}": str(root / "mcp" / "server.py"),
        "{HOOK}": str(root / "hooks" / "hook.py"),
    }
    return Scenario.model_validate(fill(written(path), holes))


def written(path: Path) -> dict[str, Any]:
    """The keys of a scenario; those it does not have are those of the one it is like."""
    own: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    like = own.get("like")
    if like is None:
        return own
    folder = path.parents[1] if "/" in like else path.parent
    return written(folder / f"{like}.yaml") | own
