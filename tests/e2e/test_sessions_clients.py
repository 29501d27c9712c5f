"""Several real clients at once, an SDK's script, and the client's own export."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.export import without_betas
from inspector.session import Exchange, ExchangeKind
from inspector.store import Store
from tests.e2e.bare import bare

pytestmark = pytest.mark.client

LIMIT = 180
OURS = [sys.executable, "-m", "inspector"]
SDK = """
import sys
from anthropic import Anthropic
answer = Anthropic(max_retries=0).messages.create(
    model="claude-opus-5-5", max_tokens=9, system="be brief",
    messages=[{"role": "user", "content": sys.argv[1]}],
)
print(answer.content[0].text)
"""


@dataclass
class Place:
    """A throwaway workspace and home for both clients."""

    root: Path
    env: dict[str, str]

    def run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        """A command in a network of its own."""
        return subprocess.run(
            [*APART, *words], cwd=self.root / "ws", env=self.env,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False,
        )  # fmt: skip

    def calls(self, store: str = "s.db") -> dict[str, list[Exchange]]:
        """The main requests of each session, by client."""
        from inspector import clients

        with Store.open(self.root / store, create=False) as kept:
            found = [clients.labelled(kept.recording(item.id)) for item in kept.sessions()]
        main = ExchangeKind.MAIN
        return {
            f"{item.session.client} {item.session.version} {item.session.route}".strip(): [
                one for one in item.exchanges if one.kind is main or "/messages" in one.url
            ]
            for item in found
        }


APART = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


@pytest.fixture
def place(tmp_path: Path, binaries: dict[str, Path]) -> Place:
    for folder in ("ws", "home/.codex", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "ws" / "CLAUDE.md").write_text("rule of the place\n")
    (tmp_path / "ws" / "AGENTS.md").write_text("rule of the place\n")
    for name, path in binaries.items():
        (tmp_path / "bin" / ("claude" if name == "claude-code" else name)).symlink_to(path)
    replies = [{"text": f"answer {number}"} for number in range(4)]
    (tmp_path / "script.json").write_text(json.dumps(replies))
    (tmp_path / "sdk.py").write_text(SDK)
    return Place(
        tmp_path,
        bare(tmp_path) | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PY": sys.executable},
    )


SERVER = {
    "instructions": "Use with care.",
    "tools": [{"name": "echo", "description": "says it", "inputSchema": {"type": "object"}}],
}


def serve(place: Place, root: Path) -> None:
    """Give both clients an MCP server."""
    (place.root / "srv.json").write_text(json.dumps(SERVER))
    words = [str(root / "fixtures/mcp/server.py"), str(place.root / "srv.json")]
    server = {"srv": {"command": sys.executable, "args": words}}
    (place.root / "ws" / ".mcp.json").write_text(json.dumps({"mcpServers": server}))
    (place.root / "home/.codex/config.toml").write_text(
        f"[mcp_servers.srv]\ncommand = {json.dumps(sys.executable)}\nargs = {json.dumps(words)}\n"
    )


def listed(place: Place) -> dict[str, list[str]]:
    """By client, what its MCP servers were heard to offer."""
    with Store.open(place.root / "s.db", create=False) as kept:
        found = {item.client: kept.snapshot(item.id) for item in kept.sessions()}
    return {
        name: [
            tool["name"]
            for listing in (snapshot.listings if snapshot else ())
            for tool in json.loads(listing.tools or "{}").get("tools", [])
        ]
        for name, snapshot in found.items()
    }


def test_a_command_that_starts_several_clients_makes_a_session_of_each(
    place: Place, root: Path
) -> None:
    serve(place, root)
    line = "claude -p first; codex exec --skip-git-repo-check second; $PY ../sdk.py third"
    ours = [*OURS, "run", "--store", "../s.db", "--mock", "../script.json", "--report", "../r.json"]
    ended = place.run(*ours, "--", "sh", "-c", line)
    said = ended.stderr.decode()
    assert ended.returncode == 0, said
    assert ended.stdout.decode().splitlines() == ["answer 0", "answer 1", "ok"]
    report = json.loads((place.root / "r.json").read_text())
    rows = [
        [row[name] for name in ("client", "version", "route", "model_calls")]
        for row in report["sessions"]
    ]
    assert [row[:3] for row in rows] == [
        ["claude-code", "2.1.332", "tls"],
        ["codex", "0.171.0", "tls"],
        ["other", "", "tls"],
    ]
    assert all(row[3] >= 1 for row in rows)
    words = [b"first", b"second", b"third"]
    for (_, calls), word in zip(place.calls().items(), words, strict=True):
        assert [word in call.request for call in calls] == [True]
    # Each client was found through its process, with its own command line and the MCP servers it
    # starts: all can be rebuilt.
    assert listed(place) == {"claude-code": ["echo"], "codex": ["echo"], "other": []}
    assert said.count("asking the MCP servers too (srv)") == 1
    ids = [row["id"] for row in report["sessions"]]
    checked = place.run(*OURS, "verify", "--store", "../s.db", "--json", *ids[:2])
    assert checked.returncode == 0, (checked.stdout.decode()[-3000:], said)
    # Where our data cannot be kept the proof stands all the same.
    nowhere = {**place.env, "INSPECTOR_DATA": str(place.root / "sdk.py" / "data")}
    again = replace(place, env=nowhere).run(*OURS, "verify", "--store", "../s.db", ids[0])
    assert again.returncode == 0, again.stderr.decode()
    assert b"/texts: client texts are not kept there (Not a directory)\n" in again.stderr
    # What an SDK sends is shown and diffed as well.
    shown = place.run(*OURS, "show", ids[2], "--store", "../s.db", "--json")
    (row,) = json.loads(shown.stdout)["exchanges"]
    assert (row["kind"], row["model"], row["status"]) == ("main", "claude-opus-5-5", 200)
    assert place.run(*OURS, "diff", ids[2], ids[0], "--store", "../s.db").returncode == 1


PROXY = """
ip link set lo up
exec 3< <(exec "$@" 2> ../proxy.err)
proxy=$!
while read -u 3 line; do
  case $line in export*) eval "$line";; esac
  case $line in *base*|\\#*) break;; esac
