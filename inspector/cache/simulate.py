"""The cache of an Anthropic API, as its rules say: entries written at marks, looked for from marks.

It models entries, not text; it says what can be read, never what must be (`no-promise`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from inspector.cache.causes import Cause, cause
from inspector.cache.facts import everywhere, least
from inspector.cache.heads import Heads
from inspector.cache.positions import Position, chain, positions
from inspector.cache.upstream import Upstream
from inspector.segments import Prompt

BYTES_PER_TOKEN = 4
"""A rough estimate, until the session's own usage says more."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the API said of one request, in tokens."""

    read: int = 0
    write: int = 0
    plain: int = 0
    output: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """One request of a conversation."""

    exchange: str
    prompt: Prompt
    started: str = ""
    """ISO 8601; empty where nobody knows: nothing expires then."""
    usage: Usage | None = None
    process: str = ""
    """Which run of the client sent it."""
    compacted: bool = False
    """Whether the client had the conversation summed up before it."""
    diagnosis: str = ""
    """What the API itself says it missed for (`tools_changed` …); empty: it said nothing."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """Bytes of a request by what the rules say of them."""

    read: int
    write: int
    uncached: int


@dataclass(frozen=True, slots=True)
class Turn:
    """What the rules say of one request."""

    exchange: str
    verdict: str
    """`first write`, `hit`, `extended`, `prefix changed`, `expired` or `unknown`."""
    reason: str
    prefix_positions: int
    """Positions that can be read."""
    prefix_bytes: int
    predicted: Predicted
    change: Cause | None
    usage: Usage | None
    marks: tuple[int, ...]
    """Positions with a mark, from 0."""
    size: int
    """Positions in all."""
    behind: str = ""
    """The path of the first position that cannot be read."""
    ttl: int | None = None
    """Seconds that the newest entry lives; None: no mark."""
    process: str = ""
    """Which run of the client sent it."""


@dataclass(slots=True)
class _Entry:
    length: int
    ttl: int
    last: float | None
    """Seconds; None where nobody knows."""


@dataclass(slots=True)
class _Before:
    """What the turn before left: its positions, digests and newest entry."""

    sent: Sent
    found: list[Position]
    digests: list[bytes]
    newest: bytes | None
    level: tuple[str, ...]


@dataclass(slots=True)
class Simulator:
    """One conversation's cache."""

    upstream: Upstream
    heads: Heads = field(default_factory=dict[str, tuple[str, ...]])
    """How the client's own texts begin."""
    entries: dict[tuple[str, tuple[str, ...], bytes], _Entry] = field(
        default_factory=dict[tuple[str, tuple[str, ...], bytes], _Entry]
    )
    before: _Before | None = None

    def turn(self, sent: Sent) -> Turn:
        """Take in the next request and say what becomes of it."""
        found = positions(sent.prompt, self.upstream.implied)
        digests = list(chain(found))
        model, level = sent.prompt.model or "", self.upstream.level(sent.prompt)
        now = _seconds(sent.started)
        marks = [at for at, item in enumerate(found) if item.ttl is not None]
        read = self._read(model, level, (found, digests, marks), now)
        verdict, reason, change = self._verdict(sent, (found, digests, marks), level, read, now)
        last = marks[-1] + 1 if marks else 0
        wrote = max(last, read) if self._long_enough(model, found[:last]) else read
        self._write(model, level, (found, digests, marks), read, now)
        newest = digests[last - 1] if last and wrote >= last else None
        same = self.before is not None and self.before.sent.prompt.model == model
        kept = newest or (self.before.newest if self.before is not None and same else None)
        self.before = _Before(sent, found, digests, kept, level)
        sizes = [item.size for item in found]
        predicted = Predicted(sum(sizes[:read]), sum(sizes[read:wrote]), sum(sizes[wrote:]))
        if verdict == "hit" and predicted.write:
            verdict = "extended"
        marked = tuple(marks)
        return Turn(
            sent.exchange,
            verdict,
            reason,
            read,
            predicted.read,
            predicted,
            change,
            sent.usage,
            marked,
            len(found),
            found[read].path if read < len(found) else "",
            found[marks[-1]].ttl if marks else None,
            sent.process,
        )

    def _read(
        self,
        model: str,
        level: tuple[str, ...],
        of: tuple[list[Position], list[bytes], list[int]],
        now: float | None,
    ) -> int:
        """Positions of the longest entry that a mark reaches; it lives on from now."""
        found, digests, marks = of
        best: tuple[int, _Entry] | None = None
        for mark in marks:
            for at in range(mark, max(mark - self.upstream.look_back, -1), -1):
                entry = self._alive(model, _at(level, found[at]), digests[at], now)
                if entry is not None and (best is None or entry.length > best[0]):
                    best = entry.length, entry
        if best is None:
            return 0
        best[1].last = now
        return best[0]

    def _alive(
        self, model: str, level: tuple[str, ...], digest: bytes, now: float | None
    ) -> _Entry | None:
        entry = self.entries.get((model, level, digest))
        if entry is None:
            return None
        if now is not None and entry.last is not None and now - entry.last > entry.ttl:
            return None
        return entry

    def _write(
        self,
        model: str,
        level: tuple[str, ...],
        of: tuple[list[Position], list[bytes], list[int]],
        read: int,
        now: float | None,
    ) -> None:
        found, digests, marks = of
        for mark in marks:
            key = model, _at(level, found[mark]), digests[mark]
            ttl = found[mark].ttl or 0
            if mark < read and key in self.entries:
                self.entries[key].last = now
            elif self._long_enough(model, found[: mark + 1]):
                self.entries[key] = _Entry(mark + 1, ttl, now)
                if self.upstream.implied is not None and everywhere(model):
                    self._write_along(model, level, of, (read, mark), _Entry(0, ttl, now))

    def _write_along(
        self,
        model: str,
        level: tuple[str, ...],
        of: tuple[list[Position], list[bytes], list[int]],
        between: tuple[int, int],
        like: _Entry,
    ) -> None:
        """An entry at each position that is new (`everywhere`)."""
        found, digests, _ = of
        for at in range(*between):
            key = model, _at(level, found[at]), digests[at]
            self.entries[key] = _Entry(at + 1, like.ttl, like.last)

    @staticmethod
    def _long_enough(model: str, prefix: Sequence[Position]) -> bool:
        return sum(item.size for item in prefix) >= least(model) * BYTES_PER_TOKEN

    def _verdict(
        self,
        sent: Sent,
        of: tuple[list[Position], list[bytes], list[int]],
        level: tuple[str, ...],
        read: int,
        now: float | None,
    ) -> tuple[str, str, Cause | None]:
        found, digests, marks = of
        before = self.before
        if before is None or before.newest is None:
            return self._first(sent.prompt.model or "", found, marks)
        expected = before.digests.index(before.newest) + 1 if before.newest in before.digests else 0
        whole = digests[expected - 1 : expected] == [before.newest] and level == before.level
        same_model = sent.prompt.model == before.sent.prompt.model
        if whole and same_model:
            return self._equal_prefix(sent, found, marks, expected, read, now)
        if sent.compacted:
            summed = Cause("COMPACTION", "", "the conversation was summed up", "messages")
            return "prefix changed", summed.words, summed
        changed = cause(
            (before.sent.prompt, before.found[:expected]),
            (sent.prompt, found),
            _changed(self.upstream.params, before.level, level),
            self.heads,
        )
        return "prefix changed", changed.words, changed

    def _first(
        self, model: str, found: list[Position], marks: list[int]
    ) -> tuple[str, str, Cause | None]:
        if not marks:
            return "unknown", "the request has no cache mark", None
        if not self._long_enough(model, found[: marks[-1] + 1]):
            return "first write", f"below the {least(model):,} tokens that {model} caches", None
        return "first write", "no earlier request wrote an entry", None

    def _equal_prefix(
        self,
        sent: Sent,
        found: list[Position],
        marks: list[int],
        expected: int,
        read: int,
        now: float | None,
    ) -> tuple[str, str, Cause | None]:
        """The newest entry is a prefix of this request: can it be read?"""
        if read >= expected:
            missed = sent.usage is not None and not sent.usage.read and sent.usage.write > 0
            if missed:
                return (
                    "unknown",
                    "the prefix is equal and nothing was read: evicted, or not there yet",
                    None,
                )
            return "hit", "", None
        if not marks:
            gone = Cause(
                "BREAKPOINT-MISSING", "", "the request has no cache mark", found[0].section
            )
            return "prefix changed", gone.words, gone
        entry = self._entry_of(sent, found, expected)
        if entry is not None and now is not None and entry.last is not None:
            gap = now - entry.last
            if gap > entry.ttl:
                return "expired", f"{gap:.0f} s since its last use, of {entry.ttl} s", None
        behind = min((mark for mark in marks if mark >= expected), default=marks[-1]) - expected + 1
        far = Cause(
            "LOOKBACK",
            found[expected].path if expected < len(found) else found[-1].path,
            f"the next mark stands {behind} positions behind the entry,"
            f" and looks back {self.upstream.look_back - 1}",
            "messages",
        )
        return "prefix changed", far.words, far

    def _entry_of(self, sent: Sent, found: list[Position], length: int) -> _Entry | None:
        digest = list(chain(found[:length]))[-1]
        level = self.upstream.level(sent.prompt)
        return self.entries.get((sent.prompt.model or "", _at(level, found[length - 1]), digest))


def _changed(names: Sequence[str], before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The params that are not as they were."""
    return [name for name, a, b in zip(names, before, now, strict=True) if a != b]


def _at(level: tuple[str, ...], position: Position) -> tuple[str, ...]:
    return level if position.section == "messages" else ()


def _seconds(moment: str) -> float | None:
    if not moment:
        return None
    return datetime.fromisoformat(moment).timestamp()
