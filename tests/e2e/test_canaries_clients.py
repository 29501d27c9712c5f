"""Secrets of more than twenty kinds, planted wherever a real client picks text up: none in any file of ours."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.capture.test_capture_safety import CANARIES
from tests.e2e.places import files_of_ours
from tests.e2e.test_capture_clients import ARGUMENTS, CONFIG, Place, place
from tests.e2e.test_every_route import lines

pytestmark = pytest.mark.client

FLAT = {kind: secret.replace("\n", " ") for kind, secret in CANARIES.items()}
TEXT = "".join(f"{kind}: {secret}\n" for kind, secret in CANARIES.items())
ONE_LINE = TEXT.replace("\n", " ")
PIECES = {
    kind: secret.splitlines()[1] if "\n" in secret else secret for kind, secret in CANARIES.items()
}
"""What is looked for: of a private key its inner line."""
ENV = {f"PLAIN_{number}": secret for number, secret in enumerate(CANARIES.values())}
HEADERS = {f"x-note-{number}": secret for number, secret in enumerate(FLAT.values())}


def plant_claude_code(here: Place, server: list[str]) -> list[dict[str, Any]]:
    """Settings, MCP, rules, hooks; then tools print and read them, and the model says them."""
    show = f"sh {here.workspace / 'look.sh'}"
    (here.workspace / "CLAUDE.md").write_text(f"# rules\n{TEXT}")
    hooks = {
        event: [{"hooks": [{"type": "command", "command": show}]}]
        for event in ("SessionStart", "UserPromptSubmit")
    }
    (here.workspace / ".claude").mkdir()
    settings = {"env": ENV, "hooks": hooks}
    (here.workspace / ".claude/settings.json").write_text(json.dumps(settings))
    servers = {
        "srv": {"command": server[0], "args": server[1:], "env": ENV},
        "far": {"type": "http", "url": "http://127.0.0.1:9/mcp", "headers": HEADERS},
    }
    (here.workspace / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    read = {"name": "Read", "input": {"file_path": str(here.workspace / "keys.txt")}}
    return [
        {"text": ONE_LINE, "tools": [{"name": "Bash", "input": {"command": show}}]},
        {"thinking": ONE_LINE, "tools": [read]},
        {"text": "all done"},
    ]


def plant_codex(here: Place, server: list[str]) -> list[dict[str, Any]]:
    """Configuration, MCP, rules; then the shell prints them, and the model says them."""
    (here.workspace / "AGENTS.md").write_text(f"# rules\n{TEXT}")
    table = ", ".join(f"{name} = {json.dumps(value)}" for name, value in ENV.items())
    headers = ", ".join(f"{name} = {json.dumps(value)}" for name, value in HEADERS.items())
    (here.root / "home/.codex/config.toml").write_text(
        f"{CONFIG}developer_instructions = {json.dumps(TEXT)}\n"
        f"[mcp_servers.srv]\ncommand = {json.dumps(server[0])}\n"
        f"args = {json.dumps(server[1:])}\nenv = {{ {table} }}\n"
        f'[mcp_servers.far]\nurl = "http://127.0.0.1:9/mcp"\nhttp_headers = {{ {headers} }}\n'
    )
    return [
        {"text": ONE_LINE, "shell": f"sh {here.workspace / 'look.sh'}"},
        {"text": "all done"},
    ]


@pytest.mark.parametrize(
    ("client", "route", "websocket"),
    [
        ("claude-code", "tls", "refuse"),
        ("claude-code", "raw-export", "refuse"),
        ("codex", "tls", "accept"),
        ("codex", "base-url", "refuse"),
    ],
)
def test_a_planted_secret_of_no_kind_is_in_any_file_of_ours(
    tmp_path: Path, root: Path, binaries: dict[str, Path], client: str, route: str, websocket: str
) -> None:
    here = place(tmp_path, binaries[client])
    (here.workspace / "keys.txt").write_text(TEXT)
    (tmp_path / "tmp").mkdir()
    here.env["TMPDIR"] = str(tmp_path / "tmp")
    (here.workspace / "look.sh").write_text(
        LOOK.format(root=tmp_path, seen=here.workspace / "seen")
    )
    (tmp_path / "srv.json").write_text(json.dumps({"name": "srv", "instructions": ONE_LINE}))
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data/secrets.txt").write_text("ACME-7Q-\\d{6}\n")
    server = [sys.executable, str(root / "fixtures/mcp/server.py"), str(tmp_path / "srv.json")]
    plant = plant_claude_code if client == "claude-code" else plant_codex
    here.env["MY_TOKEN"] = CANARIES["variable"]
    script = {"replies": plant(here, server), "websocket": websocket}
    ended = subprocess.run(
        lines(here, route, script, prompted(ARGUMENTS[client])), cwd=here.workspace, env=here.environ(),
        stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, b"all done\n"), ended.stderr.decode()
    stores = ["s.db", "inner.db"] if route == "raw-export" else ["s.db"]
    held = b"".join(ledger(here, store) for store in stores)
    assert held.count(b"redact") > 100
    files = files_of_ours(tmp_path) | {"recordings": held}
    del files[str(tmp_path / "data/secrets.txt")]
    assert {str(tmp_path / "s.db"), str(tmp_path / "data/redaction.key")} <= set(files)
    said = [line for line in ended.stderr.splitlines() if line.startswith(b"inspector:")]
    files["messages"] = b"\n".join(said)
    files |= told(here)
    assert len(files["verify"]) > 1000
    leaks = [
        (kind, name)
        for name, data in files.items()
        for kind, piece in PIECES.items()
        if piece.encode() in data
    ]
    assert leaks == []
    assert_private(here, route)


LOOK = """mkdir -p {seen}
cp -a {root}/tmp {root}/data {seen}/ 2>/dev/null
cat keys.txt
"""
"""Keeps our folders as they are while the client runs, and shows it the secrets."""


def assert_private(here: Place, route: str) -> None:
    """While the client ran, only its own export held a secret, where nobody else may look; gone now."""
    seen = here.workspace / "seen"
    ours = [path for path in seen.glob("*/*") if path.name.startswith(("inspector-", "export-"))]
    ours += [path for path in (seen / "data").iterdir() if path not in ours]
    files = [path for top in ours for path in (top, *top.rglob("*")) if path.is_file()]
    assert str(seen / "data/redaction.key") in map(str, files)
    holding = {
        path.relative_to(seen).parts[1].partition("-")[0]
        for path in files
        if path.name != "secrets.txt"
        and any(piece.encode() in path.read_bytes() for piece in PIECES.values())
    }
    assert holding == ({"export"} if route == "raw-export" else set())
    assert {oct(path.stat().st_mode & 0o777) for path in ours if path.is_dir()} <= {"0o700"}
    left = [*(here.root / "tmp").iterdir(), *(here.root / "data").iterdir()]
    assert [path for path in left if path.name.startswith(("inspector-", "export-"))] == []


def told(here: Place) -> dict[str, bytes]:
    """What our commands print and write of the session."""
    out = here.root / "proof"
    commands = {
        "verify": ["--json", "--out", str(out)],
        "show": ["--json"],
        "turns": ["--environment", str(out / "facts.yaml")],
    }
    found: dict[str, bytes] = {}
    for name, options in commands.items():
        words = [
            sys.executable,
            "-m",
            "inspector",
            name,
            "last",
            "--store",
            str(here.root / "s.db"),
        ]
        ended = subprocess.run(
            [*words, *options], env=here.environ(), capture_output=True, timeout=120, check=False
        )
        assert ended.returncode in (0, 1), ended.stderr.decode()
        found[name] = ended.stdout + ended.stderr
    written = {str(path): path.read_bytes() for path in out.iterdir()}
    assert any(name.endswith(".built") for name in written)
    return found | written


def prompted(arguments: list[str]) -> list[str]:
    """A client's arguments with all canaries in the prompt."""
    return [f"{word} {ONE_LINE}" if word == "hello there" else word for word in arguments]


def ledger(here: Place, name: str) -> bytes:
    """All that a store gives back, bodies decompressed."""
    from inspector.store import Store

    with Store.open(here.root / name, create=False) as store:
        held = [store.recording(session.id) for session in store.sessions()]
    return repr(held).encode()
