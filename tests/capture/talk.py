"""A WebSocket client of the tests' own, with and without compression."""

import http.client
import json
from collections.abc import Iterator
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Event, Request, TextMessage
from wsproto.extensions import PerMessageDeflate

from inspector.formats import frames


class Talk:
    """One open WebSocket; `headers` are the server's answer to the handshake."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        path: str = "/v1/responses",
        *,
        deflate: bool = True,
        headers: tuple[tuple[bytes, bytes], ...] = (),
    ) -> None:
        connection.connect()
        self.wire: Any = connection.sock
        self.talk = WSConnection(ConnectionType.CLIENT)
        asked = Request(
            host="api.openai.com",
            target=path,
            extensions=[PerMessageDeflate()] if deflate else [],
            extra_headers=list(headers),
        )
        self.wire.sendall(self.talk.send(asked))
        self.coming = self._events()
        accepted = next(self.coming)
        assert isinstance(accepted, AcceptConnection), accepted
        self.compressed = bool(accepted.extensions)

    def _events(self) -> Iterator[Event]:
        while True:
            data = self.wire.recv(65536)
            self.talk.receive_data(data or None)
            yield from self.talk.events()
            if not data:
                return

    def send(self, *fragments: str) -> bytes:
        """Send one message in fragments; its bytes."""
        for number, fragment in enumerate(fragments, 1):
            part = TextMessage(data=fragment, message_finished=number == len(fragments))
            self.wire.sendall(self.talk.send(part))
        return "".join(fragments).encode()

    def ask(self, **members: Any) -> bytes:
        """Send a request; its bytes."""
        body = {"type": "response.create", "model": "m", "stream": True, **members}
        return self.send(json.dumps(body))

    def messages(self) -> Iterator[bytes]:
        """The server's messages until the socket closes."""
        parts: list[str] = []
        for event in self.coming:
            if isinstance(event, CloseConnection):
                return
            if isinstance(event, TextMessage):
                parts.append(event.data)
                if event.message_finished:
                    yield "".join(parts).encode()
                    parts = []

    def answer(self) -> list[bytes]:
        """The server's messages up to the end of a response."""
        found: list[bytes] = []
        for message in self.messages():
            found.append(message)
            if frames.ends(message):
                break
        return found

    def close(self) -> None:
        """Say goodbye and see the server's."""
        self.wire.sendall(self.talk.send(CloseConnection(code=1000)))
        assert list(self.messages()) == []
        self.wire.close()
