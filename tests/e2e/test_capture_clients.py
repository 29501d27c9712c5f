"""`inspector run` around the real clients, in a network namespace with loopback only."""

import base64
import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from inspector.session import Exchange, ExchangeKind, Recording
from inspector.store import Store
from inspector.turns import Called, Replied
from tests.e2e.bare import bare

pytestmark = pytest.mark.client

LIMIT = 120
CLIENTS = ("claude-code", "codex")
ROUTES = ("tls", "base-url")
AGENTS = {"claude-code": "claude-cli/2.1.332 ", "codex": "codex_exec/0.171.0 "}
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "claude-code": [
        {"text": "looking", "tools": [{"name": "Read", "input": {"file_path": "{WS}/f.txt"}}]},
        {
            "thinking": "hm",
            "tools": [{"name": "Bash", "input": {"command": "echo two > made.txt; cat made.txt"}}],
        },
        {"text": "all done"},
    ],
    "codex": [
        {"reasoning": True, "shell": "cat ./f.txt"},
        {"shell": ["echo two > made.txt", "cat made.txt"]},
        {"text": "all done"},
    ],
}
ARGUMENTS = {
    "claude-code": ["-p", "hello there", "--dangerously-skip-permissions"],
    "codex": ["exec", "--skip-git-repo-check", "hello there"],
}
RESUME = {
    "claude-code": ["-p", "and again", "--continue"],
    "codex": ["exec", "--skip-git-repo-check", "resume", "--last", "and again"],
}
CONFIG = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n'


@dataclass
class Place:
    """A throwaway workspace and home, and what `inspector run` needs there."""

    root: Path
    program: Path
    env: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def workspace(self) -> Path:
        return self.root / "ws"

    def command(self, route: str, script: object, arguments: list[str]) -> list[str]:
        """A whole command line that runs in a namespace of its own."""
        (self.root / "script.json").write_text(json.dumps(script))
        apart = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
        ours = [
            sys.executable,
            "-m",
            "inspector",
            "run",
            "--route",
            route,
            "--store",
            str(self.root / "s.db"),
        ]
        mock = [
            "--mock",
            str(self.root / "script.json"),
            "--mock-log",
            str(self.root / "mock.jsonl"),
        ]
        return [*apart, *ours, *mock, "--", str(self.program), *arguments]

    def environ(self) -> dict[str, str]:
        """Nothing of the caller's but what finds programs."""
        return bare(self.root) | self.env

    def run(
        self, route: str, script: object, arguments: list[str]
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self.command(route, script, arguments), cwd=self.workspace, env=self.environ(),
            stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False,
        )  # fmt: skip

    def recordings(self) -> list[Recording]:
        with Store.open(self.root / "s.db", create=False) as store:
            return [store.recording(session.id) for session in store.sessions()]


def place(tmp_path: Path, program: Path) -> Place:
    for folder in ("ws", "home/.codex"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "ws" / "f.txt").write_text("kept words\n")
    (tmp_path / "home/.codex/config.toml").write_text(CONFIG)
    return Place(tmp_path, program)


def model_calls(recording: Recording) -> list[Exchange]:
    return [
        item
        for item in recording.exchanges
        if item.method == "POST"
        and item.url.partition("?")[0].endswith(("/messages", "/responses"))
    ]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("route", ROUTES)
def test_a_session_of_a_real_client_is_kept_whole(
    tmp_path: Path, binaries: dict[str, Path], client: str, route: str
) -> None:
    from inspector import clients, mock, wire

    here = place(tmp_path, binaries[client])
    ended = here.run(route, {"replies": SCRIPTS[client], "expect": 3}, ARGUMENTS[client])
    assert (ended.returncode, ended.stdout) == (0, b"all done\n"), ended.stderr.decode()
    (recording,) = here.recordings()
    session, calls = recording.session, model_calls(recording)
    assert (session.client, session.version, session.route, session.exit_code) == (
        client,
        AGENTS[client].split("/")[1].strip(),
        route,
        0,
    )
    assert len(calls) == 3
    assert {item.error for item in recording.exchanges} == {""}
    bodies = [json.loads(item.request) for item in calls]
    assert all(
        json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode() == item.request
        for body, item in zip(bodies, calls, strict=True)
    )
    assert all((item.header("user-agent") or "").startswith(AGENTS[client]) for item in calls)
    said = [
        wire.reply(
            wire.split(item.request).dialect or wire.DIALECTS[0],
            item.response,
            "text/event-stream",
            item.status or 0,
        )
        for item in calls
    ]
    assert said == [answer for _, answer in mock.read_log(tmp_path / "mock.jsonl")]
    assert [clients.client(client).kind(item) for item in calls] == [ExchangeKind.MAIN] * 3
    assert sum(
        isinstance(block, Called)
        for reply in said
        if isinstance(reply, Replied)
        for block in reply.blocks
    ) == 2 + (client == "codex")
    assert b"kept words" in calls[1].request
    assert "sk-" not in repr([item.request_headers for item in recording.exchanges])


