"""A second judge of what we build for Codex: the client's own print of its input, offline."""

import json
import os
import re
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from inspector.demo import installed
from tests.commands import Run
from tests.e2e.places import APART
from tests.reports.conftest import Desk

pytestmark = pytest.mark.client

_SEAL = re.compile(r"⟦sha256:([0-9a-f]{64}) (\d+)⟧")


def test_r68_what_codex_prints_of_its_input_is_what_we_build(
    desk: Desk, run: Run, tmp_path: Path
) -> None:
    skill = "---\nname: alpha\ndescription: does one thing\n---\nbody\n"
    desk.put({"ws/AGENTS.md": "Say CANARY.\n", "home/.codex/AGENTS.md": "Be brief.\n"})
    desk.put({"ws/.git/HEAD": "ref: refs/heads/main\n", "ws/.agents/skills/alpha/SKILL.md": skill})
    desk.put({"turns.json": json.dumps(TURNS)})
    place = ("--workspace", tmp_path / "ws", "--home", tmp_path / "home")
    code, _, err = run(
        *("build", "--client", "codex", "--client-version", "0.171.0", *place),
        *("--turns", tmp_path / "turns.json", "--out", tmp_path / "out"),
    )
    assert code == 0, err
    body = json.loads((tmp_path / "out/001.json").read_text(encoding="utf-8"))
    for ours, theirs in zip(_texts(body["input"]), _texts(printed(tmp_path)), strict=True):
        assert same(ours, theirs), theirs


def printed(root: Path) -> list[dict[str, Any]]:
    """What `codex debug prompt-input` says, without a network."""
    program = installed("codex")
    assert program is not None
    command = [
        *APART,
        str(program),
        "debug",
        "prompt-input",
        "-c",
        'approval_policy="never"',
        "Hello",
    ]
    environment = {"HOME": str(root / "home"), "PATH": os.environ["PATH"]}
    ended = subprocess.run(
        command,
        cwd=root / "ws",
        env={**environment, "OPENAI_API_KEY": "sk-fake-000"},
        capture_output=True,
        check=True,
        timeout=60,
    )
    found: list[dict[str, Any]] = json.loads(ended.stdout)
    return found


def _texts(items: list[dict[str, Any]]) -> list[str]:
    """The words of all messages, in order."""
    messages = [item for item in items if item["type"] == "message"]
    return [part["text"] for message in messages for part in message["content"]]


def same(ours: str, theirs: str) -> bool:
    """Whether two texts are equal; one of the client's that is not at hand, by its digest."""
    parts = _SEAL.split(ours)
    pattern = "(.*)".join(map(re.escape, parts[::3]))
    found = re.fullmatch(pattern, theirs, re.DOTALL)
    return found is not None and all(
        sha256(words.encode()).hexdigest() == digest
        for words, digest in zip(found.groups(), parts[1::3], strict=True)
    )


TURNS = {
    "schema_version": 1,
    "client": "codex",
    "version": "0.171.0",
    "turns": [{"events": [{"type": "prompted", "text": "Hello"}]}],
}
