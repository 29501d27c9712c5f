"""What the mock puts on the wire, and what a reader must get back from it."""

from dataclasses import dataclass, field, replace
from typing import Any

from inspector.mock.script import Fault, compact
from inspector.turns import Failed, Replied
from inspector.wire import ReadReply


@dataclass(frozen=True, slots=True)
class Answer:
    """One response: its chunks in order, and the event a turn notes for it."""

    status: int
    content_type: str
    chunks: tuple[bytes, ...]
    outcome: Replied | Failed
    cut: bool = False
    """The connection breaks after the last chunk."""


@dataclass(slots=True)
class Ids:
    """Deterministic ids; the run number keeps those of a resumed run apart from the first one's."""

    run: int = 0
    last: int = field(default=0, init=False)

    def next(self, prefix: str) -> str:
        """The next id, such as `msg_000000000000000000000001`."""
        self.last += 1
        return f"{prefix}_{self.run:04d}{self.last:020d}"


def json_answer(value: object, outcome: Replied | Failed, status: int = 200) -> Answer:
    """An answer in one JSON document."""
    return Answer(status, "application/json", (compact(value).encode(),), outcome)


def stream_answer(events: list[dict[str, Any]], outcome: Replied) -> Answer:
    """An answer as server-sent events, one chunk each."""
    chunks = tuple(
        f"event: {event['type']}\ndata: {compact(event)}\n\n".encode() for event in events
    )
    return Answer(200, "text/event-stream", chunks, outcome)


def cut_answer(answer: Answer, events: int, read: ReadReply) -> Answer:
    """A stream that breaks off after some events; a reader gets what came until then."""
    chunks = answer.chunks[:events]
    outcome = read(b"".join(chunks), answer.content_type, answer.status)
    return replace(answer, chunks=chunks, outcome=outcome or Failed(status=answer.status), cut=True)


def fault_answer(fault: Fault, value: object) -> Answer:
    """An error answer."""
    return json_answer(value, Failed(status=fault.status), fault.status)
