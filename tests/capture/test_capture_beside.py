"""The addon in the user's own mitmdump: beside their addons, and killed at a bad moment."""

import contextlib
import http.client
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

from inspector.capture import script
from inspector.capture.intake import UNFINISHED
from inspector.session import Exchange
from inspector.store import Store
from tests.capture.gate import LIMIT, Answering, upstream

MITMDUMP = Path(sys.executable).with_name("mitmdump")
OTHER = """
from mitmproxy import ctx
class Other:
    def request(self, flow):
        flow.request.headers["x-other"] = "seen"
    def response(self, flow):
        flow.response.headers["x-other"] = "seen too"
        names = [name for name in ctx.master.commands.commands if name.startswith("inspector.")]
        print("OTHER", sorted(names), ctx.master.commands.call("inspector.sessions"), flush=True)
addons = [Other()]
"""
EVENT = b'data: {"type":"content_block_delta","index":0,"delta":{"text":"%d "}}\n\n'


@contextlib.contextmanager
def mitmdump(
    tmp_path: Path, root: Path, url: str, *more: str
) -> Generator[tuple["subprocess.Popen[str]", int]]:
    words = [str(MITMDUMP), "-s", script.__file__, *more, "--mode", f"reverse:{url}"]
    words += ["--listen-host", "127.0.0.1", "-p", "0", "--set", f"confdir={tmp_path / 'c'}"]
    words += ["--set", f"inspector_store={tmp_path / 's.db'}"]
    env = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(root)}
    env["INSPECTOR_DATA"] = str(tmp_path / "data")
    with subprocess.Popen(
        words, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as proxy:
        try:
            assert proxy.stdout is not None
            line = next(line for line in proxy.stdout if "listening at" in line)
            yield proxy, int(line.rpartition(":")[2].strip(" ./\n"))
        finally:
            proxy.kill()


@contextlib.contextmanager
def post(port: int) -> Generator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    connection.request("POST", "/v1/messages", b'{"messages":[]}')
    with contextlib.closing(connection), connection.getresponse() as response:
        yield response


def stored(path: Path) -> list[Exchange]:
    with Store.open(path) as store:
        return [item for session in store.sessions() for item in store.exchanges(session.id)]


def test_the_users_other_addons_work_beside_ours(tmp_path: Path, root: Path) -> None:
    seen: list[str | None] = []
    got: list[str | None] = []

    def act(answer: Answering) -> None:
        seen.append(answer.headers["x-other"])
        answer.begin(content_length="2", content_type="application/json")
        answer.wfile.write(b"{}")

    (tmp_path / "other.py").write_text(OTHER)
    with (
        upstream(act) as url,
        mitmdump(tmp_path, root, url, "-s", str(tmp_path / "other.py")) as (proxy, port),
    ):
        for _ in range(2):
            with post(port) as answer:
                assert answer.read() == b"{}"
                got.append(answer.headers["x-other"])
        proxy.terminate()
        assert proxy.stdout is not None
        said = [line for line in proxy.stdout if line.startswith("OTHER")]
        assert proxy.wait(LIMIT) == 0
    assert seen == ["seen", "seen"]
    assert got == ["seen too", "seen too"]
    assert len(said) == 2
    assert said[1].startswith("OTHER ['inspector.session', 'inspector.sessions'] [")
    found = stored(tmp_path / "s.db")
    assert [(item.url, item.response, item.status) for item in found] == [
        (f"{url}/v1/messages", b"{}", 200)
    ] * 2


def test_what_came_before_a_kill_is_kept_and_marked(tmp_path: Path, root: Path) -> None:
    killed = threading.Event()

    def act(answer: Answering) -> None:
        answer.begin(transfer_encoding="chunked", content_type="text/event-stream")
        for number in range(50):
            answer.chunk(EVENT % number)
        killed.wait(LIMIT)
        answer.close_connection = True

    path = tmp_path / "s.db"
    with (
        upstream(act) as url,
        mitmdump(tmp_path, root, url) as (proxy, port),
        post(port) as response,
    ):
        assert response.read(len(EVENT) * 50 - 40)
        deadline = time.monotonic() + LIMIT
        while not any(item.response for item in stored(path)) and time.monotonic() < deadline:
            threading.Event().wait(0.05)
        proxy.kill()
        proxy.wait(LIMIT)
        killed.set()
    (exchange,) = stored(path)
    whole = b"".join(EVENT % number for number in range(50))
    assert (exchange.request, exchange.status, exchange.error) == (
        b'{"messages":[]}',
        200,
        UNFINISHED,
    )
    assert whole.startswith(exchange.response)
    assert len(exchange.response) > len(whole) / 2
