"""What a session's cache did: a verdict a turn, and findings with their causes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from inspector.cache import rules
from inspector.cache.finding import Finding
from inspector.cache.heads import Heads
from inspector.cache.simulate import Sent, Simulator, Turn
from inspector.cache.upstream import UPSTREAMS, upstream_of

FLAP = 3
"""Turns within which tools that went and came back are told as one thing."""
_HISTORY = frozenset({"HISTORY-EDITED", "REMINDER-MOVED"})


@dataclass(frozen=True, slots=True)
class Report:
    """A conversation, judged."""

    upstream: str
    turns: tuple[Turn, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()


def report(
    conversation: Sequence[Sent], heads: Heads | None = None, name: str | None = None
) -> Report:
    """Judge the requests of one conversation, in order.

    `heads`: how the client's own texts begin. `name`: of another upstream than the dialect's.
    """
    own = next((found for sent in conversation if (found := upstream_of(sent.prompt))), None)
    if own is None:
        return Report("", (), (), ("no request of a dialect whose cache is known",))
    upstream = own if name is None else UPSTREAMS[name]
    given = [sent for sent in conversation if upstream_of(sent.prompt) is own]
    silent = not any(sent.usage and sent.usage.read for sent in given)
    # An upstream that never reports a read may just not report any.
    used = [replace(sent, usage=None) for sent in given] if silent else list(given)
    cache = Simulator(upstream, heads or {})
    judged = [cache.turn(sent) for sent in used]
    turns = [replace(turn, usage=sent.usage) for turn, sent in zip(judged, given, strict=True)]
    turns = [_at_resume(given, at, turn) for at, turn in enumerate(turns)]
    notes = ("no request's usage reports a read; it is not held against the rules",) * (
        silent and any(sent.usage for sent in given)
    )
    turns = list(_flapping(turns))
    return Report(upstream.name, tuple(turns), tuple(rules.findings(upstream, given, turns)), notes)


def renamed(judged: Report, given: Sequence[Sent], rules_by: Mapping[str, str]) -> Report:
    """The same with other causes, by exchange: where something else is known of what parted."""
    turns = [
        turn
        if turn.change is None or turn.exchange not in rules_by
        else replace(turn, change=replace(turn.change, rule=rules_by[turn.exchange]))
        for turn in judged.turns
    ]
    by_exchange = {sent.exchange: sent for sent in given}
    kept = [by_exchange[turn.exchange] for turn in turns]
    found = rules.findings(UPSTREAMS[judged.upstream], kept, turns)
    return replace(judged, turns=tuple(turns), findings=tuple(found))


def _at_resume(given: Sequence[Sent], at: int, turn: Turn) -> Turn:
    """A break in the history at the first request of another process is the resume's."""
    edited = turn.change is not None and turn.change.rule in _HISTORY
    if not at or given[at].process == given[at - 1].process or not edited:
        return turn
    assert turn.change is not None
    words = f"the resumed session has another history: {turn.change.words}"
    return replace(turn, change=replace(turn.change, rule="RESUME", words=words), reason=words)


def _flapping(turns: Sequence[Turn]) -> Iterator[Turn]:
    """Tools that go and come back, or come and go, within a few turns: told as one thing."""
    moves = [at for at, turn in enumerate(turns) if _tools_moved(turn)]
    flapping = {
        at
        for one, other in pairwise(moves)
        if other - one <= FLAP and _side(turns[one]) != _side(turns[other])
        for at in (one, other)
    }
    for at, turn in enumerate(turns):
        if at in flapping and turn.change is not None:
            yield replace(turn, change=replace(turn.change, rule="TOOLS-FLAP"))
        else:
            yield turn


def _tools_moved(turn: Turn) -> bool:
    return turn.change is not None and turn.change.rule == "TOOLS-CHANGED" and bool(_side(turn))


def _side(turn: Turn) -> str:
    return turn.change.alone if turn.change is not None else ""
