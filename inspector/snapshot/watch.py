"""Later versions of what a session's client could read.

Strategy: `look` at what may have changed when a reply with tool calls has ended, and again when the
next request arrives; both in one thread off the proxy's hook. Files are read only when their stat
changed. `settle` waits for all looks asked for.
"""

import os
import posixpath
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from inspector import redact
from inspector.clients import Client
from inspector.session import Snapshot
from inspector.snapshot.take import BUDGET_BYTES, Keeper, merged
from inspector.snapshot.trees import DiskTree, KeepingTree, RecordingTree
from inspector.workspace import EntryKind, Listing, Tree

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
_TICK_NS = 20_000_000
"""A file changed less than this ago may change again without its times moving."""

type _Stat = tuple[int, int, int, int] | None


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

    work: float
    """The thread's own clock when the time is up."""
    deadline: float
    room: int
    missed: list[str] = field(default_factory=list[str])

    def allows(self, path: str) -> bool:
        if time.thread_time() < self.work and time.monotonic() < self.deadline and self.room > 0:
            return True
        self.missed.append(path)
        return False


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
        self._stats: dict[str, _Stat] = {
            path: _stat(path) for path in (*snapshot.files, *snapshot.folders)
        }
        self._searched: set[str] = set()
        """Folders whose rule files were looked for; the start may have listed one without them."""
        self._again = False
        """A look at everything kept is waiting."""
        self._looks: queue.Queue[_Look | _Told | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="inspector-watch", daemon=True)
        self._thread.start()

    def look(self, at: str, paths: Iterable[str] = ()) -> None:
        """Look at everything kept, at these paths, and at the folders from `cwd` to them.

        Returns at once. `at` (ISO 8601 with offset) is the time the found versions are kept under.
        """
        look = _Look(at, tuple(paths))
        if not look.paths:
            if self._again:
                return  # the one that waits will see the same
            self._again = True
        self._looks.put(look)

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
                self._note(f"looking again failed: {type(error).__name__}: {error}")
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
        recording = RecordingTree(self._tree)
        deadline = time.monotonic() + _WAITING * self._seconds
        budget = _Budget(time.thread_time() + self._seconds, deadline, self._largest)
        self._new_paths(look, recording, budget)
        for path in self._changed(self._snapshot.files):
            self._file(path, recording, budget)
        for path in self._changed(self._snapshot.folders):
            if budget.allows(path):
                self._stats[path] = _stat(path)
                recording.list(path)
        if budget.missed:
            named = ", ".join(budget.missed[:5]) + (" …" if len(budget.missed) > 5 else "")
            budgets = f"{self._seconds:g} s and {self._largest} bytes"
            self._note(f"{look.at}: over the budget of {budgets}, not looked at: {named}")
        return merged(self._snapshot, recording, look.at)

    def _changed(self, paths: Iterable[str]) -> list[str]:
        return [path for path in paths if _stat(path) != self._stats.get(path)]

    def _file(self, path: str, recording: RecordingTree, budget: _Budget) -> None:
        if budget.allows(path):
            self._stats[path] = _stat(path)
            budget.room -= len(recording.read(path) or b"")

    def _new_paths(self, look: _Look, recording: RecordingTree, budget: _Budget) -> None:
        for path in look.paths:
            named = posixpath.normpath(posixpath.join(self._snapshot.environment.cwd, path))
            for folder in _folders(self._snapshot.environment.cwd, named):
                self._folder(folder, recording, budget)
            if named not in self._snapshot.files:
                self._file(named, recording, budget)

    def _folder(self, folder: str, recording: RecordingTree, budget: _Budget) -> None:
        if folder in self._searched or not budget.allows(folder):
            return
        self._searched.add(folder)
        self._stats[folder] = _stat(folder)
        recording.list(folder)
        for name in _RULE_FILES:
            self._file(posixpath.join(folder, name), recording, budget)
        for name in _RULE_FOLDERS:
            self._below(posixpath.join(folder, name), recording, budget, _DEPTH)

    def _below(self, folder: str, recording: RecordingTree, budget: _Budget, depth: int) -> None:
        if not budget.allows(folder):
            return
        self._stats[folder] = _stat(folder)
        for entry in recording.list(folder) or ():
            path = posixpath.join(folder, entry.name)
            if EntryKind.DIRECTORY in {entry.kind, entry.links_to} and depth:
                self._below(path, recording, budget, depth - 1)
            elif entry.name.endswith(".md"):
                self._file(path, recording, budget)


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


def _stat(path: str) -> _Stat:
    try:
        found = os.stat(path)  # noqa: PTH116 - one call, no object
    except (OSError, ValueError):
        return None
    if time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < _TICK_NS:
        return time.monotonic_ns(), 0, 0, 0
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
