"""Which client a command line starts, and which version of it, without running it."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from inspector import profiles
from inspector.errors import BadInput
from inspector.jsontext import read

_CLIENTS = {"claude": "claude-code", "codex": "codex"}
_RUNTIMES = frozenset({"node", "nodejs", "bun", "deno"})
_PACKAGES = {"@anthropic-ai/claude-code": "claude-code", "@openai/codex": "codex"}
_RELEASE = re.compile(r"\d+\.\d+\.\d+")
_DEPTH = 6
"""How many folders up from the program its package.json may be."""


@dataclass(frozen=True, slots=True)
class Program:
    """A command, and the client it starts."""

    argv: tuple[str, ...]
    """The whole command, the program by its full path."""
    client: str
    """`claude-code`, `codex` or `other`."""
    version: str
    """From its package, else the newest with a profile; the user agent seen corrects it."""
    packaged: bool = False
    """Whether it belongs to the client's own package."""
    own: int = 1
    """How many words of the command are the program; the client's own arguments come after."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The client's own command line."""
        return self.argv[self.own :]


def program(command: Sequence[str], env: Mapping[str, str]) -> Program:
    """Look a command up as a shell would, and see what it is."""
    if not command:
        raise BadInput("no command: nothing to run; write `inspector run -- CMD …`")
    found = shutil.which(command[0], path=env.get("PATH"))
    if found is None:
        raise BadInput(_not_found(command[0]))
    argv = (found, *command[1:])
    own = 2 if Path(found).stem in _RUNTIMES and len(argv) > 1 else 1
    script = Path(argv[own - 1])
    package = _package(script)
    client = _CLIENTS.get(script.name.partition(".")[0]) or _named(package)
    packaged = client != "other" and _named(package) == client
    return Program(argv, client, _version(client, package), packaged, own)


def _not_found(name: str) -> str:
    """Why there is nothing to start by a name."""
    if Path(name).name != name or not name:  # a path, which a shell does not look for
        if Path(name).is_dir():
            return f"{name}: a folder, not a program; name the program in it"
        if Path(name).exists():
            return f"{name}: not executable; make it so, or name what runs it before it"
        return f"{name}: no such file; check the path"
    return f"{name}: no such command; install it, or give its full path"


def _named(package: Mapping[str, Any]) -> str:
    name = str(package.get("name", ""))
    return next((client for known, client in _PACKAGES.items() if name.startswith(known)), "other")


def _version(client: str, package: Mapping[str, Any]) -> str:
    if client == "other":
        return ""
    release = _RELEASE.match(str(package.get("version", "")))
    if _named(package) == client and release:
        return release[0]
    known = profiles.names(client)
    return known[-1] if known else ""


def _package(script: Path) -> Mapping[str, Any]:
    """The package.json of the program, links followed."""
    real = script.resolve()
    for folder in list(real.parents)[:_DEPTH]:
        try:
            value = read((folder / "package.json").read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(value, dict):
            return cast("Mapping[str, Any]", value)
    return {}
