"""`inspector run`: which hosts it opens, which gateways it takes over, which route `auto` takes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inspector.session import Session
from inspector.store import Store
from tests.capture.gate import Answering, upstream
from tests.run.test_run import LIMIT, environ, recorded, run, said, words

MESSAGE = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "hi"}]}


def test_a_host_that_is_asked_for_is_opened_and_its_calls_are_known_by_their_body(
    tmp_path: Path,
) -> None:
    program = (
        f"ask('/any/path', {MESSAGE!r}, host='llm.example'); ask('/x', b'{{}}', host='llm.example')"
    )
    ended = run(tmp_path, program, "--host", "LLM.example:443")
    recording = recorded(tmp_path)
    assert ended.returncode == 0, said(ended)
    assert [(item.url, item.kind.value) for item in recording.exchanges] == [
        ("https://llm.example/any/path", "main"),
        ("https://llm.example/x", "aux"),
    ]
    assert "1 model call in 2 exchanges" in said(ended)[-1]


def test_an_exception_of_the_users_for_a_host_that_is_asked_for_is_lifted_for_the_child(
    tmp_path: Path,
) -> None:
    program = (
        "import os; ask(host='llm.example'); print(os.environ['NO_PROXY'], os.environ['no_proxy'])"
    )
    env = {"NO_PROXY": "llm.example,internal.example"}
    ended = run(tmp_path, program, "--host", "llm.example", env=env)
    kept = "internal.example,localhost,127.0.0.1,::1"
    assert (ended.returncode, ended.stdout.decode()) == (0, f"{kept} {kept}\n")


def test_a_closed_host_with_a_models_name_is_named_with_the_option_that_opens_it(
    tmp_path: Path,
) -> None:
    program = "try: ask(host='llm.example.invalid')\nexcept OSError: pass"
    command = words(tmp_path, program)
    at = command.index("--mock")
    command[at : at + 2] = ["--upstream", "http://127.0.0.1:1"]
    ended = subprocess.run(
        command,
        env=environ(tmp_path),
        capture_output=True,
        timeout=LIMIT,
        check=False,
        cwd=tmp_path,
    )
    assert ended.returncode == 3
    assert said(ended)[-1].endswith(
        "no model call, only llm.example.invalid; not opened: llm.example.invalid;"
        " if a model is there, add --host llm.example.invalid"
    )


def test_gateways_in_the_variables_of_any_program_are_taken_over(tmp_path: Path) -> None:
    program = (
        "import os\n"
        "for name, path in (('ANTHROPIC_BASE_URL', '/v1/messages'), ('OPENAI_BASE_URL', '/responses')):\n"
        "  url = os.environ[name] + path\n"
        f"  body = json.dumps({MESSAGE!r} if 'messages' in path else {{'model': 'm', 'input': 'hi'}}).encode()\n"
        "  urllib.request.urlopen(urllib.request.Request(url, body), timeout=20).read()\n"
    )
    seen: list[str] = []

    def act(handler: Answering) -> None:
        seen.append(handler.path)
        handler.begin(content_length="2", content_type="application/json")
        handler.wfile.write(b"{}")

    with upstream(act) as url:
        gateways = {"ANTHROPIC_BASE_URL": f"{url}/a", "OPENAI_BASE_URL": f"{url}/o/v1"}
        command = words(tmp_path, program)
        at = command.index("--mock")
        del command[at : at + 2]
        ended = subprocess.run(
            command,
            env=environ(tmp_path, gateways),
            capture_output=True,
            timeout=LIMIT,
            check=False,
            cwd=tmp_path,
        )
    recording = recorded(tmp_path)
    assert ended.returncode == 0, said(ended)
    assert seen == ["/a/v1/messages", "/o/v1/responses"]
    assert [item.url for item in recording.exchanges] == [
        f"{url}/a/v1/messages",
        f"{url}/o/v1/responses",
    ]
    assert recording.session.route == "base-url"


@pytest.mark.parametrize("scope", ["environment", "user", "project", "local", "flag"])
def test_a_provider_that_cannot_be_captured_ends_with_one_line_whatever_scope_names_it(
    tmp_path: Path, scope: str
) -> None:
    claude = packaged(tmp_path, "print('never')")
    files = {
        "user": ".claude/settings.json",
        "project": "ws/.claude/settings.json",
        "local": "ws/.claude/settings.local.json",
    }
    settings = json.dumps({"env": {"CLAUDE_CODE_USE_BEDROCK": "1"}})
    for folder in (".claude", "ws/.claude"):
        (tmp_path / folder).mkdir(parents=True)
    if scope in files:
        (tmp_path / files[scope]).write_text(settings)
    more = ["--settings", settings] if scope == "flag" else []
    env = {"CLAUDE_CODE_USE_BEDROCK": "1"} if scope == "environment" else {}
    ended = start(tmp_path, claude, more, env)
    assert (ended.returncode, ended.stdout, said(ended)) == (
        2,
        b"",
        [
            "inspector: Amazon Bedrock: not captured yet (CLAUDE_CODE_USE_BEDROCK is set); unset it to use the"
            " default host, or import what another tool captured with `inspector import`"
        ],
    )


def packaged(tmp_path: Path, program: str) -> Path:
    """A program of the client's own package, as npm installs it."""
    folder = tmp_path / "node_modules" / "@anthropic-ai" / "claude-code"
    folder.mkdir(parents=True)
    about = {"name": "@anthropic-ai/claude-code", "version": "2.1.332"}
    (folder / "package.json").write_text(json.dumps(about))
    made = folder / "claude"
    made.write_text(f"#!{sys.executable}\n{program}\n")
    made.chmod(0o755)
    return made


