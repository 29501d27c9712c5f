"""An HTTP server for scenarios whose MCP servers fail over HTTP: each path has one answer."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PORT = 47777
"""Fixed, since workspaces name it; each run has a network of its own."""


class _Server(ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that go away."""


class _Answers(BaseHTTPRequestHandler):
    """What a path says it answers; 404 for others."""

    protocol_version = "HTTP/1.1"

    def __init__(self, answers: dict[str, dict[str, Any]], *rest: Any) -> None:
        self._answers = answers
        super().__init__(*rest)

    def _answer(self) -> None:
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        answer = self._answers.get(self.path, {"status": 404})
        body = str(answer.get("body", ""))
        if "{id}" in body:
            body = body.replace("{id}", str(json.loads(sent or "{}").get("id")))
        self.send_response(int(answer["status"]))
        self.send_header("content-type", str(answer.get("type", "text/plain")))
        self.send_header("content-length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    do_GET = do_POST = do_DELETE = _answer  # noqa: N815 - the base's names

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@contextmanager
def serving(answers: dict[str, dict[str, Any]]) -> Generator[None]:
    """Serve while a scenario runs, where it has answers."""
    if not answers:
        yield
        return
    server = _Server(("127.0.0.1", PORT), partial(_Answers, answers))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
