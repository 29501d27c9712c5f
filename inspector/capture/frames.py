"""A WebSocket under way as exchanges: one for each request on it, its answer as it comes.

The same form as an imported WebSocket's (see `inspector.formats.frames`). A client's message that
asks for no response is an exchange of its own with an empty answer.
"""

from dataclasses import dataclass

from inspector.capture.intake import Intake, Origin, Passing
from inspector.formats import frames
from inspector.session import WEBSOCKET


@dataclass(slots=True)
class Socket:
    """One WebSocket."""

    intake: Intake
    handshake: Passing
    open: Passing
    """What the server's next message belongs to; at first the handshake."""
    origin: Origin

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return not self.open.done

    def sent(self, data: bytes) -> None:
        """Take a message of the client in."""
        passing = self._begin(data)
        if not frames.asks(data):
            self.intake.finish(passing)
            return
        self.intake.finish(self.open, "the next request came before the end of the answer")
        self.open = passing

    def received(self, data: bytes) -> None:
        """Take a message of the server in."""
        passing = self.open
        passing.chunk(frames.event(data))
        if passing.done:  # a late word on an answer that is stored already
            passing.response_headers = passing.response_headers or frames.STREAM
            self.intake.finish(passing, passing.error)
        elif frames.ends(data):
            self.intake.finish(passing)

    def closed(self, why: str) -> None:
        """Take in what came before the socket closed."""
        self.intake.finish(self.open, f"{why} before the end of the answer")

    def _begin(self, data: bytes) -> Passing:
        shaken = self.handshake
        headers = shaken.request_headers
        passing = self.intake.begin(WEBSOCKET, shaken.url, headers, data, self.origin)
        passing.status, passing.response_headers = shaken.status, frames.STREAM
        return passing
