"""Servers are asked as clients ask them; their words are kept raw; nothing is left running."""

import json
import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from inspector.clients import Server
from inspector.mcp_client import ask, ask_all
from inspector.workspace import Cause, Failure, Listing

# A server that speaks MCP by hand: raw JSON of every kind, pages, questions of its own, and a log.
SERVER = r"""
import json, os, sys
log = open(sys.argv[1], "a")
print("starting up ...")
print("a warning", file=sys.stderr)
for line in sys.stdin:
    log.write(line); log.flush()
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    cursor = (message.get("params") or {}).get("cursor")
    answers = {
        "initialize": '{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{}}, "x":1.50}',
        "tools/list": '{"tools":[ {"name":"a","n":1e3} ],"nextCursor":"p2"}' if cursor is None
            else '{"tools":[{"name":"b","z":1,"z":2},{"name":"é"}]}',
        "resources/list": '{"resources":[]}',
    }
    if method == "tools/list" and cursor is None:
        print('{"jsonrpc":"2.0","id":77,"method":"roots/list"}', flush=True)
        print('{"jsonrpc":"2.0","id":78,"method":"sampling/createMessage"}', flush=True)
        print('{"jsonrpc":"2.0","method":"notifications/message","params":{}}', flush=True)
    if method in answers:
        print('{"id":%s,"jsonrpc":"2.0","result":%s}' % (number, answers[method]), flush=True)
    elif method and number is not None:
        print('{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}' % number, flush=True)
"""
READY = Listing(
    server="s", scope="user",
    initialize='{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{}}, "x":1.50}',
    tools='{"tools":[{"name":"a","n":1e3},{"name":"b","z":1,"z":2},{"name":"é"}]}',
    resources='{"resources":[]}',
)  # fmt: skip


# Members no model of the protocol takes, numbers and letters no parser keeps.
ODD = (
    '{"tools":[{"name":7,"n":123456789012345678901234567890,"x":1.50,"x":2,"s":"\\ud800 \\u00e9"},'
    '[], null ],"_meta":"odd","nextCursor":3, "more":-0.0}'
)
LARGE = '{"tools":["' + 3_000_000 * "é" + '"]}'
ANSWERING = r"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    answers = {"initialize": '{"capabilities":{"tools":true},"protocolVersion":"2024-11-05"}', "tools/list": open(sys.argv[1]).read()}
    if message["method"] in answers:
        print('{"jsonrpc":"2.0","id":%s,"result":%s}' % (message["id"], answers[message["method"]]), flush=True)
