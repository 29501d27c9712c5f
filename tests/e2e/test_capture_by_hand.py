"""The lines doctor prints, typed as they are: a proxy in one terminal, a real client in another."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from inspector import doctor
from inspector.store import Store
from tests.e2e.bare import bare

pytestmark = pytest.mark.client

LIMIT = 120
ARGUMENTS = {
    "claude-code": "-p 'hello by hand'",
    "codex": "exec --skip-git-repo-check 'hello by hand'",
}
SCRIPT = """
set -e
ip link set lo up
{python} -m inspector mock script.json --port 8181 > mock.out &
mock=$!
PYTHONUNBUFFERED=1 {listener} --set inspector_upstream=http://127.0.0.1:8181 > proxy.out 2>&1 &
proxy=$!
until grep -q "listening at" proxy.out && grep -q http mock.out; do kill -0 $mock $proxy; done
{line} {arguments} < /dev/null > client.out
kill $proxy; wait $proxy
kill $mock; wait $mock
"""


@pytest.mark.parametrize("client", ["claude-code", "codex"])
@pytest.mark.parametrize("route", ["tls", "base-url"])
def test_doctors_lines_capture_a_session_by_hand(
    tmp_path: Path, binaries: dict[str, Path], client: str, route: str
) -> None:
    (tmp_path / "bin").mkdir()
    for name, path in binaries.items():
        (tmp_path / "bin" / ("claude" if name == "claude-code" else name)).symlink_to(path)
    env = bare(tmp_path) | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    (tmp_path / "home" / ".codex").mkdir(parents=True)
    (tmp_path / "script.json").write_text(json.dumps([{"text": "answered"}]))
    report = doctor.examine(tmp_path / "s.db", env)
    (way,) = [item for item in report.routes if (item.client, item.route) == (client, route)]
    script = SCRIPT.format(
        python=shlex.quote(sys.executable),
        listener=way.listener,
        line=way.line,
        arguments=ARGUMENTS[client],
    )
    ended = subprocess.run(
        ["unshare", "-n", "bash", "-c", script],
        cwd=tmp_path,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    assert ended.returncode == 0, (ended.stderr.decode(), (tmp_path / "proxy.out").read_text())
    assert (tmp_path / "client.out").read_text() == "answered\n"
    with Store.open(tmp_path / "s.db") as store:
        (session,) = store.sessions()
        exchanges = store.exchanges(session.id)
    assert (session.client, session.route, session.source) == (client, route, "proxy")
    assert sum(b"hello by hand" in item.request and item.status == 200 for item in exchanges) == 1
