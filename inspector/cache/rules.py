"""The findings of a judged conversation: breaks with their cost, and what no one break shows."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from inspector.cache.causes import Cause
from inspector.cache.crosscheck import disagreements, plausible
from inspector.cache.facts import LONG
from inspector.cache.finding import INFO, WARNING, Finding
from inspector.cache.prices import cost
from inspector.cache.simulate import Sent, Turn
from inspector.cache.upstream import Upstream

type Judged = tuple[Upstream, Sequence[Sent], Sequence[Turn]]

_QUIET = frozenset({"COMPACTION"})
"""Breaks that are the price of something wanted."""
STILL = 4
"""Growing requests over which a read that stands still is told."""
TAIL, SHARE, TAILS = 4096, 0.2, 3
"""Bytes behind the last mark, their share of the request, and in how many requests on end."""
AGAIN, LARGE = 3, 1000
"""How often a text of so many bytes stands in one request before it is told."""


def findings(upstream: Upstream, given: Sequence[Sent], turns: Sequence[Turn]) -> Iterator[Finding]:
    """All findings; a turn's own first, in order."""
    judged = upstream, given, turns
    for rule in RULES:
        yield from rule(judged)


def _breaks(judged: Judged) -> Iterator[Finding]:
    _, given, turns = judged
    for sent, turn in zip(given, turns, strict=True):
        if turn.change is None:
            continue
        sizes = turn.predicted
        lost = sizes.write + sizes.uncached
        used = turn.usage if plausible(turn) else None
        counted = None if used is None else used.write + used.plain
        model, whole = sent.prompt.model or "", sizes.read + lost
        price = cost(model, sent.started, lost, whole, turn.ttl, counted)
        message = f"{turn.change.words}; {lost:,} bytes behind it are sent anew"
        yield Finding(
            turn.change.rule,
            _severity(turn.change),
            message,
            turn.change.path,
            turn.exchange,
            price,
        )


def _severity(change: Cause) -> str:
    return INFO if change.rule in _QUIET or change.contested else WARNING


def _unmarked(judged: Judged) -> Iterator[Finding]:
    """A conversation that goes on without any mark is never cached."""
    upstream, _, turns = judged
    bare = [turn for turn in turns if not turn.marks]
    if upstream.implied is None and len(turns) > 1 and len(bare) == len(turns):
        message = f"none of {len(turns)} requests has a cache mark: nothing of them is cached"
        yield Finding("BREAKPOINT-MISSING", WARNING, message, "", bare[0].exchange)


def _shorter_lives(judged: Judged) -> Iterator[Finding]:
    """Marks that asked for an hour and now ask for five minutes; the other way is no harm."""
    for before, turn in pairwise(judged[2]):
        if before.ttl is None or turn.ttl is None or before.ttl == turn.ttl:
            continue
        severity = WARNING if before.ttl >= LONG > turn.ttl else INFO
        message = f"entries lived {before.ttl} s before and live {turn.ttl} s now"
        yield Finding("TTL-CHANGED", severity, message, "", turn.exchange)


def _uncached_tails(judged: Judged) -> Iterator[Finding]:
    """Requests whose end stands behind the last mark, again and again."""
    row = 0
    for turn in judged[2]:
        sizes = turn.predicted
        whole = sizes.read + sizes.write + sizes.uncached
        behind = bool(turn.marks) and turn.marks[-1] < turn.size - 1 and whole > sizes.uncached
        tail = behind and sizes.uncached > max(TAIL, SHARE * whole)
        row = row + 1 if tail else 0
        if row == TAILS:
            message = (
                f"{sizes.uncached:,} bytes stand behind the last mark, in {TAILS} requests on end:"
                " they can never be read from the cache"
            )
            yield Finding("TAIL-UNCACHED", WARNING, message, "", turn.exchange)


def _plateaus(judged: Judged) -> Iterator[Finding]:
    """A read that stands still while the prompt grows."""
    used = [(turn, turn.usage) for turn in judged[2] if turn.usage is not None]
    for start in range(len(used) - STILL + 1):
        window = used[start : start + STILL]
        reads = {usage.read for _, usage in window}
        sizes = [turn.size for turn, _ in window]
        if len(reads) == 1 and 0 not in reads and sizes == sorted(set(sizes)):
            turn = window[-1][0]
            message = f"the read stands still at {reads.pop():,} tokens while the prompt grows"
            yield Finding("PLATEAU", WARNING, message, turn.behind, turn.exchange)
            return


def _never_read(judged: Judged) -> Iterator[Finding]:
    """Entries that are written again and again, while nothing is ever read."""
    used = [(turn, turn.usage) for turn in judged[2] if turn.usage is not None and plausible(turn)]
    wrote = [usage.write for _, usage in used if usage.write]
    if len(wrote) >= STILL and not any(usage.read for _, usage in used):
        told = f"{len(wrote)} requests wrote {sum(wrote):,} tokens, and none was ever read"
        yield Finding("WRITE-ONLY", WARNING, told, "", used[-1][0].exchange)


def _repeated(judged: Judged) -> Iterator[Finding]:
    """A long text that stands in the last request several times."""
    if not judged[1]:
        return
    sent = judged[1][-1]
    texts = [
        item
        for item in sent.prompt.segments
        if item.section == "messages" and len(item.raw) >= LARGE and item.role != "assistant"
    ]
    for key, times in Counter(item.key for item in texts).items():
        if times >= AGAIN:
            last = [item for item in texts if item.key == key][-1]
            message = f"the same {len(last.raw):,} bytes stand in the request {times} times"
            yield Finding("REINJECTED", INFO, message, last.path, sent.exchange)


def _crossed(judged: Judged) -> Iterator[Finding]:
    yield from disagreements(judged[1], judged[2])


RULES: tuple[Callable[[Judged], Iterator[Finding]], ...] = (
    _breaks,
    _unmarked,
    _shorter_lives,
    _uncached_tails,
    _plateaus,
    _never_read,
    _repeated,
    _crossed,
)
