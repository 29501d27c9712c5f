"""What a request is built from where no session is: a workspace on disk, turns, an environment."""

import os
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from inspector.cli.options import say
from inspector.errors import BadInput

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ROUTES = ("tls", "base-url", "raw-export")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.turns import Turns
    from inspector.workspace import Entry, Environment, Listing


def given_turns(path: Path, client: str) -> "Turns":
    """The turns file; what leads nowhere in it is said."""
    from inspector import folder
    from inspector.turns.check import broken, stray

    turns = folder.read_turns(path)
    if turns.client != client:
        raise BadInput(f"{path}: turns of {turns.client}, not of {client}; name that client")
    if fault := next(broken(turns), None):
        raise BadInput(f"{path}: {fault}; see docs/turns-format.md")
    for line in stray(turns):
        say(f"{path}: {line}")
    return turns


def given_environment(
    facts: Path | None, client: str, version: str, places: tuple[Path, Path | None]
) -> "tuple[Environment, tuple[Listing, ...]]":
    """The facts as given, or else as they are here and now; what was assumed is said."""
    from inspector import clients, folder
    from inspector.snapshot import environment

    workspace, home = places
    if facts is not None:
        found, listings = folder.read_facts(facts, client, version)
        if fault := next(unusable(found), None):
            raise BadInput(f"{facts}: {fault}; see docs/turns-format.md")
        if not _is_zone(found.timezone):
            say(f"{facts}: timezone: no zone {found.timezone!r} is known here")
        return found, listings
    env = dict(os.environ)
    if home is not None:
        env["HOME"] = str(home.resolve())
        env.pop("CLAUDE_CONFIG_DIR", None)
        env.pop("CODEX_HOME", None)
    switches = clients.client(client).switches
    argv = ["claude", "-p"] if client == "claude-code" else ["codex", "exec"]
    cwd = str(workspace.resolve())
    here = environment(argv[1:], cwd, env, client, version, "tls", None, switches)
    say(
        f"no --environment: assumed `{' '.join(argv)}`, route tls, {here.date} {here.timezone},"
        f" {here.os_version}, git as it is now, no MCP servers; `inspector turns SESSION"
        " --environment FILE` writes a session's own"
    )
    return here, ()


def unusable(environment: "Environment") -> "Iterator[str]":
    """Facts that no client can have found, each with its name in the file."""
    if not _DATE.fullmatch(environment.date) or not _is_date(environment.date):
        yield f"date: {environment.date!r} is no date such as 2026-01-02"
    if environment.route not in _ROUTES:
        yield f"route: {environment.route!r} is none of {', '.join(_ROUTES)}"
    for name in ("cwd", "home", "config_home"):
        path: str = getattr(environment, name)
        if environment.path_flavour == "posix" and not path.startswith("/"):
            yield f"{name}: {path!r} is no absolute path"


def _is_date(string: str) -> bool:
    try:
        return bool(date.fromisoformat(string))
    except ValueError:
        return False


def _is_zone(name: str) -> bool:
    """Whether a time zone is known here; true of any where none is."""
    try:
        return bool(ZoneInfo(name))
    except (ValueError, OSError, KeyError):
        return not available_timezones()


class Placed:
    """A disk tree in which the recorded working directory and home stand somewhere else."""

    def __init__(self, moves: tuple[tuple[str, str], ...]) -> None:
        """Show each first folder of `moves` as what the second holds."""
        from inspector.snapshot import DiskTree

        self._disk = DiskTree()
        self._moves = moves

    def _real(self, path: str) -> str:
        for old, new in self._moves:
            if path == old or path.startswith(old.rstrip("/") + "/"):
                return new + path[len(old.rstrip("/")) :]
        return path

    def read(self, path: str) -> bytes | None:
        """The file's bytes."""
        return self._disk.read(self._real(path))

    def list(self, path: str) -> "tuple[Entry, ...] | None":
        """The directory's entries."""
        return self._disk.list(self._real(path))


def placed(environment: "Environment", workspace: Path, home: Path | None) -> Placed:
    """The tree in which an environment's folders are those on disk."""
    moves = [(environment.cwd, str(workspace.resolve()))]
    if home is not None:
        moves.append((environment.home, str(home.resolve())))
    return Placed(tuple(sorted(moves, key=lambda move: -len(move[0]))))