done
claude -p "one of two" > ../a.out < /dev/null & a=$!
codex exec --skip-git-repo-check "two of two" > ../b.out < /dev/null & b=$!
wait $a && wait $b && $PY ../sdk.py "a script" > ../c.out || exit 9
kill -TERM $proxy
cat <&3 > /dev/null
"""


def test_clients_that_are_pointed_at_a_proxy_get_a_session_each(place: Place, root: Path) -> None:
    serve(place, root)
    ours = [*OURS, "proxy", "--port", "0", "--store", "../s.db", "--mock", "../script.json"]
    ended = subprocess.run(
        ["unshare", "-n", "bash", "-c", PROXY, "bash", *ours, "--report", "../r.json"],
        cwd=place.root / "ws", env=place.env, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    said = (place.root / "proxy.err").read_text()
    assert ended.returncode == 0, (ended.stderr.decode(), said)
    calls = place.calls()
    assert sorted(calls) == ["claude-code 2.1.332 tls", "codex 0.171.0 tls", "other  tls"]
    words = {"claude-code 2.1.332 tls": b"one of two", "codex 0.171.0 tls": b"two of two"}
    for name, found in calls.items():
        assert [words.get(name, b"a script") in call.request for call in found] == [True]
    report = json.loads((place.root / "r.json").read_text())
    ids = [row["id"] for row in report["sessions"] if row["client"] != "other"]
    checked = place.run(*OURS, "verify", "--store", "../s.db", *ids)
    assert checked.returncode == 0, checked.stdout.decode()
    assert listed(place) == {"claude-code": ["echo"], "codex": ["echo"], "other": []}
    assert said.count("asking the MCP servers too (srv)") == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_proxy_that_is_stopped_ends_clean_and_says_that_nothing_came(
    place: Place, number: signal.Signals
) -> None:
    words = [*OURS, "proxy", "--port", "0", "--store", "../s.db", "--json"]
    with subprocess.Popen(
        words, cwd=place.root / "ws", env=place.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as proxy:
        assert proxy.stdout is not None
        assert proxy.stderr is not None
        ready = proxy.stderr.readline()
        proxy.send_signal(number)
        out, err = proxy.communicate(timeout=LIMIT)
    document: dict[str, Any] = json.loads(out)
    assert ready == b"inspector: capturing into ../s.db; stop with Ctrl-C\n"
    assert proxy.returncode == 3
    assert b"no model call came by" in err
    assert document["env"]["HTTPS_PROXY"] == document["proxy"]
    assert document["base_url_env"]["OPENAI_BASE_URL"] == document["base_url"] + "/v1"
    assert Path(document["ca_bundle"]).stat().st_size > 0


def test_the_clients_own_export_equals_the_wire_but_for_cch(place: Place) -> None:
    """One run inside another: the outer one takes the wire, the inner one the export."""
    act = {"tools": [{"name": "Bash", "input": {"command": "echo new > CLAUDE.md"}}]}
    script = {"replies": [act, {"text": "done"}], "expect": 2}
    (place.root / "script.json").write_text(json.dumps(script))
    inner = [
        *OURS,
        "run",
        "--route",
        "raw-export",
        "--store",
        "../inner.db",
        "--report",
        "../r.json",
    ]
    inner += ["--", "claude", "-p", "hello", "--dangerously-skip-permissions"]
    ended = place.run(*OURS, "run", "--store", "../s.db", "--mock", "../script.json", "--", *inner)
    assert (ended.returncode, ended.stdout) == (0, b"done\n"), ended.stderr.decode()
    (wire,), (export,) = place.calls().values(), place.calls("inner.db").values()
    assert list(place.calls("inner.db")) == ["claude-code 2.1.332 raw-export"]
    assert [item.url for item in export] == [item.url for item in wire]
    assert len(export) == len(wire) == 2
    for mine, theirs in zip(export, wire, strict=True):
        assert plain(mine.request) == plain(theirs.request)
        assert mine.request_sha256 == hashlib.sha256(mine.request).hexdigest()
        assert mine.header("anthropic-beta") == theirs.header("anthropic-beta")
        assert b'"betas"' not in mine.request
    checked = place.run(*OURS, "verify", "last", "--store", "../inner.db", "--json")
    assert checked.returncode == 0, checked.stdout.decode()[-3000:]
    (session,) = json.loads(checked.stdout)["sessions"]
    assert [row["exact"] for row in session["requests"]] == [True, True]
    with Store.open(place.root / "inner.db") as store:
        snapshot = store.recording(session["id"]).snapshot
    assert snapshot is not None
    versions = snapshot.files[str(place.root / "ws" / "CLAUDE.md")]
    assert [item.data for item in versions] == [b"rule of the place\n", b"new\n"]
    kept = [
        path for path in (place.root / "data").rglob("*") if path.name.endswith(".request.json")
    ]
    assert kept == []


def plain(body: bytes) -> bytes:
    """A body without the value of `cch`."""
    head, found, tail = body.partition(b"cch=")
    assert found
    return head + tail[5:]


def test_an_export_without_its_betas_is_the_body_itself() -> None:
    assert without_betas(b'{"a":1,"betas":["x","y"]}') == (b'{"a":1}', "x,y")
