"""What a golden's client asked for beside its conversation, from the mock's log: connections, with
their times, and what a compaction was answered with.
"""

from pathlib import Path

from inspector.clients.codex.replies import COMPACTED
from inspector.clients.codex.sockets import placed
from inspector.mock import read_log
from inspector.turns import Connected, Event, Failed, Replied, Turn, Turns


def logged(turns: Turns, log: Path) -> Turns:
    """The turns with the connections that were made, or could not be, before each request."""
    before, out = "", list[Turn]()
    answers = [answer for _, answer in read_log(log, "compaction") if isinstance(answer, Replied)]
    for turn in turns.turns:
        events = tuple(_connected(turn.events, log, before, turn.at))
        events = tuple(_compacted(event, answers) for event in events)
        out.append(turn.model_copy(update={"events": events}))
        before = turn.at
    return turns.model_copy(update={"turns": tuple(out)})


def _compacted(event: Event, answers: list[Replied]) -> Event:
    if not isinstance(event, Replied) or event.id != COMPACTED or not answers:
        return event
    return event.model_copy(update={"blocks": answers.pop(0).blocks})


def _connected(events: tuple[Event, ...], log: Path, before: str, until: str) -> list[Event]:
    asked, warm = (
        [answer for at, answer in read_log(log, kind) if before < at <= until]
        for kind in ("socket", "warmup")
    )
    refused = [answer.status for answer in asked if isinstance(answer, Failed)]
    if len(asked) > len(refused):
        return placed(events, Connected(response=getattr(warm[-1], "id", None) if warm else None))
    return [*events, Connected(transport="http")] if set(refused) - {426} else list(events)
