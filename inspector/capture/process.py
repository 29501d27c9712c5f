"""Which process sent a request: its command line, folder and variables, where the system tells.

On Linux the other end of a loopback connection is found through `/proc`. Elsewhere nothing is, and
a session then has the facts of the command that was started, or none.
"""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_REMEMBERED = 256
"""Connections whose owner is kept."""

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")


@dataclass(frozen=True, slots=True)
class Process:
    """A running program."""

    pid: int
    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str]


class Owners:
    """Who opened each connection, looked up as it opens: a quick client is gone soon after."""

    def __init__(self) -> None:
        """Look in a thread of our own, off the proxy's hooks."""
        self._found: dict[int, Future[Process | None]] = {}
        self._pool = ThreadPoolExecutor(1, "inspector-owners")

    def opened(self, port: int) -> None:
        """A client's connection leaves from this port."""
        self._found.pop(port, None)
        while len(self._found) >= _REMEMBERED:
            del self._found[next(iter(self._found))]
        self._found[port] = self._pool.submit(owner, port)

    def of(self, port: int) -> Process | None:
        """The process behind a connection; None where that is not told."""
        found = self._found.get(port)
        return owner(port) if found is None else found.result()

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(cancel_futures=True)


def owner(port: int) -> Process | None:
    """The process whose connection leaves from this local port; None where that is not told."""
    inode = _inode(port)
    if inode is None:
        return None
    wanted = f"socket:[{inode}]"
    return next((_process(pid) for pid in _pids() if wanted in _open(pid)), None)


def _inode(port: int) -> str | None:
    end = f":{port:04X}"
    for table in _TABLES:
        with suppress(OSError), Path(table).open(encoding="ascii") as rows:
            for row in rows:
                cells = row.split()
                if len(cells) > 9 and cells[1].endswith(end) and cells[9] != "0":
                    return cells[9]
    return None


def _pids() -> Iterator[int]:
    """Every process but ours, the newest first: clients are younger than what runs them."""
    try:
        names = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208 - names
    except OSError:
        return
    yield from sorted((pid for pid in names if pid != os.getpid()), reverse=True)


def _open(pid: int) -> set[str]:
    """What a process's descriptors are; nothing where we may not look."""
    out: set[str] = set()
    with suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
        for entry in entries:
            with suppress(OSError):
                out.add(os.readlink(entry.path))  # noqa: PTH115 - no path: `socket:[123]`
    return out


def _process(pid: int) -> Process | None:
    here = Path("/proc", str(pid))
    try:
        words = _words((here / "cmdline").read_bytes())
        pairs = [word.partition("=") for word in _words((here / "environ").read_bytes())]
        cwd = os.fsdecode(os.readlink(here / "cwd"))  # noqa: PTH115 - of a folder that may be gone
    except OSError:
        return None
    return Process(pid, tuple(words), cwd, {name: value for name, _, value in pairs})


def _words(data: bytes) -> list[str]:
    return [os.fsdecode(word) for word in data.removesuffix(b"\0").split(b"\0")] if data else []
