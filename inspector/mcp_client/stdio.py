"""The streams of an SDK session over a child's standard input and output: one message a line.

The process is ours and not the SDK's `stdio_client`, which decodes and parses each line itself and
has no place for a tee below it; it also adds variables of our own environment to the server's,
and tells neither the exit code nor the words on standard error.
"""

import os
import signal
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import IO

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from inspector.mcp_client.faults import Fault
from inspector.mcp_client.tee import Tee

type Read = MemoryObjectReceiveStream[SessionMessage | Exception]
type Write = MemoryObjectSendStream[SessionMessage]

_GRACE_SECONDS = 0.5
_POLL_SECONDS = 0.01
_SAID = 300
_AT_ONCE = 1 << 16


@asynccontextmanager
async def stdio(
    command: Sequence[str], env: Mapping[str, str], cwd: str | None, tee: Tee
) -> AsyncGenerator[tuple[Read, Write]]:
    """Start a server in a process group of its own, and end it. Raises `OSError`."""
    child = _Child(command, env, cwd)
    to_session, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    writing, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(child.read, tee, to_session)
            tasks.start_soon(child.write, from_session)
            yield reading, writing
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            tee.words = child.words()
            await child.end()
        for stream in (to_session, reading, writing, from_session):
            stream.close()


class _Child:
    """A server process of our own."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: str | None) -> None:
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `end`
        try:
            self._process = subprocess.Popen(
                list(command),
                env=dict(env),
                cwd=cwd,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                start_new_session=True,
            )
        except OSError:
            self._stderr.close()
            raise
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        os.set_blocking(self._stdin.fileno(), False)

    async def read(
        self, tee: Tee, to_session: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        """Pass messages on until the server ends its output; then say how it ended."""
        parts: list[bytes] = []
        async with to_session:
            while chunk := await self._chunk():
                parts.append(chunk)
                if b"\n" not in chunk:
                    continue
                *lines, rest = b"".join(parts).split(b"\n")
                parts = [rest]
                for line in lines:
                    await _pass_on(tee.through(line), to_session)
            await self._gone(_GRACE_SECONDS)
            tee.words = self.words()
            ended = f"the server ended (exit code {self._process.returncode})"
            tee.fault = Fault(tee.said(f"{ended} before it answered {tee.awaited}"), "ended")

    async def write(self, from_session: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Pass on what the session sends."""
        with suppress(OSError):
            async for sent in from_session:
                text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                left = text.encode() + b"\n"
                while left:
                    await anyio.wait_writable(self._stdin.fileno())
                    left = left[os.write(self._stdin.fileno(), left) :]

    async def end(self) -> None:
        """End the process group and wait for our child, so that no zombie stays."""
        with suppress(OSError):
            self._stdin.close()
        if not await self._gone(_GRACE_SECONDS):
            self._signal(signal.SIGTERM)
            await self._gone(_GRACE_SECONDS)
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._stdout.close()
        self._stderr.close()

    def words(self) -> str:
        """The end of what the server wrote to standard error."""
        self._stderr.seek(0)
        words = self._stderr.read()[-4 * _SAID :].decode(errors="replace")
        return " ".join(words.split())[-_SAID:]

    async def _chunk(self) -> bytes:
        await anyio.wait_readable(self._stdout.fileno())
        return os.read(self._stdout.fileno(), _AT_ONCE)

    async def _gone(self, seconds: float) -> bool:
        with anyio.move_on_after(seconds):
            while self._process.poll() is None:  # noqa: ASYNC110 - no event tells of its end
                await anyio.sleep(_POLL_SECONDS)
        return self._process.returncode is not None

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


async def _pass_on(
    line: bytes | None, to_session: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    if line is not None:
        with suppress(ValueError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            await to_session.send(SessionMessage(message))