@pytest.mark.parametrize("client", CLIENTS)
def test_files_that_tool_calls_name_join_the_snapshot_as_they_were(
    tmp_path: Path, binaries: dict[str, Path], client: str
) -> None:
    here = place(tmp_path, binaries[client])
    script = [*SCRIPTS[client][:1], {"text": "done"}]
    assert here.run("tls", script, ARGUMENTS[client]).returncode == 0
    (recording,) = here.recordings()
    assert recording.snapshot is not None
    versions = recording.snapshot.files[str(here.workspace / "f.txt")]
    assert [version.data for version in versions] == [b"kept words\n"]
    assert recording.snapshot.environment.argv == tuple(ARGUMENTS[client])


def test_no_start_up_answer_of_the_built_in_model_server_makes_the_client_ask_again(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["claude-code"])
    assert here.run("tls", [{"text": "ok"}], ARGUMENTS["claude-code"]).returncode == 0
    (recording,) = here.recordings()
    asked = [item.url for item in recording.exchanges if item.method == "GET"]
    assert len(asked) == len(set(asked))
    assert any(url.endswith("/policy_limits") for url in asked)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_resumed_process_continues_the_session_before_and_gets_ids_of_its_own(
    tmp_path: Path, binaries: dict[str, Path], client: str
) -> None:
    here = place(tmp_path, binaries[client])
    assert here.run("base-url", [{"text": "first"}], ARGUMENTS[client]).returncode == 0
    assert here.run("base-url", [{"text": "second"}], RESUME[client]).returncode == 0
    first, second = here.recordings()
    assert second.session.continues == first.session.id
    assert second.session.conversation == first.session.conversation
    assert b"first" in model_calls(second)[0].request
    ids = [item.id for item in (*first.exchanges, *second.exchanges)]
    assert len(set(ids)) == len(ids)
    prefixes = [b"_0000000000000000000000", b"_0001000000000000000000"]
    assert [
        prefix in model_calls(kept)[0].response
        for prefix, kept in zip(prefixes, (first, second), strict=True)
    ] == [True, True]