def start(
    tmp_path: Path, program: Path, more: list[str], env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"text": "hello"}]))
    ours = [sys.executable, "-m", "inspector", "run", "--store", str(tmp_path / "s.db")]
    (tmp_path / "ws").mkdir(exist_ok=True)
    return subprocess.run(
        [*ours, "--mock", str(script), "--", str(program), *more],
        env=environ(tmp_path, {"INSPECTOR_DATA": str(tmp_path / "data"), **(env or {})}),
        cwd=tmp_path / "ws",
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )


FUSSY = """
import json, os, ssl, sys, urllib.request
with open({log!r}, "a") as log: print(sys.argv[1:], os.environ["HOME"] == {home!r}, file=log)
base = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")
trust = ssl.create_default_context(cafile={certificate!r}) if base.startswith("https") else None
agent = {{"user-agent": "claude-cli/2.1.332 (external, sdk-cli)"}}
request = urllib.request.Request(base + "/v1/messages", json.dumps({body!r}).encode(), agent)
try: urllib.request.urlopen(request, timeout=20, context=trust).read()
except OSError: sys.exit(1)
"""


@pytest.mark.parametrize("trusting", [True, False])
def test_auto_takes_tls_only_where_the_client_completes_the_handshake_and_remembers_it(
    tmp_path: Path, trusting: bool
) -> None:
    from inspector.capture import ca

    ours = ca.authority(tmp_path / "data", {}).folder / "mitmproxy-ca-cert.pem"
    foreign = ca.authority(tmp_path / "other", {}).folder / "mitmproxy-ca-cert.pem"
    log = tmp_path / "log"
    body: dict[str, Any] = {**MESSAGE, "tools": [{}], "stream": True}
    certificate = str(ours if trusting else foreign)
    claude = packaged(
        tmp_path,
        FUSSY.format(log=str(log), home=str(tmp_path), certificate=certificate, body=body),
    )
    assert start(tmp_path, claude, ["-p", "hi"]).returncode == 0
    ended = start(tmp_path, claude, ["-p", "hi"])
    assert ended.returncode == 0, said(ended)
    route = "tls" if trusting else "base-url"
    assert [item.route for item in sessions(tmp_path)] == [route, route]
    tries = ["['-p', 'hello'] False", "['-p', 'hi'] True", "['-p', 'hi'] True"]
    assert log.read_text().splitlines() == tries
    stated = [line for line in said(ended) if line.startswith("inspector: route base-url:")]
    assert bool(stated) is not trusting


def sessions(tmp_path: Path) -> list[Session]:
    with Store.open(tmp_path / "s.db") as store:
        return store.sessions()


