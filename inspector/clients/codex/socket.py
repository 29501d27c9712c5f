"""A WebSocket of the built-in provider: a request on it holds what the server does not know yet.

The client names the response it goes on from and leaves out every item of the request before and
of its answer, as long as these are the beginning of the thread; else it sends all and names none.
Witness (0.171): websocket, websocket_classic, websocket_breaks.
"""

from dataclasses import dataclass, replace

from inspector.clients.codex.items import Item
from inspector.clients.codex.params import Frame
from inspector.text import Kind, Origin, Text, text


@dataclass(frozen=True, slots=True)
class Socket:
    """An open connection and what the server has from it."""

    headers: tuple[tuple[str, Text], ...]
    """What it was opened with; the requests on it have none of their own."""
    known: tuple[Item, ...] | None = None
    """The items of the last request and of its answer; None where the next tells all."""
    previous: Text | None = None
    """The last response, where it came to its end."""

    def frame(self, items: tuple[Item, ...]) -> tuple[tuple[Item, ...], Frame]:
        """What a request with these items holds."""
        known = self.known
        if self.previous is None or known is None or items[: len(known)] != known:
            return items, Frame(None)
        return items[len(known) :], Frame(self.previous)

    def answered(self, items: tuple[Item, ...], response: str) -> "Socket":
        """After an answer: the server knows the thread with what it said itself."""
        return replace(self, known=items, previous=text(response, Origin(Kind.REPLY, response)))

    def lost(self) -> "Socket":
        """After an answer that broke off, or one with an item that the client does not keep."""
        return replace(self, known=None, previous=None)