@pytest.mark.parametrize("client", CLIENTS)
def test_an_error_of_the_model_is_kept_and_the_clients_retry_too(
    tmp_path: Path, binaries: dict[str, Path], client: str
) -> None:
    here = place(tmp_path, binaries[client])
    ended = here.run("tls", [{"error": 500}, {"text": "second time lucky"}], ARGUMENTS[client])
    assert (ended.returncode, ended.stdout) == (0, b"second time lucky\n")
    failed, answered = model_calls(here.recordings()[0])
    assert (failed.status, answered.status) == (500, 200)
    assert json.loads(failed.request)["model"] == json.loads(answered.request)["model"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_that_fails_keeps_its_exit_code(
    tmp_path: Path, binaries: dict[str, Path], client: str
) -> None:
    here = place(tmp_path, binaries[client])
    direct = subprocess.run(
        [binaries[client], "--no-such-option"],
        env=here.environ(),
        cwd=here.workspace,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    ended = here.run("tls", [], ["--no-such-option"])
    assert direct.returncode != 0
    assert (ended.returncode, ended.stdout) == (direct.returncode, direct.stdout)
    assert ended.stderr.startswith(direct.stderr)
    assert b"no request reached us" in ended.stderr


def test_a_configured_gateway_is_taken_over_for_the_child(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["claude-code"])
    here.env["ANTHROPIC_BASE_URL"] = "http://gateway.example/llm"
    assert here.run("auto", [{"text": "ok"}], ARGUMENTS["claude-code"]).returncode == 0
    (recording,) = here.recordings()
    assert recording.session.route == "base-url"
    assert [item.url for item in model_calls(recording)] == [
        "http://gateway.example/llm/v1/messages?beta=true"
    ]
    assert recording.snapshot is not None
    assert recording.snapshot.environment.base_url == "http://gateway.example/llm"


@pytest.mark.parametrize("provider", ["builtin", "custom"])
def test_a_gateway_in_codex_configuration_is_taken_over_for_the_child(
    tmp_path: Path, binaries: dict[str, Path], provider: str
) -> None:
    here = place(tmp_path, binaries["codex"])
    url = "http://gateway.example/llm/v1"
    custom = f'model_provider = "gw"\n{CONFIG}[model_providers.gw]\nname = "gw"\nbase_url = "{url}"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n'
    builtin = f'openai_base_url = "{url}"\n{CONFIG}'
    (tmp_path / "home/.codex/config.toml").write_text(custom if provider == "custom" else builtin)
    assert here.run("auto", [{"text": "ok"}], ARGUMENTS["codex"]).returncode == 0
    (recording,) = here.recordings()
    assert recording.session.route == "base-url"
    assert [item.url for item in model_calls(recording)] == [f"{url}/responses"]


def test_a_client_in_a_terminal_keeps_it(tmp_path: Path, binaries: dict[str, Path]) -> None:
    """Interactive Claude Code draws its screen, and quits on the keys it wants."""
    here = place(tmp_path, binaries["claude-code"])
    state = {
        "hasCompletedOnboarding": True,
        "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": ["fakefakefakefakefake"]},
        "projects": {
            str(here.workspace): {
                "hasTrustDialogAccepted": True,
                "hasCompletedProjectOnboarding": True,
            }
        },
    }
    (tmp_path / "home/.claude.json").write_text(json.dumps(state))
    command = here.command(
        "base-url", [{"text": "an answer on the screen"}], ["hello on a terminal"]
    )
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    with os.fdopen(ours, "r+b", buffering=0) as screen:
        child = subprocess.Popen(
            ["setsid", "--ctty", *command],
            env=here.environ(),
            cwd=here.workspace,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        shown = read_until(screen, b"answer", b"")
        screen.write(b"\x03")
        shown = read_until(screen, b"again", shown)
        screen.write(b"\x03")
        shown = read_until(screen, None, shown)
        assert child.wait(LIMIT) == 0, shown[-3000:]
    (recording,) = here.recordings()
    assert b"hello on a terminal" in b"".join(item.request for item in model_calls(recording))
    assert recording.session.exit_code == 0


def read_until(screen: Any, words: bytes | None, shown: bytes) -> bytes:
    """Read until new output holds some words; with None, to the end."""
    fresh = b""
    while words is None or words not in fresh:
        ready, _, _ = select.select([screen], [], [], 30)
        assert ready, (words, (shown + fresh)[-3000:])
        try:
            data = screen.read(65536)
        except OSError:  # Linux: the last writer has gone
            data = b""
        if not data:
            assert words is None, (words, (shown + fresh)[-3000:])
            break
        fresh += data
    return shown + fresh


@pytest.mark.parametrize("client", CLIENTS)
def test_a_rule_file_that_a_tool_changes_is_kept_in_both_versions(
    tmp_path: Path, binaries: dict[str, Path], client: str
) -> None:
    here = place(tmp_path, binaries[client])
    rules = here.workspace / {"claude-code": "CLAUDE.md", "codex": "AGENTS.md"}[client]
    rules.write_text("first rule\n")
    line = f"echo second rule > {rules}"
    act: dict[str, Any] = (
        {"tools": [{"name": "Bash", "input": {"command": line}}]}
        if client == "claude-code"
        else {"shell": line}
    )
    assert here.run("base-url", [act, {"text": "done"}], ARGUMENTS[client]).returncode == 0
    (recording,) = here.recordings()
    assert recording.snapshot is not None
    versions = recording.snapshot.files[str(rules)]
    assert [version.data for version in versions] == [b"first rule\n", b"second rule\n"]
    first, second = model_calls(recording)
    assert versions[0].at == ""
    assert first.started < versions[1].at <= second.started


SERVER = {
    "name": "srv",
    "instructions": "Use with care.",
    "tools": [
        {
            "name": "echo",
            "description": "says it again",
            "inputSchema": {"type": "object", "properties": {"x": {"type": "number"}}},
        }
    ],
}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("asked", [True, False])
def test_mcp_servers_are_asked_beside_the_client_and_kept_as_they_answered(
    tmp_path: Path, root: Path, binaries: dict[str, Path], client: str, asked: bool
) -> None:
    here = place(tmp_path, binaries[client])
    (tmp_path / "srv.json").write_text(json.dumps(SERVER))
    arguments = [str(root / "fixtures/mcp/server.py"), str(tmp_path / "srv.json")]
    if client == "codex":
        servers = f'[mcp_servers.srv]\ncommand = {json.dumps(sys.executable)}\nargs = {json.dumps(arguments)}\n[mcp_servers.gone]\ncommand = "/nowhere/gone"\n'
        (tmp_path / "home/.codex/config.toml").write_text(CONFIG + servers)
    else:
        config = {
            "srv": {"command": sys.executable, "args": arguments},
            "gone": {"command": "/nowhere/gone"},
        }
        (here.workspace / ".mcp.json").write_text(json.dumps({"mcpServers": config}))
    command = here.command("base-url", [{"text": "done"}], ARGUMENTS[client])
    if not asked:
        command.insert(command.index("--mock"), "--no-mcp")
    ended = subprocess.run(
        command,
        cwd=here.workspace,
        env=here.environ(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, b"done\n")
    (recording,) = here.recordings()
    assert recording.snapshot is not None
    listings = {item.server: item for item in recording.snapshot.listings}
    if not asked:
        assert listings == {}
        assert b"asking" not in ended.stderr
        return
    assert ended.stderr.count(b"starts twice") == 1
    assert json.loads(listings["srv"].tools or "")["tools"] == SERVER["tools"]
    assert json.loads(listings["srv"].initialize or "")["instructions"] == "Use with care."
    assert listings["gone"].state == "failed"
    assert b"MCP server gone: failed (" in ended.stderr
    assert any(note.startswith("MCP server gone: failed (") for note in recording.snapshot.notes)


def unsigned(claims: dict[str, Any]) -> str:
    """A JSON web token nobody signed."""
    parts = ({"alg": "none", "typ": "JWT"}, claims)
    return ".".join(
        [
            *(
                base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
                for part in parts
            ),
            "c2ln",
        ]
    )


def test_a_chatgpt_login_is_captured_with_its_compressed_bodies_over_http2(
    tmp_path: Path, binaries: dict[str, Path]
) -> None:
    here = place(tmp_path, binaries["codex"])
    account = {
        "chatgpt_plan_type": "pro",
        "chatgpt_account_id": "acct-mock",
        "chatgpt_user_id": "user-mock",
    }
    token = unsigned(
        {
            "exp": 4102444800,
            "email": "someone@example.invalid",
            "https://api.openai.com/auth": account,
        }
    )
    tokens = {
        "id_token": token,
        "access_token": token,
        "refresh_token": "refresh-me-not",
        "account_id": "acct-mock",
    }
    login = {
        "auth_mode": "chatgpt",
        "OPENAI_API_KEY": None,
        "tokens": tokens,
        "last_refresh": "2026-11-29T20:34:43.000000Z",
    }
    (tmp_path / "home/.codex/auth.json").write_text(json.dumps(login))
    here.env = {"OPENAI_API_KEY": "", "CODEX_API_KEY": ""}
    ended = here.run("tls", [{"shell": "echo one"}, {"text": "all done"}], ARGUMENTS["codex"])
    assert (ended.returncode, ended.stdout) == (0, b"all done\n"), ended.stderr.decode()
    (recording,) = here.recordings()
    calls = model_calls(recording)
    assert [item.url for item in calls] == ["https://chatgpt.com/backend-api/codex/responses"] * 2
    assert [item.header("content-encoding") for item in calls] == ["zstd"] * 2
    assert all(
        len(item.request_wire) < len(item.request) // 2 and json.loads(item.request)["input"]
        for item in calls
    )
    assert any(item.status == 426 for item in recording.exchanges)
    kept = repr(recording)
    assert token not in kept
    assert "refresh-me-not" not in kept


@pytest.mark.parametrize(
    "where",
    ["home/.claude/settings.json", "ws/.claude/settings.json", "ws/.claude/settings.local.json"],
)
def test_a_gateway_in_claude_codes_settings_is_taken_over_for_the_child(
    tmp_path: Path, binaries: dict[str, Path], where: str
) -> None:
    here = place(tmp_path, binaries["claude-code"])
    path = tmp_path / where
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"env": {"ANTHROPIC_BASE_URL": "http://gateway.example"}}))
    more = ["--settings", json.dumps({"env": {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "1234"}})]
    ended = here.run("auto", [{"text": "ok"}], [*ARGUMENTS["claude-code"], *more])
    assert (ended.returncode, ended.stdout) == (0, b"ok\n"), ended.stderr.decode()
    (recording,) = here.recordings()
    assert recording.session.route == "base-url"
    assert [item.url for item in model_calls(recording)] == [
        "http://gateway.example/v1/messages?beta=true"
    ]
    assert [json.loads(item.request)["max_tokens"] for item in model_calls(recording)] == [1234]
    assert recording.snapshot is not None
    assert recording.snapshot.environment.argv == (*ARGUMENTS["claude-code"], *more)
