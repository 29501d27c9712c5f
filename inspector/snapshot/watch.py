"""Later versions of what a session's client could read.

Strategy: `look` at what may have changed when a reply with tool calls has ended, and again when the
next request arrives; both in one thread off the proxy's hook. Files are read only when their stat
changed; where that is told in a moment and nothing did, the thread sleeps on. `settle` waits for
all looks asked for.

Rule: time alone drops nothing that the builder needs (what was kept at the start, rules, skills):
where a look takes long it pauses and goes on. Files that replies name wait for the next look.
"""

import posixpath
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from inspector import redact
from inspector.clients import Client
from inspector.errors import reason
from inspector.session import Snapshot
from inspector.snapshot.stats import Stats
from inspector.snapshot.take import BUDGET_BYTES, Keeper, merged
from inspector.snapshot.trees import DiskTree, KeepingTree, RecordingTree
from inspector.workspace import Entry, EntryKind, Listing, Tree

BUDGET_SECONDS = 0.05
_WAITING = 10
"""How many times its budget of work a look may last, where the machine is busy or the disk slow."""
_RULE_FILES = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    "AGENTS.md",
    "AGENTS.override.md",
)
_RULE_FOLDERS = (
    ".claude/rules",
    ".claude/skills",
    ".claude/commands",
    ".agents/skills",
    ".codex/skills",
)
_DEPTH = 4


@dataclass(slots=True)
class _Look:
    at: str
    paths: tuple[str, ...]


@dataclass(slots=True)
class _Told:
    """What MCP servers said."""

    listings: tuple[Listing, ...]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Budget:
    """The time and bytes one look may still take."""

    seconds: float
    room: int
    work: float = 0.0
    """The thread's own clock when the time is up."""
    deadline: float = 0.0
    missed: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self._renew()

    def _renew(self) -> None:
        self.work = time.thread_time() + self.seconds
        self.deadline = time.monotonic() + _WAITING * self.seconds

    def allows(self, path: str, *, needed: bool) -> bool:
        """Whether a path may be looked at; for one that is needed time pauses, room does not."""
        if needed:
            self.pace()
        if self.room > 0 and (needed or self._timely()):
            return True
        self.missed.append(path)
        return False

    def pace(self) -> None:
        """Pause where the time is up, as long as work went on, and begin anew."""
        if not self._timely():
            time.sleep(self.seconds)
            self._renew()

    def _timely(self) -> bool:
        return time.thread_time() < self.work and time.monotonic() < self.deadline


