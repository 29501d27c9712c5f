"""What a session's cache did: a verdict a turn, and findings with their causes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from inspector.cache.causes import Cause
from inspector.cache.simulate import Sent, Simulator, Turn
from inspector.cache.upstream import Upstream, upstream_of

_INFO, _WARNING = "info", "warning"
_QUIET = frozenset({"COMPACTION"})
"""Breaks that are the price of something wanted."""
FLAP = 3
"""Turns within which tools that went and came back are told as one thing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that costs, with its cause."""

    rule: str
    severity: str
    message: str
    path: str
    exchange: str


@dataclass(frozen=True, slots=True)
class Report:
    """A conversation, judged."""

    upstream: str
    turns: tuple[Turn, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()


def report(conversation: Sequence[Sent]) -> Report:
    """Judge the requests of one conversation, in order."""
    upstream = next((found for sent in conversation if (found := upstream_of(sent.prompt))), None)
    if upstream is None:
        return Report("", (), (), ("no request of a dialect whose cache is known",))
    given = [sent for sent in conversation if upstream_of(sent.prompt) is upstream]
    silent = not any(sent.usage and sent.usage.read for sent in given)
    # An upstream that never reports a read may just not report any.
    used = [replace(sent, usage=None) for sent in given] if silent else list(given)
    cache = Simulator(upstream)
    judged = [cache.turn(sent) for sent in used]
    turns = [replace(turn, usage=sent.usage) for turn, sent in zip(judged, given, strict=True)]
    turns = [_at_resume(given, at, turn) for at, turn in enumerate(turns)]
    notes = ("no request's usage reports a read; it is not held against the rules",) * (
        silent and any(sent.usage for sent in given)
    )
    findings = (*_breaks(_flapping(turns)), *_marks(upstream, turns), *_tails(given, turns))
    return Report(upstream.name, tuple(turns), findings, notes)


def _at_resume(given: Sequence[Sent], at: int, turn: Turn) -> Turn:
    """A break in the history at the first request of another process is the resume's."""
    edited = turn.change is not None and turn.change.rule in {"HISTORY-EDITED", "REMINDER-MOVED"}
    if not at or given[at].process == given[at - 1].process or not edited:
        return turn
    assert turn.change is not None
    words = f"the resumed session has another history: {turn.change.words}"
    return replace(turn, change=replace(turn.change, rule="RESUME", words=words), reason=words)


def _flapping(turns: Sequence[Turn]) -> Iterator[Turn]:
    """Tools that come back after they went, or go after they came, within a few turns."""
    last: int | None = None
    for at, turn in enumerate(turns):
        change = turn.change
        if change is None or change.rule != "TOOLS-CHANGED" or " with" not in f" {change.words}":
            yield turn
            continue
        back = last is not None and at - last <= FLAP
        last = at
        rule = "TOOLS-FLAP" if back else change.rule
        yield replace(turn, change=replace(change, rule=rule))


def _breaks(turns: Iterator[Turn]) -> Iterator[Finding]:
    for turn in turns:
        if turn.change is not None:
            lost = turn.predicted.write + turn.predicted.uncached
            message = f"{turn.change.words}; {lost:,} bytes behind it are sent anew"
            yield Finding(
                turn.change.rule, _severity(turn.change), message, turn.change.path, turn.exchange
            )


def _severity(change: Cause) -> str:
    return _INFO if change.rule in _QUIET or change.contested else _WARNING


def _marks(upstream: Upstream, turns: Sequence[Turn]) -> Iterator[Finding]:
    """A conversation that goes on without any mark is never cached."""
    bare = [turn for turn in turns if not turn.marks]
    if upstream.implied is None and len(turns) > 1 and len(bare) == len(turns):
        message = f"none of {len(turns)} requests has a cache mark: nothing of them is cached"
        yield Finding("BREAKPOINT-MISSING", _WARNING, message, "", bare[0].exchange)


def _tails(given: Sequence[Sent], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Entries that are written again and again and never read; a read that stands still."""
    usages = [(turn, turn.usage) for turn in turns if turn.usage is not None]
    for start in range(len(usages) - 3):
        window = usages[start : start + 4]
        reads = {usage.read for _, usage in window}
        sizes = [turn.size for turn, _ in window]
        if len(reads) == 1 and 0 not in reads and sizes == sorted(set(sizes)):
            turn = window[-1][0]
            message = f"the read stands still at {reads.pop():,} tokens while the prompt grows"
            yield Finding("PLATEAU", _WARNING, message, "", turn.exchange)
            return
    del given