"""


def stdio(*command: str, **more: object) -> Server:
    return Server("s", "user", "stdio", command, **more)  # type: ignore[arg-type]


def python(code: str, *words: str) -> Server:
    return stdio(sys.executable, "-c", code, *words)


def test_a_stdio_server_is_asked_for_all_it_offers_page_by_page(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert ask(python(SERVER, str(log))) == READY
    sent = [json.loads(line) for line in log.read_text().splitlines()]
    assert sent == [
        {
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "inspector", "version": "1"}},
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 77, "result": {"roots": []}},
        {"jsonrpc": "2.0", "id": 78, "error": {"code": -32601, "message": "Method not found"}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {"cursor": "p2"}},
        {"jsonrpc": "2.0", "id": 4, "method": "resources/list"},
        {"jsonrpc": "2.0", "id": 5, "method": "resources/templates/list"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; print('no database', file=sys.stderr); sys.exit(3)", "no database"),
        ("import time; time.sleep(60)", "no answer to initialize in time"),
        ("print('{}'); print('null'); print('[1]'); input()", "exit code 0"),
        (
            'input(); print(\'{"jsonrpc":"2.0","id":1,"error":{"code":1}}\', flush=True); input()',
            'error {"code":1}',
        ),
    ],
)
def test_a_server_that_fails_is_named_with_its_reason(code: str, reason: str) -> None:
    listing = ask(python(code), timeout=5 if "sleep" not in code else 0.5)
    assert (listing.server, listing.scope, listing.state, listing.tools) == (
        "s",
        "user",
        "failed",
        None,
    )
    assert reason in listing.reason
    assert "\n" not in listing.reason


def test_a_command_that_is_not_there_and_a_transport_nobody_asks_are_states() -> None:
    assert "No such file" in ask(stdio("/nowhere/server")).reason
    assert ask(Server("s", "user", "websocket", url="ws://h")) == Listing(
        server="s", scope="user", state="not-asked", reason="transport websocket is not asked"
    )
    assert ask(Server("s", "user", "stdio")) == Listing(
        server="s", scope="user", state="failed", reason="its configuration names no command"
    )


def test_nothing_is_left_running_not_even_grandchildren(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
        f"open({str(tmp_path / 'pids')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}'); import signal;"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    )
    ask(python(code), timeout=2)
    parent, child = map(int, (tmp_path / "pids").read_text().split())
    with pytest.raises(ProcessLookupError):
        os.kill(parent, 0)
    state = Path(f"/proc/{child}/stat")
    assert (
        not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z"
    )  # its new parent reaps it


def test_the_environment_is_the_clients_with_the_servers_settings_on_top(tmp_path: Path) -> None:
    code = f"import os, json; json.dump([os.environ.get(n) for n in ('A', 'B', 'C')] + [os.getcwd()], open({str(tmp_path / 'env')!r}, 'w'))"
    ask(
        Server("s", "u", "stdio", (sys.executable, "-c", code), env={"B": "own"}),
        env={"A": "a", "B": "b"},
        cwd=str(tmp_path),
    )
    assert json.loads((tmp_path / "env").read_text()) == ["a", "own", None, str(tmp_path)]


def test_all_servers_are_asked_at_once_in_order(tmp_path: Path) -> None:
    servers = [
        python("import time; time.sleep(60)"),
        python(SERVER, str(tmp_path / "log")),
        stdio("/nowhere"),
    ]
    assert [listing.state for listing in ask_all(servers, timeout=2)] == [
        "failed",
        "ready",
        "failed",
    ]
    assert ask_all([]) == ()


MOVED = {"/moved": "http://other.example/json", "/moved-here": "/json"}
ANSWERS = {
    "/login": (401, b"", "text/plain"),
    "/moved": (307, b"", "text/plain"),
    "/moved-here": (307, b"", "text/plain"),
    "/broken": (500, b"sorry", "text/plain"),
    "/page": (200, b"<html>", "text/html"),
    "/words": (200, b"words", "application/json"),
}
LISTS = {"/odd": ODD, "/large": LARGE}


class Web(BaseHTTPRequestHandler):
    """An MCP server over HTTP; the path says how it behaves."""

    seen: list[tuple[str, str | None, str | None, str | None]]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        sent = self.headers
        self.seen.append(
            (
                message["method"],
                sent["mcp-session-id"],
                sent["mcp-protocol-version"],
                sent["authorization"],
            )
        )
        if self.path in ANSWERS:
            return self.answer(*ANSWERS[self.path])
        version = "1999-01-01" if self.path == "/old" else "2025-06-18"
        results = {
            "initialize": f'{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}}}}',
            "tools/list": LISTS.get(self.path, '{"tools":[1.0]}'),
        }
        if message["method"] not in results:
            return self.answer(202, b"", "text/plain")
        text = f'{{"jsonrpc":"2.0","id":{message["id"]},"result":{results[message["method"]]}}}'
        if self.path == "/sse":
            events = f': hi\r\n\r\nevent: message\r\ndata: {{"jsonrpc":"2.0","method":"x"}}\r\n\r\ndata: {text}\r\n\r\n'
            return self.answer(200, events.encode(), "text/event-stream")
        return self.answer(200, text.encode(), "application/json; charset=utf-8")

    def do_DELETE(self) -> None:
        self.seen.append(("DELETE", self.headers["mcp-session-id"], None, None))
        self.answer(200, b"", "text/plain")

    def answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("mcp-session-id", "sid")
        if status == 307:
            self.send_header("location", MOVED[self.path])
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def web() -> Generator[tuple[str, list[tuple[str, str | None, str | None, str | None]]]]:
    seen: list[tuple[str, str | None, str | None, str | None]] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Web,), {"seen": seen}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("tools", [ODD, LARGE], ids=["odd", "large"])
def test_what_no_model_takes_is_kept_as_written(tools: str, tmp_path: Path) -> None:
    (tmp_path / "tools").write_text(tools)
    assert ask(python(ANSWERING, str(tmp_path / "tools"))) == Listing(
        server="s", scope="user", tools=tools,
        initialize='{"capabilities":{"tools":true},"protocolVersion":"2024-11-05"}',
    )  # fmt: skip


@pytest.mark.parametrize("path", ["/odd", "/large"])
def test_what_no_model_takes_is_kept_over_http_too(path: str) -> None:
    with web() as (url, _):
        assert ask(Server("h", "u", "http", url=url + path)).tools == LISTS[path]


def test_a_redirect_on_the_same_host_is_followed() -> None:
    with web() as (url, seen):
        found = ask(Server("h", "u", "http", url=url + "/moved-here"))
    assert (found.state, found.tools) == ("ready", '{"tools":[1.0]}')
    assert [method for method, *_ in seen][-2:] == ["tools/list", "DELETE"]


@pytest.mark.parametrize("path", ["/json", "/sse"])
def test_an_http_server_is_asked_in_one_session(path: str) -> None:
    with web() as (url, seen):
        listing = ask(
            Server("h", "project", "http", url=url + path, headers={"Authorization": "Bearer x"})
        )
    assert listing == Listing(
        server="h", scope="project", tools='{"tools":[1.0]}',
        initialize='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}',
    )  # fmt: skip
    assert seen == [
        ("initialize", None, None, "Bearer x"),
        ("notifications/initialized", "sid", "2025-06-18", "Bearer x"),
        ("tools/list", "sid", "2025-06-18", "Bearer x"),
        ("DELETE", "sid", None, None),
    ]


@pytest.mark.parametrize(
    ("path", "state", "reason", "cause", "detail"),
    [
        ("/login", "not-asked", "needs a login (HTTP 401)", "status", "401"),
        ("/moved", "failed", "HTTP 307 Temporary Redirect", "status", "307"),
        ("/broken", "failed", "HTTP 500 Internal Server Error", "status", "500"),
        ("/old", "failed", "protocol version 1999-01-01 is not supported", "version", "1999-01-01"),
        ("/page", "failed", "no answer to initialize (Unexpected content type: text/html)", "content", "text/html"),
        ("/words", "failed", "no answer to initialize (it is no JSON-RPC message)", "unreadable", ""),
    ],
)  # fmt: skip
def test_an_http_server_that_refuses_is_named(
    path: str, state: str, reason: str, cause: Cause, detail: str
) -> None:
    said = "sorry" if path == "/broken" else ""
    with web() as (url, _):
        assert ask(Server("h", "u", "http", url=url + path)) == Listing(
            server="h", scope="u", state=state, reason=reason,
            failure=Failure(transport="http", cause=cause, detail=detail, said=said),
        )  # fmt: skip


def test_a_login_is_told_from_a_token_that_was_refused() -> None:
    with web() as (url, _):
        found = ask(Server("h", "u", "http", url=url + "/login", headers={"authorization": "x"}))
    assert found.failure == Failure(transport="http", cause="token-refused", detail="401")


@pytest.mark.parametrize("kind", ["http", "sse"])
def test_a_server_that_is_not_there_is_named(kind: str) -> None:
    refused = ask(Server("h", "u", kind, url="http://127.0.0.1:9/"))
    assert refused.reason == "cannot be reached (Connection refused)"
    nowhere = ask(Server("h", "u", kind, url="http://nowhere.invalid/"))
    assert nowhere.reason == "cannot be reached (no such host)"


def test_an_address_of_no_http_is_named() -> None:
    assert (
        ask(Server("h", "u", "http", url="file:///etc/passwd")).reason
        == "file is no scheme of HTTP"
    )
