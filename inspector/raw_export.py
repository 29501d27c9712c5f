"""Following Claude Code's own export of its bodies: a capture without a proxy.

The client writes a file for each request before it is sent, one for each answer, and then a line of
the index [claude-code 2.1.332]. Each is stored as soon as it is whole, so that files that change
during the session are kept in time. A request without an answer is stored as such at the end.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from inspector import importing, redact
from inspector.capture.cleaning import Cleaner
from inspector.capture.ledger import Ledger
from inspector.capture.target import joined
from inspector.errors import InspectorError, reason
from inspector.formats import Skipped, export
from inspector.session import Exchange
from inspector.store import Renewed, Store

_SECONDS = 0.05
"""Between two looks at the folder."""
_REQUEST = ".request.json"


@contextmanager
def following(
    folder: Path, ledger: Ledger, base: str, given: redact.Given, fault: Callable[[str], None]
) -> Generator[None]:
    """Store what a client exports into a folder until the block ends; `base` is its endpoint."""
    follow = _Follow(folder, ledger, base, Cleaner(given), fault)
    ended = threading.Event()

    def work() -> None:
        try:
            while not ended.wait(_SECONDS):
                follow.look()
            follow.look()
            follow.end()
        except Exception as error:  # noqa: BLE001 - the client goes on, and the user is told
            fault(f"storing the export failed ({reason(error)})")

    thread = threading.Thread(target=work, name="inspector-export", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@dataclass(slots=True)
class _Follow:
    """What has been read of a folder."""

    folder: Path
    ledger: Ledger
    base: str
    cleaner: Cleaner
    fault: Callable[[str], None]
    asked: dict[str, Exchange] = field(default_factory=dict[str, Exchange])
    """By file, the requests without an answer so far, as stored."""
    seen: set[str] = field(default_factory=set[str])
    rows: int = 0
    """Lines of the index read."""
    waiting: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Lines whose answer is not whole yet: the client writes both independently."""

    def look(self) -> None:
        """Take in what is new: requests in their order, then the answers."""
        index = self.folder / export.INDEX
        rows = [row for row in export.index(index) if not isinstance(row, Skipped)]
        names = [path for path in self.folder.glob("*" + _REQUEST) if path.name not in self.seen]
        for path in sorted(names, key=lambda path: path.stat().st_mtime_ns):
            self._request(path.name)
        due = [*self.waiting, *rows[self.rows :]]
        self.rows = len(rows)
        self.waiting = [
            row
            for row in due
            if Path(row["request_file"]).name not in self.seen
            or not export.answered(self.folder, row)
        ]
        for row in due:
            if row not in self.waiting:
                self._answer(row)

    def end(self) -> None:
        """Store what is left as it stands: half answers, and requests that got none."""
        for row in self.waiting:
            self._answer(row)
        for name in list(self.asked):
            self._answer({"request_file": name})

    def _request(self, name: str) -> None:
        found = export.item(self.folder, {"request_file": name})
        if isinstance(found, Skipped):
            return  # half written: the next look finds it whole
        self.seen.add(name)
        exchange = importing.converted(found, Store.new_id())
        exchange = replace(
            exchange,
            session=self.ledger.session.id,
            number=self.ledger.exchanges + 1,
            url=joined(self.base, exchange.url),
            started=_local(exchange.started),
            error="",
        )
        said = importing.Said.of(exchange.request)
        self.asked[name] = self.cleaner.request(exchange)
        self._put(self.asked[name], complete=False)
        self._stored(lambda: self.ledger.learn(said.agent, said.conversation))

    def _answer(self, row: dict[str, Any]) -> None:
        asked = self.asked.pop(Path(row["request_file"]).name, None)
        found = export.item(self.folder, row)
        if asked is None or isinstance(found, Skipped):
            return
        answered = replace(
            asked,
            status=found.status,
            response_headers=found.response_headers,
            response=found.response.data,
            first_byte=_local(found.ended),
            ended=_local(found.ended),
            error=found.error,
        )
        self._put(self.cleaner.response(answered, asked), complete=True)

    def _put(self, exchange: Exchange, *, complete: bool) -> None:
        self._stored(lambda: self.ledger.put(exchange, complete))

    def _stored(self, act: Callable[[], None]) -> None:
        """Do it; what the store refuses is said, and the client goes on."""
        try:
            try:
                act()
            except Renewed as error:
                self.fault(f"storing failed ({error}); the client goes on")
                act()
        except InspectorError as error:
            self.fault(f"storing failed ({error}); the client goes on")


def _local(moment: str) -> str:
    """A moment in local time with offset, as all others are."""
    if not moment:
        return ""
    return datetime.fromisoformat(moment).astimezone().isoformat(timespec="microseconds")
