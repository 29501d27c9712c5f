"""What the benchmarks talk through: a bare keep-alive client and a bare server, on loopback."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass

ANSWER = b'{"type":"message","role":"assistant","content":[{"type":"text","text":"done"}]}'
CALL = (
    b'{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_1",'
    b'"name":"Read","input":{"file_path":"/nowhere/a.py"}}]}'
)
"""An answer that calls a tool: it is stored at once, and the file is looked at."""
EVENTS = 200
EVERY = 0.002
"""Seconds between two events of a stream."""


class Unstreamed(Exception):
    """A proxy answered in one piece."""


@dataclass(frozen=True, slots=True)
class Streamed:
    """One answer's stream, in seconds."""

    first: float
    """From the request to the first byte."""
    delays: tuple[float, ...]
    """From an event's sending to its coming, event by event."""


async def _read_request(reader: asyncio.StreamReader) -> str:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = 0
    for line in head.split("\r\n"):
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            length = int(value)
    await reader.readexactly(length)
    return head.split(" ", 2)[1]


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
        while True:
            path = await _read_request(reader)
            if "stream" in path:
                await _stream(writer)
            else:
                head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                answer = CALL if "calls" in path else ANSWER
                writer.write(f"{head}content-length: {len(answer)}\r\n\r\n".encode() + answer)
                await writer.drain()
    writer.close()


async def _stream(writer: asyncio.StreamWriter) -> None:
    writer.write(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    start = time.monotonic()
    for number in range(EVENTS):
        await asyncio.sleep(max(0.0, start + number * EVERY - time.monotonic()))
        text = f'"at":{time.monotonic_ns()},"delta":{{"type":"text_delta","text":"word "}}'
        event = f'event: content_block_delta\ndata: {{"type":"content_block_delta",{text}}}\n\n'
        writer.write(f"{len(event):x}\r\n{event}\r\n".encode())
        await writer.drain()
    end = b'event: message_stop\ndata: {"type":"message_stop"}\n\n'
    writer.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(end), end))
    await writer.drain()


@contextlib.asynccontextmanager
async def server() -> AsyncGenerator[int]:
    """A server that answers at once, or streams where the path says so; its port."""
    listening = await asyncio.start_server(_answer, "127.0.0.1", 0, limit=1 << 24)
    try:
        yield int(listening.sockets[0].getsockname()[1])
    finally:
        listening.close()


class Caller:
    """A client on one connection that stays open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Use `connected`."""
        self._reader, self._writer = reader, writer

    @classmethod
    async def connected(cls, port: int) -> "Caller":
        """A caller of a port on loopback."""
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 24))

    def close(self) -> None:
        """Hang up."""
        self._writer.close()

    async def _send(self, path: str, body: bytes) -> None:
        head = (
            f"POST {path} HTTP/1.1\r\nhost: api.anthropic.com\r\ncontent-type: application/json\r\n"
            "user-agent: claude-cli/2.1.332 (external, cli)\r\naccept: application/json\r\n"
            "x-claude-code-session-id: 6f1c7c2e-8f0a-4b57-9c3e-0a1b2c3d4e5f\r\n"
            "x-api-key: sk-ant-api03-fakefakefakefakefakefake\r\nx-app: cli\r\n"
            "anthropic-version: 2023-06-01\r\nanthropic-beta: claude-code-20250219\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        await self._writer.drain()

    async def ask(self, body: bytes, path: str = "/v1/messages") -> float:
        """One request and its whole answer; seconds."""
        start = time.monotonic()
        await self._send(path, body)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        if b"chunked" in head:
            while await self._chunk():
                pass
        else:
            length = head.partition(b"content-length:")[2].split(b"\r\n", 1)[0]
            await self._reader.readexactly(int(length))
        return time.monotonic() - start

    async def stream(self, body: bytes) -> Streamed:
        """One streamed answer, each event timed."""
        start, first, delays = time.monotonic(), 0.0, list[float]()
        await self._send("/v1/messages?stream", body)  # a path that every proxy passes on
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        if "chunked" not in head.lower():
            raise Unstreamed(head.partition("\r\n")[0])
        pending = b""
        while chunk := await self._chunk():
            now = time.monotonic_ns()
            first = first or now / 1e9 - start
            *whole, pending = (pending + chunk).split(b"\n\n")
            for event in whole:
                sent = event.partition(b'"at":')[2].partition(b",")[0]
                if sent:
                    delays.append((now - int(sent)) / 1e9)
        return Streamed(first, tuple(delays))

    async def _chunk(self) -> bytes:
        size = int(await self._reader.readline(), 16)
        return (await self._reader.readexactly(size + 2))[:-2]
