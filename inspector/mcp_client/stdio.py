"""MCP over a child's standard input and output: one JSON message a line."""

import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from inspector import jsontext
from inspector.mcp_client.faults import Fault, answers, message, parsed, result

_GRACE_SECONDS = 0.5
_SAID = 300


class Stdio:
    """A server process of our own, in a process group of its own, ended by `close`."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], cwd: str | None, deadline: float
    ) -> None:
        """Start the server. Raises `OSError` when that fails."""
        self._deadline = deadline
        self._number = 0
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        try:
            self._process = subprocess.Popen(
                list(command),
                env=dict(env),
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                start_new_session=True,
            )
        except OSError:
            self._stderr.close()
            raise
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="inspector-mcp", daemon=True)
        self._reader.start()

    def request(self, method: str, params: Mapping[str, Any]) -> jsontext.Node:
        """The result of a request; what the server asks meanwhile is declined."""
        self._number += 1
        self._send(message(method, params, self._number))
        while True:
            node = parsed(self._line(method))
            if node is None:
                continue
            if answers(node, self._number):
                return result(node)
            self._decline(node)

    def notify(self, method: str) -> None:
        """Send a notification."""
        self._send(message(method, None, None))

    def close(self) -> None:
        """End the process group and wait for our child, so that no zombie stays."""
        with suppress(OSError):
            self._stdin().close()
        if not self._gone(_GRACE_SECONDS):
            self._signal(signal.SIGTERM)
            self._gone(_GRACE_SECONDS)
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._reader.join(_GRACE_SECONDS)
        if not self._reader.is_alive() and self._process.stdout is not None:
            self._process.stdout.close()
        self._stderr.close()

    def _gone(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _stdin(self) -> IO[bytes]:
        if self._process.stdin is None:
            raise Fault("no standard input")
        return self._process.stdin

    def _send(self, line: bytes) -> None:
        try:
            self._stdin().write(line + b"\n")
            self._stdin().flush()
        except (OSError, ValueError) as error:
            raise Fault(self._said("the server went away")) from error

    def _line(self, method: str) -> bytes:
        try:
            line = self._lines.get(timeout=max(self._deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise Fault(self._said(f"no answer to {method} in time")) from None
        if line is None:
            self._gone(_GRACE_SECONDS)
            code = self._process.returncode
            raise Fault(
                self._said(f"the server ended (exit code {code}) before it answered {method}")
            )
        return line

    def _decline(self, node: jsontext.Node) -> None:
        number, method = node.get("id"), node.string_of("method")
        if number is None or method is None:
            return
        error = json.dumps({"code": -32601, "message": "Method not found"})
        answer = '"result":{}' if method == "ping" else f'"error":{error}'
        if method == "roots/list":
            answer = '"result":{"roots":[]}'
        self._send(f'{{"jsonrpc":"2.0","id":{number.text},{answer}}}'.encode())

    def _read(self) -> None:
        stdout = self._process.stdout
        with suppress(OSError, ValueError):
            for line in stdout or ():
                self._lines.put(line)
        self._lines.put(None)

    def _said(self, fact: str) -> str:
        """The fact, and the end of what the server wrote to standard error."""
        self._stderr.seek(0)
        words = " ".join(self._stderr.read()[-4 * _SAID :].decode(errors="replace").split())[
            -_SAID:
        ]
        return f"{fact}; it said: {words}" if words else fact
