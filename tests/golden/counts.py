"""Counts of tokens, for a golden's turns: taken from the mock's log, each with its arrival time."""

from collections.abc import Iterator
from pathlib import Path

from inspector.mock import read_log
from inspector.turns import Counted, Event, Replied, Turn, Turns


def logged(turns: Turns, log: Path) -> Turns:
    """The turns with what was counted before the request of each."""
    before, out = "", list[Turn]()
    for turn in turns.turns:
        events = (*turn.events, *_between(log, before, turn.at))
        out.append(turn.model_copy(update={"events": events}))
        before = turn.at
    return turns.model_copy(update={"turns": tuple(out)})


def _between(log: Path, before: str, until: str) -> Iterator[Event]:
    for what in ("tools", "text"):
        for at, answer in read_log(log, what):
            if before < at <= until:
                tokens = answer.input_tokens if isinstance(answer, Replied) else None
                yield Counted(tokens=tokens, what=what)
