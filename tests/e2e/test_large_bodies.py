"""Bodies of unreasonable size through a proxy of its own process: they arrive, memory stays bounded."""

import http.client
import json
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest

from inspector.capture import codec
from inspector.store import Store

LIMIT = 120
MEGABYTE = 1 << 20
END = b'event: message_stop\ndata: {"type":"message_stop"}\n\n'


class Counting(BaseHTTPRequestHandler):
    """Answers each request with its size."""

    protocol_version = "HTTP/1.1"
    got: list[int]

    def do_POST(self) -> None:
        left = size = int(self.headers["content-length"])
        while left:
            left -= len(self.rfile.read(min(left, MEGABYTE)))
        self.got.append(size)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(END)))
        self.end_headers()
        self.wfile.write(END)

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002


@contextmanager
def model() -> Generator[tuple[str, list[int]]]:
    """A server, and the sizes of the bodies it received."""
    got: list[int] = []
    acting = type("Acting", (Counting,), {"got": got})
    with ThreadingHTTPServer(("127.0.0.1", 0), acting) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", got
        server.shutdown()
        thread.join()


@contextmanager
def proxy(
    store: Path, url: str, env: dict[str, str]
) -> Generator[tuple["subprocess.Popen[bytes]", int]]:
    """`inspector proxy`, and the port of its base URL."""
    words = [sys.executable, "-m", "inspector", "proxy", "--port", "0", "--json"]
    words += ["--store", str(store), "--upstream", url]
    with subprocess.Popen(
        words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        text = b""
        while not text.rstrip().endswith(b"\n}"):
            line = running.stdout.readline()
            assert line, running.stderr and running.stderr.read()
            text += line
        try:
            base: str = json.loads(text)["base_url"]
            yield running, urlsplit(base).port or 0
        finally:
            running.terminate()


def most_memory(running: "subprocess.Popen[bytes]") -> int:
    """The most a process has had in memory so far, in bytes; 0 where that is not told."""
    try:
        text = Path(f"/proc/{running.pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return (
        sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM")) * 1024
    )


def ended(running: "subprocess.Popen[bytes]") -> int:
    """Stop a process, and say the most it has had in memory until then."""
    most = most_memory(running)
    running.terminate()
    while running.poll() is None:  # what came last is decoded and written now
        most = max(most, most_memory(running))
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.02)
    return most


def post(port: int, body: bytes, **headers: str) -> bytes:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)) as connection:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("POST", "/v1/messages", body, given)
        with connection.getresponse() as response:
            return response.read()


@pytest.mark.parametrize("kind", ["plain", "bomb"])
def test_a_body_of_unreasonable_size_goes_on_and_memory_is_bounded(
    tmp_path: Path, root: Path, kind: str
) -> None:
    words = b'{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"'
    if kind == "plain":
        body, headers = words + b"words and " * (20 * MEGABYTE) + b'"}]}', dict[str, str]()
        decoded = len(body)
    else:
        body = cast("Any", codec).zstd.compress(words + bytes(2 * codec.LARGEST))
        headers, decoded = {"content_encoding": "zstd"}, codec.LARGEST
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(root)}
    env["INSPECTOR_DATA"] = str(tmp_path / "data")
    store = tmp_path / "s.db"
    with model() as (url, got), proxy(store, url, env) as (running, port):
        before = most_memory(running)
        assert post(port, body, **headers) == END
        assert post(port, words + b'next"}]}') == END
        grown = ended(running) - before
    print(f"{kind}: {len(body)} bytes sent, {decoded} decoded, {grown} more in memory at most")
    assert got == [len(body), len(words) + len(b'next"}]}')]
    with Store.open(store) as kept:
        large, small = (item for one in kept.sessions() for item in kept.exchanges(one.id))
    assert (large.status, len(large.request)) == (200, decoded)
    assert ("decoded; the rest is left out" in large.error) == (kind == "bomb")
    assert (small.status, small.error) == (200, "")
    assert grown < 5 * decoded
