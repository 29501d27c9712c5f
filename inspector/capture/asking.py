"""Asking the MCP servers that captured clients start, beside the clients and never delaying them.

Each client process is asked for once, however many sessions it has: a stdio server starts once more
for it.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from inspector import mcp_client, redact, snapshot
from inspector.capture.ledger import Ledger
from inspector.clients import Server
from inspector.errors import reason
from inspector.workspace import Listing

_AT_ONCE = 4
"""Clients whose servers are asked at the same time."""

type _Asked = Future[tuple[Listing, ...]]


@dataclass(slots=True)
class Asking:
    """The questions of one capture."""

    given: redact.Given
    say: Callable[[str], None]
    at_once: bool
    """Whether it is said at once whose servers are asked: a terminal may be a client's."""
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_AT_ONCE, "inspector-asking")
    )
    _of: dict[int | None, _Asked] = field(default_factory=dict[int | None, _Asked])
    """By client process; None: the command's own."""
    _notes: list[str] = field(default_factory=list[str])

    def ask(self, ledger: Ledger, env: Mapping[str, str], pid: int | None = None) -> None:
        """Ask the servers of a session's client, and keep their lists in the session.

        Returns at once. `env`: the variables of the client's process.
        """
        if pid not in self._of:
            self._of[pid] = self._pool.submit(self._listings, ledger, env, pid)
        self._of[pid].add_done_callback(partial(self._put, ledger))

    def end(self) -> tuple[str, ...]:
        """Wait for the answers; which servers gave none, a line each."""
        self._pool.shutdown()
        return tuple(dict.fromkeys(self._notes))

    def _put(self, ledger: Ledger, asked: _Asked) -> None:
        notes = [
            f"MCP server {item.server}: {item.state} ({item.reason})"
            for item in asked.result()
            if item.state != "ready"
        ]
        self._notes += notes
        ledger.listed(asked.result(), notes)

    def _listings(
        self, ledger: Ledger, env: Mapping[str, str], pid: int | None
    ) -> tuple[Listing, ...]:
        """What the servers say; a fault of ours is no fault of the client's."""
        try:
            servers = ledger.servers(snapshot.DiskTree())
            self._tell(servers, self.say if self.at_once or pid is None else self._notes.append)
            return _clean(mcp_client.ask_all(servers, env=env, cwd=ledger.cwd), self.given)
        except Exception as error:  # noqa: BLE001 - said, and the capture goes on
            self.say(f"MCP servers were not asked ({reason(error)})")
            return ()

    @staticmethod
    def _tell(servers: tuple[Server, ...], say: Callable[[str], None]) -> None:
        if servers:
            names = ", ".join(server.name for server in servers)
            say(f"asking the MCP servers too ({names}): each starts twice; see --no-mcp")


def _clean(listings: tuple[Listing, ...], given: redact.Given) -> tuple[Listing, ...]:
    return tuple(
        Listing.model_validate_json(redact.data(item.model_dump_json().encode(), given)[0])
        for item in listings
    )
