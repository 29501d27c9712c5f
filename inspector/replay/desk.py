"""Finds the recorded answer to each request, and notes what became of it."""

import fnmatch
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

from inspector import match, redact, wire
from inspector.clients import Client
from inspector.match import Difference, Expected, Nearest, Terms
from inspector.replay.recorded import JUDGED, Recorded, endpoint, unanswered
from inspector.replay.report import Divergence, Miss, Report, Told, at_hand
from inspector.segments import Prompt
from inspector.session import Exchange, ExchangeKind, Headers

type Mode = Literal["strict", "lenient", "record-missing"]
_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """What is done with a request that the recording does not hold."""

    mode: Mode = "strict"
    allow: tuple[str, ...] = ()
    """Lenient: the only differences that are allowed; none named: all."""
    fork: int | None = None
    """Main requests that are answered from the recording; what comes after is not looked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came."""

    method: str
    url: str
    headers: Headers
    body: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """No answer, and why."""

    reason: str


type Verdict = Exchange | Refused | Literal["otherwise", "aside"]
"""The recorded exchange; or none; or what the script or upstream answers; or the least answer."""


@dataclass(slots=True)
class Desk:
    """One replay."""

    source: Recorded
    terms: Terms
    rules: Rules
    report: Report
    client: Client | None = None
    given: redact.Given = redact.NOTHING_GIVEN
    otherwise: str = ""
    """What answers what the recording does not: `script`, `upstream` or nothing."""
    changed: tuple[str, ...] = ()
    """Workspace files that are not as they were recorded."""
    log: Path | None = None
    stopped: threading.Event = field(default_factory=threading.Event)
    _used: set[str] = field(default_factory=set[str])
    _judged: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, asked: Asked) -> Verdict:
        """The answer to a request."""
        with self._lock:
            body = redact.data(asked.body, self.given)[0]
            kind = self._kind(asked, body)
            verdict = self._judge(endpoint(asked.method, asked.url), kind, body)
            if verdict == "otherwise":
                self.report.answered += 1
                self.report.new.append(sha256(asked.body).hexdigest())
            if kind in JUDGED:
                self._note(kind)
            return verdict

    def unused(self) -> list[Exchange]:
        """The recorded requests nobody made, those after a fork left out."""
        left = [one for one in self.source.judged if one.id not in self._used]
        return [] if self.rules.fork is not None else left

    def late(self, reason: str) -> None:
        """End the replay because of something else than a request."""
        self.report.late = self.report.late or reason
        self.stopped.set()

    def _judge(self, key: str, kind: ExchangeKind, body: bytes) -> Verdict:
        if self.stopped.is_set():
            return Refused(self._why())
        if kind in JUDGED:
            self._judged += 1
            if self._forked():
                return "otherwise"
        left = [one for one in self.source.expected.get(key, ()) if one.name not in self._used]
        prompt = wire.split(body)
        if prompt.dialect is None:
            return self._aside(left)
        found = match.find(prompt, left, self.terms, _NEAREST)
        if isinstance(found, match.Found):
            return self._reuse(found.expected, found.terms)
        if kind not in JUDGED:
            return self._aside([])
        return self._miss(kind, prompt, found)

    def _forked(self) -> bool:
        if self.rules.fork is None:
            return False
        main = sum(one == ExchangeKind.MAIN.value for _, _, one in self.report.reused)
        return main >= self.rules.fork

    def _aside(self, left: Sequence[Expected]) -> Verdict:
        """What is not judged: as recorded, in order, or the least answer."""
        self.report.asides += 1
        if not left:
            return "aside"
        self._used.add(left[0].name)
        return self.source.exchanges[left[0].name]

    def _reuse(self, expected: Expected, terms: Terms) -> Verdict:
        self._used.add(expected.name)
        self.terms = terms
        exchange = self.source.exchanges[expected.name]
        if unanswered(exchange):
            self.late(f"recorded request {exchange.number} has no answer; record it again")
            return Refused(self._why())
        self.report.reused.append((exchange.id, exchange.number, exchange.kind.value))
        return exchange

    def _miss(self, kind: ExchangeKind, prompt: Prompt, nearest: Sequence[Nearest]) -> Verdict:
        told = Divergence(
            self._judged,
            kind.value,
            tuple(map(self._told, nearest)),
            self._files(nearest),
            self._all(prompt, nearest),
        )
        chosen = self._allowed(nearest) if self.rules.mode == "lenient" else None
        if chosen is not None:
            self.report.diverged.append(replace(told, allowed=True))
            terms = self.terms.trial()
            match.differences(chosen, prompt, terms)  # the ids it shows all the same
            return self._reuse(chosen, terms)
        if self.rules.mode == "record-missing":
            self.report.diverged.append(replace(told, allowed=True, by=self.otherwise))
            return "otherwise"
        self.report.diverged.append(told)
        self.stopped.set()
        return Refused(self._why())

    def _allowed(self, nearest: Sequence[Nearest]) -> Expected | None:
        """The nearest recorded request, if every difference from it is one of those allowed."""
        for one in nearest:
            found = one.differences
            if not self.rules.allow or all(self._named(one.expected, item) for item in found):
                return one.expected
        return None

    def _named(self, expected: Expected, difference: Difference) -> bool:
        kind, name, _ = self.source.origin(expected, difference.path, difference.start)
        labels = (difference.section, difference.path, difference.verdict, kind, f"{kind}:{name}")
        return any(
            fnmatch.fnmatchcase(label, what) for what in self.rules.allow for label in labels
        )

    def _told(self, one: Nearest) -> Miss:
        difference = one.difference
        origin = self.source.origin(one.expected, difference.path, difference.start)
        return Miss(
            one.expected.name,
            one.expected.number,
            one.equal,
            len(one.expected.prompt),
            difference.path,
            difference.section,
            difference.verdict,
            difference.before,
            difference.after,
            *origin,
        )

    def _all(self, prompt: Prompt, nearest: Sequence[Nearest]) -> tuple[Told, ...]:
        """Everything in which a request differs from the nearest recorded one."""
        if not nearest:
            return ()
        first = nearest[0]
        out: list[Told] = []
        for one in first.differences:
            kind, name, _ = self.source.origin(first.expected, one.path, one.start)
            segment = first.expected.prompt.at(one.path) or prompt.at(one.path)
            tool = segment.value.string_of("name") if segment and one.section == "tools" else None
            told = tool or (f"{kind}:{name}" if kind else "")
            out.append(Told(one.section, one.path, one.verdict, told))
        return tuple(out)

    def _files(self, nearest: Sequence[Nearest]) -> tuple[str, ...]:
        """The files that changed, the one the difference comes from first."""
        if not nearest:
            return self.changed
        name = at_hand(self._told(nearest[0]).name, moved(self.terms))
        return tuple(sorted(self.changed, key=lambda line: not line.startswith(f"{name}:")))

    def _kind(self, asked: Asked, body: bytes) -> ExchangeKind:
        if self.client is None:
            judged = endpoint(asked.method, asked.url) in self.source.expected
            return ExchangeKind.MAIN if judged else ExchangeKind.AUX
        exchange = Exchange(
            id="",
            session="",
            number=self._judged + 1,
            method=asked.method,
            url=asked.url,
            request_headers=asked.headers,
            request_wire=body,
            request=body,
            request_sha256="",
            wire_sha256="",
        )
        return self.client.kind(exchange)

    def _why(self) -> str:
        if self.report.late:
            return self.report.late
        last = next((one for one in self.report.diverged if not one.allowed), None)
        return " ".join(line.strip() for line in last.lines) if last else "the replay has ended"

    def _note(self, kind: ExchangeKind) -> None:
        if self.log is None:
            return
        line = json.dumps({"request": self._judged, "kind": kind.value, "at": time.time()})
        with self.log.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def moved(terms: Terms) -> Mapping[str, str]:
    """Recorded folders and where they are here."""
    return {old: new for old, new in terms.facts if old.startswith("/")}
