"""The answers of a script in their order, and the log of what was answered."""

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from inspector.errors import BadInput
from inspector.mock import anthropic, responses
from inspector.mock.answer import Answer, Ids
from inspector.mock.checks import Tally
from inspector.mock.script import Reply, Script
from inspector.turns import Failed, Replied

_DONE = Reply(text="done")
_TOKENS = 1000

type _Kind = Literal["main", "warmup", "tools", "text", "compaction", "socket"]
"""Of a request that is answered: `tools` and `text` have tokens counted, `socket` wants one.

A compaction takes the next reply of the script, as the main requests do.
"""


class _Line(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")
    at: str
    kind: _Kind = "main"
    sha256: str = ""
    """Of the decoded body as received."""
    answer: Annotated[Replied | Failed, Field(discriminator="type")]


type _Make = Callable[[Reply, Mapping[str, Any], Ids], Answer]


@dataclass(slots=True)
class Desk:
    """Hands out the answers of a script in order and notes what it gave."""

    script: Script
    ids: Ids
    log: Path | None = None
    served: dict[str, int] = field(
        default_factory=lambda: {"main": 0, "sub": 0, "aux": 0, "count": 0}
    )
    lock: threading.Lock = field(default_factory=threading.Lock)
    tally: Tally = field(init=False)

    def __post_init__(self) -> None:
        self.tally = Tally(self.script.checks)

    def reply(self, kind: str) -> Reply:
        """The next reply for a request of this kind."""
        place = self.served[kind]
        self.served[kind] += 1
        if kind == "aux":
            return self.script.aux
        replies = self.script.replies if kind == "main" else self.script.sub or []
        if place < len(replies):
            return replies[place]
        return _DONE

    def note(
        self,
        at: str,
        outcome: Replied | Failed,
        data: bytes,
        kind: _Kind = "main",
    ) -> None:
        """Write one line of the log."""
        if self.log is None:
            return
        digest = hashlib.sha256(data).hexdigest()
        line = _Line(at=at, kind=kind, sha256=digest, answer=outcome)
        with self.log.open("a", encoding="utf-8") as file:
            file.write(line.model_dump_json(exclude_none=True) + "\n")

    def socket(self, status: int | None = None) -> None:
        """Note that a WebSocket was asked for, and what was answered where there is none."""
        with self.lock:
            self.note(_now(), Replied() if status is None else Failed(status=status), b"", "socket")

    def warm(self, data: bytes, response: str) -> None:
        """Note a request that wants no answer, and the id it can be gone on from by."""
        with self.lock:
            self.note(_now(), Replied(id=response), data, "warmup")

    def count(self, body: Mapping[str, Any], data: bytes) -> Answer:
        """Answer a count of tokens."""
        at = _now()
        with self.lock:
            place, given = self.served["count"], self.script.counts
            self.served["count"] += 1
            answer = anthropic.count_tokens(given[place] if place < len(given) else _TOKENS)
            self.note(at, answer.outcome, data, "tools" if body.get("tools") else "text")
        return answer

    def messages(self, body: dict[str, Any], data: bytes) -> tuple[Reply, Answer]:
        """Answer an Anthropic Messages request."""
        kind = anthropic.kind(body)
        if kind == "sub" and self.script.sub is None:
            kind = "aux"
        return self._serve(kind, body, data, anthropic.answer)

    def sample(self, body: dict[str, Any], data: bytes, *, sub: bool) -> tuple[Reply, Answer]:
        """Answer an OpenAI Responses request."""
        sub = sub and self.script.sub is not None
        if responses.is_title(body):
            return self._serve("aux", body, data, responses.answer)
        noted: _Kind = "compaction" if responses.is_compaction(body) else "main"
        return self._serve("sub" if sub else "main", body, data, responses.answer, noted)

    def _serve(
        self,
        kind: str,
        body: dict[str, Any],
        data: bytes,
        make: _Make,
        noted: _Kind = "main",
    ) -> tuple[Reply, Answer]:
        at = _now()
        with self.lock:
            reply = self.reply(kind)
            answer = make(reply, body, self.ids)
            if kind != "aux":
                self.tally.sent(
                    self.served[kind], body, reply.expect, "" if kind == "main" else "sub "
                )
            if kind == "main":
                self.note(at, answer.outcome, data, noted)
        return reply, answer


def check_log(log: Path | None) -> None:
    """Raises `BadInput` for a log that cannot be written."""
    if log is None:
        return
    try:
        with log.open("a", encoding="utf-8"):
            return
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(
            f"{log}: the mock's log cannot be written ({reason}); name another"
        ) from error


def read_log(path: Path, kind: _Kind = "main") -> list[tuple[str, Replied | Failed]]:
    """The main requests a mock answered, or others: arrival time and answer of each."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    parsed = [_Line.model_validate_json(line) for line in lines]
    return [(line.at, line.answer) for line in parsed if line.kind == kind]


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="milliseconds")
