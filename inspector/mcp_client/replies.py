"""What a server's own questions are answered with: as the clients do it."""

from types import TracebackType
from typing import Self

from anyio.abc import ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import METHOD_NOT_FOUND, ErrorData, JSONRPCError


class Replies:
    """The stream to a server; an error in it says that the client has no such method.

    The SDK's session says that the question is not well formed, whatever it cannot answer; both
    clients say -32601 of sampling and of methods unknown to them [claude-code 2.1.332, codex
    0.171.0, asked by a server for `sampling/createMessage`].
    """

    def __init__(self, stream: ObjectSendStream[SessionMessage]) -> None:
        """Passes on to `stream`."""
        self._stream = stream

    async def send(self, item: SessionMessage, /) -> None:
        """Pass a message on."""
        message = item.message
        if isinstance(message, JSONRPCError):
            error = ErrorData(code=METHOD_NOT_FOUND, message="Method not found")
            item = SessionMessage(JSONRPCError(jsonrpc="2.0", id=message.id, error=error))
        await self._stream.send(item)

    async def aclose(self) -> None:
        """Close the stream below."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        await self.aclose()
        return None
