"""Finding real clients, and installing them through npm into a cache folder.

A client is looked for in the folder that `INSPECTOR_CLIENTS` names, on `PATH`, and in our cache
folder; one of a given version in `<client>@<version>/` of these folders, which npm filled.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from inspector import paths
from inspector.errors import BadInput

PACKAGES = {
    "claude-code": "@anthropic-ai/claude-code@2.1.332",
    "codex": "@openai/codex@0.171.0",
}
"""What `demo --install-clients` installs: the versions that have a profile."""

_SYSTEM_AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
_PROGRAMS = {"claude-code": "claude", "codex": "codex"}
_NATIVE = {
    "claude-code": "node_modules/@anthropic-ai/claude-code-*/claude",
    "codex": "node_modules/@openai/codex-*/vendor/*/*/codex",
}
"""The program itself, without the script around it."""


def installed(
    client: str, env: Mapping[str, str] | None = None, version: str | None = None
) -> Path | None:
    """The program of a client, of a given version if one is named; None where it is not there."""
    env = os.environ if env is None else env
    folders = [Path(env["INSPECTOR_CLIENTS"])] if env.get("INSPECTOR_CLIENTS") else []
    if version is not None:
        named = [folder / f"{client}@{version}" for folder in (*folders, cache())]
        return next(_in_folders(client, named), None)
    for found in _in_folders(client, folders):
        return found
    on_path = shutil.which(_PROGRAMS[client], path=env.get("PATH"))
    if on_path is not None:
        return Path(on_path)
    return next(_in_folders(client, [cache()]), None)


def client_of(binary: Path) -> str:
    """Which client a program is, by its name or what it says of itself."""
    for client, program in _PROGRAMS.items():
        if binary.stem == program:
            return client
    raise BadInput(f"{binary}: neither named claude nor codex; give the client's own program")


def install() -> Path:
    """Install all clients into the cache folder and return it."""
    folder = cache()
    if all(next(_in_folders(client, [folder]), None) for client in PACKAGES):
        return folder
    _npm(folder, [*PACKAGES.values()], "run the demo without --install-clients")
    return folder


def install_version(client: str, version: str) -> Path:
    """The program of a client's version, installed into a folder of its own where it is not yet."""
    folder = place(client, version)
    if (found := next(_in_folders(client, [folder]), None)) is None:
        package = PACKAGES[client].rpartition("@")[0]
        _npm(folder, [f"{package}@{version}"], "give the client's program with --binary")
        found = next(_in_folders(client, [folder]), None)
    if found is None:
        raise BadInput(f"{client} {version}: installed without a program for this system")
    return found


def place(client: str, version: str) -> Path:
    """The folder of our cache that one version of a client is installed into."""
    return cache() / "versions" / f"{client}-{version}"


def _npm(folder: Path, packages: list[str], otherwise: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise BadInput(f"npm: not on PATH; install Node.js, or {otherwise}")
    folder.mkdir(parents=True, exist_ok=True)
    quiet = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
    ended = subprocess.run(
        [npm, "install", *quiet, "--prefix", str(folder), *packages],
        env=_trusting(os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        reason = " ".join((ended.stderr or ended.stdout).split())[-300:]
        what = ", ".join(packages)
        raise BadInput(f"npm: could not install {what} ({reason}); {otherwise}")


def _trusting(env: Mapping[str, str]) -> dict[str, str]:
    """The environment for npm, which alone does not trust an authority of the system's bundle."""
    system = env.get("SSL_CERT_FILE") or _SYSTEM_AUTHORITIES
    return {"NODE_EXTRA_CA_CERTS": system, **env} if Path(system).is_file() else dict(env)


def cache() -> Path:
    """The folder that clients are installed into."""
    return paths.cache_folder() / "clients"


def _in_folders(client: str, folders: list[Path]) -> Iterator[Path]:
    for folder in folders:
        # Claude Code was a script for node up to 2.1.112.
        script = folder / "node_modules/.bin" / _PROGRAMS[client]
        for path in (*sorted(folder.glob(_NATIVE[client])), script):
            if os.access(path, os.X_OK):
                yield path
