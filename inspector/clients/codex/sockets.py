"""WebSockets in a capture: which were opened, what answered a warm-up, when the client gave up.

Witness (0.171): a server that answers an upgrade with 426 has none, and whole requests are sent at
once; any other answer has the client try again, and it gives up in the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from inspector.clients.codex.loose import parsed, word
from inspector.session import WEBSOCKET, Exchange, ExchangeKind
from inspector.turns import Connected, Event, Failed, Replied
from inspector.wire import openai_reply

_ACCEPTED, _HAS_NONE = 101, 426


@dataclass(slots=True)
class Sockets:
    """What was seen since the last request of the conversation."""

    opened: bool = False
    warmed: str | None = None
    failed: bool = False

    def saw(self, exchange: Exchange) -> None:
        """Note an upgrade or a warm-up."""
        if exchange.kind is ExchangeKind.WARMUP:
            answer = openai_reply.reply(exchange.response)
            self.warmed = answer.id if isinstance(answer, Replied) else None
        elif exchange.method == "GET" and _upgrade(exchange) and not _beside(exchange):
            self.opened = exchange.status == _ACCEPTED
            self.failed = self.failed or exchange.status not in {_ACCEPTED, _HAS_NONE}

    def told(self, events: Sequence[Event], exchange: Exchange) -> list[Event]:
        """The events before a request of the conversation with what was seen among them."""
        opened, warmed, failed = self.opened, self.warmed, self.failed
        self.opened, self.warmed, self.failed = False, None, False
        if exchange.method != WEBSOCKET:
            return [*events, Connected(transport="http")] if failed else list(events)
        # A session may be captured from the middle of a connection.
        if not opened and warmed is None:
            return list(events)
        return placed(events, Connected(response=warmed))


def placed(events: Sequence[Event], connected: Connected) -> list[Event]:
    """The events with a connection made after the last answer came, or came to nothing."""
    first = 1 if events and isinstance(events[0], Replied | Failed) else 0
    return [*events[:first], connected, *events[first:]]


def _beside(exchange: Exchange) -> bool:
    """Whether another thread than the conversation wants it (witness: ordinary_terminal)."""
    about = parsed(exchange.header("x-codex-turn-metadata") or "")
    return word(about.get("thread_source")) not in {"", "user"}


def _upgrade(exchange: Exchange) -> bool:
    path = exchange.url.partition("?")[0]
    return path.endswith("/responses") and exchange.header("upgrade") == "websocket"
