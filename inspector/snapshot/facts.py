"""The facts outside the workspace, taken when the client process starts."""

import os
import posixpath
import pwd
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from inspector.workspace import Environment, Git

_GIT_SECONDS = 10
_CREDENTIALS = {
    "claude-code": (
        ("ANTHROPIC_AUTH_TOKEN", "key"),
        ("CLAUDE_CODE_OAUTH_TOKEN", "token"),
        ("ANTHROPIC_API_KEY", "key"),
    ),
    "codex": (("CODEX_API_KEY", "key"),),
}
"""Variables that hold a credential and what kind it is, the first that is set counts."""
_ADDRESS = ("config", "user.email")
_SHELLS = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
_CONFIG_HOMES = {"claude-code": ("CLAUDE_CONFIG_DIR", ".claude"), "codex": ("CODEX_HOME", ".codex")}


def environment(  # noqa: PLR0913, PLR0917 - one parameter a fact
    argv: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    client: str,
    version: str,
    route: str,
    base_url: str | None = None,
    switches: Sequence[str] = (),
) -> Environment:
    """The facts a client sees when started with this command line, folder and environment."""
    home = env.get("HOME") or str(Path.home())
    variable, folder = _CONFIG_HOMES.get(client, ("", ""))
    uname = os.uname()
    found = git(cwd, env)
    return Environment(
        client=client,
        version=version,
        argv=tuple(_clean(word) for word in argv),
        cwd=_clean(cwd),
        home=_clean(home),
        config_home=_clean(env.get(variable) or posixpath.join(home, folder)),
        date=_today(env),
        timezone=_zone(),
        platform=uname.sysname.lower(),
        os_version=f"{uname.sysname} {uname.release}",
        shell=_shell(client, env),
        tool_shell=_tool_shell(env) if client == "claude-code" else "",
        temp=env.get("TMPDIR") or "/tmp",  # noqa: S108 - the platform's default, as data
        env={name: _clean(env[name]) for name in switches if name in env},
        credential=_credential(client, env, env.get(variable) or posixpath.join(home, folder)),
        git=found,
        mailbox=None if found else _mailbox(_git(cwd, env, *_ADDRESS)),
        route=route,
        base_url=base_url,
    )


def _credential(client: str, env: Mapping[str, str], config_home: str) -> str:
    """What the client presents itself with: a variable, else Codex's own file, which stays shut."""
    given = next((kind for name, kind in _CREDENTIALS.get(client, ()) if env.get(name)), "")
    if given or client != "codex":
        return given
    return "login" if (Path(config_home) / "auth.json").exists() else ""


def _shell(client: str, env: Mapping[str, str]) -> str:
    """The shell a client takes for the user's: Codex asks the account, others the environment."""
    if client == "codex":
        try:
            return pwd.getpwuid(os.getuid()).pw_shell
        except KeyError:
            pass
    return env.get("SHELL", "")


def _tool_shell(env: Mapping[str, str]) -> str:
    """The shell Claude Code runs commands in: a bash or zsh that can be run (`switches_shell`)."""
    given = [env.get(name, "") for name in ("CLAUDE_CODE_SHELL", "SHELL")]
    chosen = [path for path in given if "bash" in path or "zsh" in path]
    names = ("bash", "zsh") if posixpath.basename(given[1]) == "bash" else ("zsh", "bash")
    found = {name: shutil.which(name, path=env.get("PATH")) for name in names}
    fixed = [posixpath.join(folder, name) for name in names for folder in _SHELLS]
    for path in (*chosen, found[names[0]], *fixed, found[names[1]]):
        if path and os.access(path, os.X_OK):
            return path
    return ""


def git(cwd: str, env: Mapping[str, str]) -> Git | None:
    """What git says in a folder; None outside a work tree, or without git."""
    root = _git(cwd, env, "rev-parse", "--show-toplevel")
    if root is None:
        return None
    asked = {
        "folder": ("rev-parse", "--absolute-git-dir"),
        "common": ("rev-parse", "--path-format=absolute", "--git-common-dir"),
        "default": ("symbolic-ref", "refs/remotes/origin/HEAD"),
        "user": ("config", "user.name"),
        "address": _ADDRESS,
        "status": ("status", "--short"),
        "log": ("log", "--oneline", "-n", "5"),
        "commit": ("rev-parse", "HEAD"),
        "remotes": ("config", "--get-regexp", r"^remote\..*\.url$"),
    }

    def ask(words: tuple[str, ...]) -> str | None:
        return _git(cwd, env, *words)

    with ThreadPoolExecutor(len(asked)) as pool:
        answers = dict(zip(asked, pool.map(ask, asked.values()), strict=True))
    folder, common = (answers["folder"] or "").rstrip("\n"), (answers["common"] or "").rstrip("\n")
    main = (
        posixpath.dirname(common)
        if folder != common and posixpath.basename(common) == ".git"
        else None
    )
    return Git(
        root=root.rstrip("\n"),
        common_root=main,
        head=_head(folder),
        default_branch=_stripped(answers["default"]),
        user_name=_stripped(answers["user"]),
        user_mailbox=_mailbox(answers["address"]),
        status=answers["status"] or "",
        log=answers["log"] or "",
        commit=_stripped(answers["commit"]),
        remotes=_remotes(answers["remotes"] or ""),
    )


def _mailbox(address: str | None) -> str | None:
    return (address or "").strip().partition("@")[0] or None


def _remotes(answer: str) -> dict[str, str]:
    """Addresses by remote, as Codex sends them: whoever may log in cut out."""
    found: dict[str, str] = {}
    for line in answer.splitlines():
        key, _, address = line.partition(" ")
        name = key.removeprefix("remote.").removesuffix(".url")
        found.setdefault(name, re.sub(r"://[^/@]*@", "://", address))
    return found


def _git(cwd: str, env: Mapping[str, str], *words: str) -> str | None:
    """A command's standard output; None when it fails. Takes no lock, as the clients take none."""
    command = ["git", "--no-optional-locks", *words]
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def _head(folder: str) -> str:
    try:
        return Path(folder, "HEAD").read_text(encoding="utf-8", errors="replace").rstrip("\n")
    except OSError:
        return ""


def _stripped(answer: str | None) -> str | None:
    return (answer or "").strip() or None


def _today(env: Mapping[str, str]) -> str:
    return local_time(env)[:10]


def local_time(env: Mapping[str, str], seconds: float | None = None) -> str:
    """A moment (by default now) in the time zone of an environment, ISO 8601 with offset."""
    moment = time.time() if seconds is None else seconds
    name = env.get("TZ", "").lstrip(":")
    try:
        zone = ZoneInfo(name) if name else None
    except (ValueError, OSError):
        zone = None
    return datetime.fromtimestamp(moment, zone).astimezone(zone).isoformat(timespec="milliseconds")


def _zone() -> str:
    """The system's zone; `TZ` does not move it (Codex 0.171.0, resume_tz)."""
    linked = os.path.realpath("/etc/localtime")
    _, found, name = linked.partition("/zoneinfo/")
    if found:
        return name
    try:
        return Path("/etc/timezone").read_text(encoding="utf-8").strip() or "Etc/UTC"
    except OSError:
        return "Etc/UTC"


def _clean(string: str) -> str:
    """The string with undecodable bytes replaced, as clients show it."""
    return string.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