def test_the_proxy_in_a_clients_own_settings_is_gone_through_as_the_users(tmp_path: Path) -> None:
    """The settings' proxy takes our tunnel, and the child still comes to us first."""
    import http.server
    import threading

    asked: list[str] = []

    class Outer(http.server.BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            asked.append(self.path)
            self.send_error(502)

        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Outer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        (tmp_path / ".claude").mkdir()
        settings = {"env": {"HTTPS_PROXY": f"http://127.0.0.1:{server.server_address[1]}"}}
        (tmp_path / ".claude" / "settings.json").write_text(json.dumps(settings))
        program = FUSSY.format(
            log=str(tmp_path / "log"), home=str(tmp_path), certificate="{bundle}", body=MESSAGE
        ).replace("cafile='{bundle}'", "cafile=os.environ['SSL_CERT_FILE']")
        claude = packaged(tmp_path, program)
        ours = [sys.executable, "-m", "inspector", "run", "--route", "tls"]
        ended = subprocess.run(
            [*ours, "--store", str(tmp_path / "s.db"), "--", str(claude), "-p", "hi"],
            env=environ(tmp_path, {"INSPECTOR_DATA": str(tmp_path / "data")}),
            cwd=tmp_path,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert asked == ["api.anthropic.com:443"]
    assert ended.returncode == 1
    assert [item.url for item in recorded(tmp_path).exchanges] == [
        "https://api.anthropic.com/v1/messages"
    ]


def test_a_gateway_that_no_tls_proxy_reaches_is_refused_for_that_route(tmp_path: Path) -> None:
    claude = packaged(tmp_path, "print('never')")
    ours = [sys.executable, "-m", "inspector", "run", "--route", "tls", "--store", "s.db"]
    ended = subprocess.run(
        [*ours, "--", str(claude)],
        env=environ(tmp_path, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9999"}),
        cwd=tmp_path,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    assert (ended.returncode, said(ended)) == (
        2,
        [
            "inspector: route tls: the client's gateway http://127.0.0.1:9999 is not reached through a TLS proxy;"
            " take --route base-url"
        ],
    )


def test_the_keys_folder_and_files_are_the_users_alone(tmp_path: Path) -> None:
    assert run(tmp_path, "ask()", env={"INSPECTOR_DATA": str(tmp_path / "data")}).returncode == 0
    folder = tmp_path / "data" / "ca"
    keys = [
        path
        for path in tmp_path.rglob("*")
        if path.is_file() and b"PRIVATE KEY" in path.read_bytes()
    ]
    assert {path.parent for path in keys} == {folder}
    assert [oct(path.stat().st_mode & 0o777) for path in keys] == ["0o600"] * len(keys)
    assert oct(folder.stat().st_mode & 0o777) == "0o700"


def test_a_codex_provider_with_signed_requests_is_named_before_the_client_starts(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "node_modules" / "@openai" / "codex"
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"name": "@openai/codex", "version": "0.171.0"}')
    codex = folder / "codex"
    codex.write_text("#!/bin/sh\necho never\n")
    codex.chmod(0o755)
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text('model_provider = "amazon-bedrock"\n')
    ended = start(tmp_path, codex, ["exec", "hi"])
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert said(ended) == [
        "inspector: model provider amazon-bedrock: its signed requests are not captured yet; choose another with"
        " -c model_provider=NAME"
    ]


def test_an_export_that_a_killed_run_left_goes_with_the_next_run_and_with_a_purge(
    tmp_path: Path,
) -> None:
    from inspector import retention
    from inspector.capture import private

    data = tmp_path / "data"
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    left, foreign = data / f"export-{gone.pid}-x", data / "export-mine"
    for place in (left, foreign):
        place.mkdir(parents=True)
        (place / f"{'0' * 36}.request.json").write_text("{}")
        (place / "notes.json").write_text("{}")
    kept = retention.everything(tmp_path / "s.db", data)
    assert kept == [left / f"{'0' * 36}.request.json"]
    with private.folder(data) as made:
        assert sorted(data.iterdir()) == sorted([Path(made), foreign])
        assert oct(Path(made).stat().st_mode & 0o777) == "0o700"
    assert list(data.iterdir()) == [foreign]


def test_a_companys_folder_of_certificates_is_trusted_upstream_and_by_the_child(
    tmp_path: Path,
) -> None:
    from inspector.capture import ca

    company = ca.authority(tmp_path / "company", {}).folder / "mitmproxy-ca-cert.pem"
    (tmp_path / "certs").mkdir()
    (tmp_path / "certs" / "corp.pem").write_bytes(company.read_bytes())
    made = ca.authority(tmp_path / "data", {"SSL_CERT_DIR": str(tmp_path / "certs")})
    assert company.read_bytes().strip() in made.roots.read_bytes()
    assert company.read_bytes().strip() in made.bundle.read_bytes()
