"""Only models' hosts are opened: whatever else a real client's shell tool reaches goes untouched."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inspector.store import Store
from tests.e2e.bare import bare

pytestmark = pytest.mark.client

LIMIT = 180
CONFIG = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
ARGUMENTS = {
    "claude-code": ["-p", "fetch them", "--dangerously-skip-permissions"],
    "codex": ["exec", "--skip-git-repo-check", "fetch them"],
}
MODELS = {"claude-code": {"api.anthropic.com"}, "codex": {"api.openai.com", "chatgpt.com"}}
SERVER = """
import functools, http.server, ssl, sys, threading
class Logged(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, form, *args):
        with open("../server.log", "a") as log:
            print(self.headers["host"], self.path, self.headers["via"], file=log)
    def end_headers(self):
        if self.path.startswith("/npm/"):
            self.send_header("content-type", "application/json")
        super().end_headers()
plain = http.server.ThreadingHTTPServer(("127.0.0.1", 80), Logged)
secure = http.server.ThreadingHTTPServer(("127.0.0.1", 443), Logged)
trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
trust.load_cert_chain("../server.pem")
secure.socket = trust.wrap_socket(secure.socket, server_side=True)
threading.Thread(target=plain.serve_forever, daemon=True).start()
print("ready", flush=True)
secure.serve_forever()
"""
SCRIPT = """
set -e
ip link set lo up
mount --bind hosts /etc/hosts
cd www; {python} ../server.py > ../server.out & server=$!; cd "{root}"
{python} -m inspector mock script.json --port 8181 > mock.out & mock=$!
until grep -q ready server.out && grep -q http mock.out; do kill -0 $server $mock; done
cd ws
{run} < /dev/null
kill $server $mock
"""
COMMANDS = (
    "git clone -q https://git.example/repo.git cloned",
    "curl -fsS https://pkg.example/hello.txt -o secure.txt",
    "curl -fsS http://pkg.example/hello.txt -o plain.txt",
    "{python} -m pip -q --disable-pip-version-check download --no-deps --index-url https://pkg.example/simple -d wheels tiny",
    "timeout 60 npm view --registry https://pkg.example/npm/ tiny version > npm.txt",
    "curl -fsS https://llm.example/hello.txt -o near.txt",
)
HOSTS = ("git.example", "pkg.example", "llm.example")


def company(tmp_path: Path) -> None:
    """A certificate authority of the user's company, and a server's certificate from it."""
    from mitmproxy.certs import CertStore

    store: Any = CertStore
    kept = store.from_store(tmp_path / "company", "company", 2048)
    made = kept.get_cert(HOSTS[0], [name(host) for host in HOSTS])
    key = kept.default_privatekey
    from cryptography.hazmat.primitives import serialization as form

    private = key.private_bytes(
        form.Encoding.PEM, form.PrivateFormat.TraditionalOpenSSL, form.NoEncryption()
    )
    (tmp_path / "server.pem").write_bytes(private + made.cert.to_pem())
    ours = (tmp_path / "company" / "company-ca-cert.pem").read_bytes()
    (tmp_path / "company.pem").write_bytes(ours)


def name(host: str) -> Any:
    from cryptography.x509 import DNSName

    return DNSName(host)


def site(tmp_path: Path) -> None:
    """What the servers hold: a repository, a file, a Python index, an npm registry."""
    www = tmp_path / "www"
    (www / "simple" / "tiny").mkdir(parents=True)
    (www / "npm").mkdir()
    (www / "hello.txt").write_text("hello from outside\n")
    wheel = "tiny-1.0-py3-none-any.whl"
    made = "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as z:\n z.writestr('tiny.py', '')\n z.writestr('tiny-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')\n z.writestr('tiny-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n z.writestr('tiny-1.0.dist-info/RECORD', '')\n"
    subprocess.run([sys.executable, "-c", made, www / "simple" / "tiny" / wheel], check=True)
    (www / "simple" / "tiny" / "index.html").write_text(f'<a href="{wheel}">{wheel}</a>')
    versions: dict[str, Any] = {"7.8.9": {"name": "tiny", "version": "7.8.9", "dist": {}}}
    npm: dict[str, Any] = {"name": "tiny", "dist-tags": {"latest": "7.8.9"}, "versions": versions}
    (www / "npm" / "tiny").write_text(json.dumps(npm))
    work = tmp_path / "work"
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (
        ["init", "-q", str(work)],
        ["-C", str(work), *author, "commit", "-q", "--allow-empty", "-m", "only one"],
        ["clone", "-q", "--bare", str(work), str(www / "repo.git")],
        ["-C", str(www / "repo.git"), "update-server-info"],
    ):
        subprocess.run(["git", *words], check=True, capture_output=True)


def environ(tmp_path: Path) -> dict[str, str]:
    return {
        **bare(tmp_path),
        "SSL_CERT_FILE": str(tmp_path / "company.pem"),
        "GIT_SSL_CAINFO": str(tmp_path / "company.pem"),
        "npm_config_cafile": str(tmp_path / "company.pem"),
        "npm_config_fetch_retries": "0",
        "npm_config_update_notifier": "false",
    }


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_git_curl_pip_and_npm_of_a_shell_tool_work_and_are_not_recorded(
    tmp_path: Path, binaries: dict[str, Path], client: str
) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "home" / ".codex").mkdir(parents=True)
    (tmp_path / "home" / ".codex" / "config.toml").write_text(CONFIG)
    company(tmp_path)
    site(tmp_path)
    (tmp_path / "server.py").write_text(SERVER)
    models = ("api.anthropic.com", "api.openai.com", "chatgpt.com")
    lines = [f"127.0.0.1 {host}\n" for host in ("localhost", *HOSTS, *models)]
    (tmp_path / "hosts").write_text("".join(lines))
    line = " && ".join(COMMANDS).replace("{python}", shlex.quote(sys.executable))
    act = (
        {"shell": line}
        if client == "codex"
        else {"tools": [{"name": "Bash", "input": {"command": line}}]}
    )
    (tmp_path / "script.json").write_text(json.dumps([act, {"text": "fetched"}]))
    run = [sys.executable, "-m", "inspector", "run", "--route", "tls", "--store", "../s.db"]
    run += ["--upstream", "http://127.0.0.1:8181", "--", str(binaries[client]), *ARGUMENTS[client]]
    script = SCRIPT.format(python=shlex.quote(sys.executable), root=tmp_path, run=shlex.join(run))
    ended = subprocess.run(
        ["unshare", "-n", "-m", "bash", "-c", script],
        cwd=tmp_path,
        env=environ(tmp_path),
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    with Store.open(tmp_path / "s.db") as store:
        (session,) = store.sessions()
        exchanges = store.exchanges(session.id)
    told = (ended.stderr.decode(), [item.request[-1500:] for item in exchanges[-2:]])
    assert (ended.returncode, ended.stdout) == (0, b"fetched\n"), told
    ws = tmp_path / "ws"
    log = subprocess.run(
        ["git", "-C", ws / "cloned", "log", "--format=%s"], capture_output=True, check=True
    )
    assert log.stdout == b"only one\n"
    fetched = [(ws / name).read_text() for name in ("secure.txt", "plain.txt", "near.txt")]
    assert fetched == ["hello from outside\n"] * 3
    assert [path.name for path in (ws / "wheels").iterdir()] == ["tiny-1.0-py3-none-any.whl"]
    assert (ws / "npm.txt").read_text() == "7.8.9\n"
    seen = [line.split() for line in (tmp_path / "server.log").read_text().splitlines()]
    assert {host for host, _, _ in seen} == set(HOSTS)
    assert {via for _, _, via in seen} == {"None"}
    hosts = {item.url.split("/")[2] for item in exchanges}
    assert hosts <= MODELS[client]
    assert session.route == "tls"
    near = "inspector: not opened: llm.example; if a model is there, add --host llm.example"
    assert near in ended.stderr.decode().splitlines()