class Watch:
    """Keeps a snapshot up to date while its session runs."""

    def __init__(
        self,
        snapshot: Snapshot,
        client: Client | None = None,
        *,
        given: redact.Given = redact.NOTHING_GIVEN,
        seconds: float = BUDGET_SECONDS,
        largest: int = BUDGET_BYTES,
        news: Callable[[Snapshot], None] | None = None,
    ) -> None:
        """Watch what a snapshot holds; `seconds` and `largest` (bytes) bound each look.

        `news` is told, in the watch's own thread, what each look saw beyond what was known.
        """
        self._snapshot = snapshot
        self._news = news
        self._tree: Tree = KeepingTree(DiskTree(), Keeper(client, given))
        self._seconds, self._largest = seconds, largest
        self._stats = Stats((*snapshot.files, *snapshot.folders))
        self._needed = {*snapshot.files, *snapshot.folders}
        """What the client read at its start, and the rules and skills of folders it went to."""
        self._searched: set[str] = set()
        """Folders whose rule files were looked for; the start may have listed one without them."""
        self._seen_before: set[str] = set()
        """Paths named in calls that are watched since, with the folders down to them."""
        self._late: tuple[str, ...] = ()
        """Paths named in a call that the budget left out."""
        self._again = False
        """A look at everything kept is waiting."""
        self._looks: queue.Queue[_Look | _Told | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="inspector-watch", daemon=True)
        self._thread.start()

    def look(self, at: str, paths: Iterable[str] = ()) -> None:
        """Look at everything kept, at these paths, and at the folders from `cwd` to them.

        Returns at once. `at` (ISO 8601 with offset) is the time the found versions are kept under.
        """
        look = _Look(at, tuple(path for path in paths if path not in self._seen_before))
        if not look.paths:
            if self._again:
                return  # the one that waits will see the same
            if not self._late and self._stats.still():
                return
            self._again = True
        self._looks.put(look)

    def knows(self, paths: Iterable[str]) -> bool:
        """Whether these paths are watched, with the folders down to them."""
        return self._seen_before.issuperset(paths)

    def listed(self, listings: tuple[Listing, ...], notes: Iterable[str] = ()) -> None:
        """Keep what MCP servers said. Returns at once."""
        self._looks.put(_Told(listings, tuple(notes)))

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot as it is, whatever looks are under way."""
        return self._snapshot

    def settle(self) -> Snapshot:
        """Wait for all looks asked for; the snapshot as it is then."""
        self._looks.join()
        return self._snapshot

    def close(self) -> Snapshot:
        """Settle, and end the thread."""
        snapshot = self.settle()
        self._looks.put(None)
        self._thread.join()
        return snapshot

    def _work(self) -> None:
        while True:
            look, before = self._looks.get(), self._snapshot
            try:
                if look is None:
                    return
                if isinstance(look, _Told):
                    self._take_in(look)
                else:
                    self._again = self._again and bool(look.paths)
                    self._snapshot = self._seen(look)
            except Exception as error:  # noqa: BLE001 - the capture goes on; the fault is in the notes
                self._note(f"looking again failed: {reason(error)}")
            finally:
                self._tell(before)
                self._looks.task_done()

    def _take_in(self, told: _Told) -> None:
        self._snapshot = replace(self._snapshot, listings=told.listings)
        for note in told.notes:
            self._note(note)

    def _tell(self, before: Snapshot) -> None:
        if self._news is not None and self._snapshot is not before:
            seen = self._snapshot.since(before)
            if not seen.empty:
                self._news(seen)

    def _note(self, note: str) -> None:
        if note not in self._snapshot.notes:
            self._snapshot = replace(self._snapshot, notes=(*self._snapshot.notes, note))

    def _seen(self, look: _Look) -> Snapshot:
        snapshot, named = self._snapshot, (*self._late, *look.paths)
        moved = self._stats.changed()
        if not moved and not named:
            return snapshot
        recording = RecordingTree(self._tree)
        budget = _Budget(self._seconds, self._largest)
        self._late = tuple(path for path in named if self._left_out(path, recording, budget))
        for path in moved:
            self._changed(path, recording, budget)
        if budget.missed:
            names = ", ".join(budget.missed[:5]) + (" …" if len(budget.missed) > 5 else "")
            budgets = f"{self._seconds:g} s and {self._largest} bytes"
            self._note(f"{look.at}: over the budget of {budgets}, not looked at: {names}")
        self._snapshot = merged(self._snapshot, recording, look.at)
        self._seen_before = self._seen_before.union(named).difference(self._late)
        return self._snapshot

    def _changed(self, path: str, recording: RecordingTree, budget: _Budget) -> None:
        needed = path in self._needed
        if path in self._snapshot.files:
            self._file(path, recording, budget, needed=needed)
        if path in self._snapshot.folders and budget.allows(path, needed=needed):
            self._stats.note(path)
            recording.list(path)

    def _file(
        self, path: str, recording: RecordingTree, budget: _Budget, *, needed: bool = True
    ) -> None:
        if budget.allows(path, needed=needed):
            self._stats.note(path)
            budget.room -= len(recording.read(path) or b"")

    def _left_out(self, path: str, recording: RecordingTree, budget: _Budget) -> bool:
        """Look at a named path and the folders down to it; whether that went over the budget."""
        before, cwd = len(budget.missed), self._snapshot.environment.cwd
        named = posixpath.normpath(posixpath.join(cwd, path))
        for folder in _folders(cwd, named):
            self._folder(folder, recording, budget)
        if named not in self._snapshot.files and named not in recording.files:
            self._file(named, recording, budget, needed=False)
        return len(budget.missed) > before

    def _folder(self, folder: str, recording: RecordingTree, budget: _Budget) -> None:
        if folder in self._searched:
            return
        before = len(budget.missed)
        self._listed(folder, recording)
        for name in _RULE_FILES:
            self._rule(posixpath.join(folder, name), recording, budget)
        for name in _RULE_FOLDERS:
            self._below(posixpath.join(folder, name), recording, budget, _DEPTH)
        if len(budget.missed) == before:
            self._searched.add(folder)

    def _listed(self, folder: str, recording: RecordingTree) -> tuple[Entry, ...]:
        self._needed.add(folder)
        self._stats.note(folder)
        return recording.list(folder) or ()

    def _rule(self, path: str, recording: RecordingTree, budget: _Budget) -> None:
        self._needed.add(path)
        self._file(path, recording, budget)

    def _below(self, folder: str, recording: RecordingTree, budget: _Budget, depth: int) -> None:
        budget.pace()
        for entry in self._listed(folder, recording):
            path = posixpath.join(folder, entry.name)
            if EntryKind.DIRECTORY in {entry.kind, entry.links_to} and depth:
                self._below(path, recording, budget, depth - 1)
            elif entry.name.endswith(".md"):
                self._rule(path, recording, budget)


def _folders(cwd: str, path: str) -> Iterator[str]:
    """The folders from the working directory down to a path; outside it, the path's own folder."""
    folder = posixpath.dirname(path)
    if folder != cwd and not folder.startswith(cwd.rstrip("/") + "/"):
        yield folder
        return
    here = cwd
    yield here
    for name in posixpath.relpath(folder, cwd).split("/"):
        if name != ".":
            here = posixpath.join(here, name)
            yield here
