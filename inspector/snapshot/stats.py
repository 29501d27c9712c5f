"""What the disk said of paths when they were last looked at.

Strategy: a path that is not there costs no look of its own. As long as the nearest folder above it
that is there has not changed, nothing was made below it, and many paths share such a folder.
"""

import os
import posixpath
import threading
import time
from collections.abc import Callable, Iterable

from inspector.snapshot.local import local

_TICK_NS = 20_000_000
"""A file changed less than this ago may change again without its times moving."""
_BRIEF = 0.0005
"""Seconds of work that whoever must not be kept waiting may do."""

_NEVER = (-1, 0, 0, 0, 0)
"""What no path is, for one that was two things at two moments."""

type _Current = Callable[[str], Stat]
type Stat = tuple[int, int, int, int, int] | None
type _Above = tuple[str, Stat]
"""The nearest folder above a path that is there, as it was."""


class Stats:
    """The state of each path that is watched; safe to share between threads."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Take paths as they are now."""
        self._known: dict[str, Stat] = {}
        self._above: dict[str, _Above] = {}
        """By path that is not there; a link that leads nowhere is always looked at itself."""
        self._together: dict[_Above | None, list[str]] = {}
        """The paths by what stands for them; None for those that are asked themselves."""
        self._asked: dict[str, Stat] = {}
        """What is asked for all of them, and as it was."""
        self._lock = threading.Lock()
        self._work = 0.0
        """Seconds of work that it took last to see what has changed."""
        for path in paths:
            self._note(path)
        self._local = local({posixpath.dirname(path) for path in self._known})

    def note(self, path: str) -> None:
        """Take a path as it is now; call it before the path is read."""
        with self._lock:
            if path not in self._known:
                self._local = self._local and local((posixpath.dirname(path),))
            self._note(path)

    def _note(self, path: str) -> None:
        now = time.time_ns()
        found = _stat(path, now)
        self._together.clear()
        self._asked.clear()
        self._above.pop(path, None)
        if found is None and (above := _nearest(path, now)) is not None:
            self._above[path] = above
            found = _stat(path, now)  # again: it may have been made before its folder was looked at
        self._known[path] = found

    def changed(self) -> list[str]:
        """Those paths that may not be as they were noted."""
        with self._lock:
            return self._changed()

    def still(self) -> bool:
        """Whether all are as they were noted; false too where to find out could take a while."""
        if not self._local or self._work > _BRIEF or not self._lock.acquire(blocking=False):
            return False
        try:
            return self._as_asked() or not self._changed()
        finally:
            self._lock.release()

    def _as_asked(self) -> bool:
        """Whether all is as it was, told quickly; false where a closer look is due."""
        start = time.thread_time()
        if not self._asked:
            for above, paths in self._groups().items():
                pairs = ((path, self._known[path]) for path in paths) if above is None else (above,)
                for path, stat in pairs:
                    if self._asked.setdefault(path, stat) != stat:
                        self._asked[path] = _NEVER
        same = all(map(_is, self._asked, self._asked.values()))
        self._work = time.thread_time() - start
        return same

    def _changed(self) -> list[str]:
        start, now, seen = time.thread_time(), time.time_ns(), dict[str, Stat]()

        def current(path: str) -> Stat:
            if path not in seen:
                seen[path] = _stat(path, now)
            return seen[path]

        found: list[str] = []
        for above, paths in tuple(self._groups().items()):
            if above is None or current(above[0]) != above[1]:
                found += [path for path in paths if self._moved(path, current)]
        self._work = time.thread_time() - start
        return found

    def _groups(self) -> dict[_Above | None, list[str]]:
        if not self._together:
            for path in self._known:
                self._together.setdefault(self._above.get(path), []).append(path)
        return self._together

    def _moved(self, path: str, current: _Current) -> bool:
        if current(path) != self._known[path]:
            return True
        if path not in self._above:
            return False
        self._note(path)  # still not there; its folder is another or has changed
        return self._known[path] is not None


def _nearest(path: str, now: int) -> _Above | None:
    """The nearest folder above a path; None where a link leads nowhere: no folder tells of that."""
    here = path
    while not os.path.islink(here):  # noqa: PTH114 - paths of any bytes
        here, below = posixpath.dirname(here), here
        if here == below:
            return None
        found = _stat(here, now)
        if found is not None:
            return here, found
    return None


def _stat(path: str, now: int) -> Stat:
    try:
        found = os.stat(path)  # noqa: PTH116 - one call, no object
    except (OSError, ValueError):
        return None
    if now - max(found.st_mtime_ns, found.st_ctime_ns) < _TICK_NS:
        return time.monotonic_ns(), 0, 0, 0, 0
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev


def _is(path: str, stat: Stat) -> bool:
    """Whether a path is as it was when it had not changed for a while."""
    try:
        found = os.stat(path)  # noqa: PTH116 - as above
    except (OSError, ValueError):
        return stat is None
    was = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev)
    return was == stat
