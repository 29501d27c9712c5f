"""The older HTTP transport: answers come on a stream of their own."""

import json
import queue
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from inspector.clients import Server
from inspector.mcp_client import ask
from inspector.mcp_client.events import Events
from inspector.workspace import Listing

LARGE = '{"tools":["' + 2_000_000 * "é" + '", "\\ud800", 1.50 ]}'
ANSWERS = {
    "initialize": '{"protocolVersion":"2024-11-05","capabilities":{"tools":{}}}',
    "tools/list": '{"tools":[ {"name":"a","n":1.50} ]}',
}


class _Handler(BaseHTTPRequestHandler):
    endpoint = "/post?session=1"
    status = 200
    kind = "text/event-stream"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Type", self.kind)
        self.end_headers()
        self._send(f"event: endpoint\r\ndata: {self.endpoint}\r\n\r\n: a remark\r\n")
        while (text := self.server.waiting.get()) is not None:  # type: ignore[attr-defined]
            self._send(f"event: message\ndata: {text}\n\n")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = ANSWERS.get(asked["method"])
        if answer is not None:
            text = f'{{"jsonrpc":"2.0","id":{asked["id"]},"result":{answer}}}'
            self.server.waiting.put(text)  # type: ignore[attr-defined]
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, text: str) -> None:
        self.wfile.write(text.encode())
        self.wfile.flush()


@contextmanager
def _serving(**more: object) -> Generator[Server]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), more))
    server.daemon_threads = True
    server.waiting = queue.SimpleQueue[str | None]()  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Server("s", "user", "sse", url=f"http://127.0.0.1:{server.server_address[1]}/sse")
    finally:
        server.waiting.put(None)  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
        thread.join()


def test_answers_on_the_stream_are_kept_as_written() -> None:
    with _serving() as server:
        assert ask(server, 5) == Listing(
            server="s",
            scope="user",
            initialize=ANSWERS["initialize"],
            tools=ANSWERS["tools/list"],
        )


@pytest.mark.parametrize(
    ("more", "state", "reason"),
    [
        ({"status": 401}, "not-asked", "needs a login (HTTP 401)"),
        ({"status": 500}, "failed", "HTTP 500 Internal Server Error"),
        ({"endpoint": "http://other.example/x"}, "failed", "the endpoint is on another host"),
    ],
)
def test_a_login_and_a_fault_are_states(more: dict[str, object], state: str, reason: str) -> None:
    with _serving(**more) as server:
        found = ask(server, 5)
    assert (found.state, found.reason) == (state, reason)


def test_answers_of_any_size_come_over_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANSWERS, "tools/list", LARGE)
    with _serving() as server:
        assert ask(server, 5).tools == LARGE


def test_an_answer_that_is_no_stream_is_named() -> None:
    with _serving(kind="text/html") as server:
        found = ask(server, 5)
    assert (found.state, found.reason) == ("failed", "its answer is text/html, no event stream")


STREAM = b"""event: endpoint\r\ndata: /x\r\n\r\n: a remark

id: 4
data: {"a":
data: 1}

event: other
data: b

data: last"""


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_a_stream_passes_with_its_messages_replaced_however_it_is_cut(size: int) -> None:
    told: list[bytes] = []
    events = Events(lambda data: b"<%d>" % len(data), told.append)
    chunks = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    out = b"".join(map(events.feed, chunks)) + events.end()
    assert told == [b"/x"]
    assert out == (
        b"event: endpoint\ndata: /x\n\n\nid: 4\ndata: <8>\n\nevent: other\ndata: b\n\ndata: <4>\n\n"
    )
