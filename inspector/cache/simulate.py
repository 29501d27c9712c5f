"""The cache of an Anthropic API, as its rules say: entries written at marks, looked for from marks.

It models entries, not text; it says what can be read, never what must be (`no-promise`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from inspector.cache.causes import Cause, cause
from inspector.cache.facts import everywhere, least
from inspector.cache.heads import Heads
from inspector.cache.line import Line
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
    """What the turn before left."""

    sent: Sent
    model: str
    newest: bytes | None
    """Digest of the newest entry's prefix."""
    expected: int
    """Its positions; 0: it is no prefix of that request."""
    level: tuple[str, ...]


@dataclass(slots=True)
class _Now:
    """The request that is judged."""

    sent: Sent
    model: str
    level: tuple[str, ...]
    marks: list[int]
    seconds: float | None


@dataclass(slots=True)
class Simulator:
    """One conversation's cache."""

    upstream: Upstream
    heads: Heads = field(default_factory=dict[str, tuple[str, ...]])
    """How the client's own texts begin."""
    entries: dict[tuple[str, tuple[str, ...], bytes], _Entry] = field(
        default_factory=dict[tuple[str, tuple[str, ...], bytes], _Entry]
    )
    line: Line = field(init=False)
    before: _Before | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Begin a line of the kind that the upstream compares."""
        self.line = Line(plain=self.upstream.plain, hoists=self.upstream.hoists)

    def turn(self, sent: Sent) -> Turn:
        """Take in the next request and say what becomes of it."""
        line = self.line
        line.advance(sent.prompt)
        marks = line.marks
        if self.upstream.implied is not None and line.size and marks[-1:] != [line.size - 1]:
            marks = [*marks, line.size - 1]
        level = self.upstream.level(sent.prompt)
        now = _Now(sent, sent.prompt.model or "", level, marks, _seconds(sent.started))
        read = self._read(now)
        verdict, reason, change = self._verdict(now, read)
        last = marks[-1] + 1 if marks else 0
        wrote = max(last, read) if self._long_enough(now.model, last) else read
        self._write(now, read)
        self._remember(now, last if last and wrote >= last else 0)
        reach, end = line.upto(read), line.upto(wrote)
        predicted = Predicted(reach, end - reach, line.upto(line.size) - end)
        if verdict == "hit" and predicted.write:
            verdict = "extended"
        return Turn(
            sent.exchange,
            verdict,
            reason,
            read,
            predicted.read,
            predicted,
            change,
            sent.usage,
            tuple(marks),
            line.size,
            line.at(read).path if read < line.size else "",
            self._ttl(marks[-1]) if marks else None,
            sent.process,
        )

    def _remember(self, now: _Now, newest: int) -> None:
        """Keep what the next turn is held against; an older entry where none was written."""
        before, line = self.before, self.line
        if newest:
            found: tuple[bytes | None, int] = line.digest(newest - 1), newest
        elif before is not None and before.model == now.model:
            length = before.expected
            held = 0 < length <= line.size and line.digest(length - 1) == before.newest
            found = before.newest, length if held else 0
        else:
            found = None, 0
        self.before = _Before(now.sent, now.model, *found, now.level)

    def _ttl(self, mark: int) -> int:
        return self.line.at(mark).ttl or self.upstream.implied or 0

    def _read(self, now: _Now) -> int:
        """Positions of the longest entry that a mark reaches; it lives on from now."""
        best: _Entry | None = None
        for mark in now.marks:
            for at in range(mark, max(mark - self.upstream.look_back, -1), -1):
                entry = self._alive(now, at)
                if entry is not None:
                    best = entry if best is None or entry.length > best.length else best
                    break
        if best is None:
            return 0
        best.last = now.seconds
        return best.length

    def _alive(self, now: _Now, at: int) -> _Entry | None:
        entry = self.entries.get(self._key(now, at))
        if entry is None:
            return None
        if now.seconds is not None and entry.last is not None:
            return entry if now.seconds - entry.last <= entry.ttl else None
        return entry

    def _key(self, now: _Now, at: int) -> tuple[str, tuple[str, ...], bytes]:
        level = now.level if self.line.in_messages(at) else ()
        return now.model, level, self.line.digest(at)

    def _write(self, now: _Now, read: int) -> None:
        for mark in now.marks:
            key = self._key(now, mark)
            if mark < read and key in self.entries:
                self.entries[key].last = now.seconds
            elif self._long_enough(now.model, mark + 1):
                along = self.upstream.plain or (
                    self.upstream.implied is not None and everywhere(now.model)
                )
                for at in (*range(read if along else mark, mark), mark):
                    made = _Entry(at + 1, self._ttl(mark), now.seconds)
                    self.entries[self._key(now, at)] = made

    def _long_enough(self, model: str, length: int) -> bool:
        return self.upstream.plain or self.line.upto(length) >= least(model) * BYTES_PER_TOKEN

    def _verdict(self, now: _Now, read: int) -> tuple[str, str, Cause | None]:
        before, line = self.before, self.line
        if before is None or before.newest is None:
            return self._first(now)
        expected = before.expected
        whole = 0 < expected <= line.size and line.digest(expected - 1) == before.newest
        same_model = now.model == before.model
        if whole and same_model and now.level == before.level:
            return self._equal_prefix(now, expected, read)
        if now.sent.compacted:
            summed = Cause("COMPACTION", "", "the conversation was summed up", "messages")
            return "prefix changed", summed.words, summed
        changed = cause(
            (before.sent.prompt, line.earlier(expected)),
            (now.sent.prompt, line.found()),
            _changed(self.upstream.params, before.level, now.level),
            self.heads,
        )
        return "prefix changed", changed.words, changed

    def _first(self, now: _Now) -> tuple[str, str, Cause | None]:
        if not now.marks:
            return "unknown", "the request has no cache mark", None
        if not self._long_enough(now.model, now.marks[-1] + 1):
            words = f"below the {least(now.model):,} tokens that {now.model} caches"
            return "first write", words, None
        return "first write", "no earlier request wrote an entry", None

    def _equal_prefix(self, now: _Now, expected: int, read: int) -> tuple[str, str, Cause | None]:
        """The newest entry is a prefix of this request: can it be read?"""
        line, marks, used = self.line, now.marks, now.sent.usage
        if read >= expected:
            if used is not None and not used.read and used.write > 0:
                missed = "the prefix is equal and nothing was read: evicted, or not there yet"
                return "unknown", missed, None
            return "hit", "", None
        if not marks:
            section = line.at(0).section
            gone = Cause("BREAKPOINT-MISSING", "", "the request has no cache mark", section)
            return "prefix changed", gone.words, gone
        entry = self.entries.get(self._key(now, expected - 1))
        if entry is not None and now.seconds is not None and entry.last is not None:
            gap = now.seconds - entry.last
            if gap > entry.ttl:
                return "expired", f"{gap:.0f} s since its last use, of {entry.ttl} s", None
        behind = min((mark for mark in marks if mark >= expected), default=marks[-1]) - expected + 1
        far = Cause(
            "LOOKBACK",
            line.at(min(expected, line.size - 1)).path,
            f"the next mark stands {behind} positions behind the entry,"
            f" and looks back {self.upstream.look_back - 1}",
            "messages",
        )
        return "prefix changed", far.words, far


def _changed(names: Sequence[str], before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The params that are not as they were."""
    return [name for name, a, b in zip(names, before, now, strict=True) if a != b]


def _seconds(moment: str) -> float | None:
    if not moment:
        return None
    return datetime.fromisoformat(moment).timestamp()
