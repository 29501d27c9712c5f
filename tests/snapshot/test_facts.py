"""The facts outside the workspace, as the client would see them."""

import os
import subprocess
from pathlib import Path

import pytest

from inspector.snapshot import environment
from inspector.snapshot.facts import git, local_time
from inspector.workspace import Git


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "home").mkdir()
    return {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b",
    }  # fmt: skip


def run(env: dict[str, str], cwd: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=cwd, env=env, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, env: dict[str, str]) -> Path:
    root = tmp_path / "repo"
    (root / "sub").mkdir(parents=True)
    run(env, root, "init", "-q", "-b", "trunk")
    run(env, root, "config", "user.name", "Ann Ä")
    (root / "a").write_text("1")
    run(env, root, "add", "a")
    run(env, root, "commit", "-q", "-m", "first")
    return root


def test_git_facts_are_what_git_prints(repository: Path, env: dict[str, str]) -> None:
    (repository / "a").write_text("2")
    (repository / "new").write_text("")
    run(env, repository, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    found = git(str(repository / "sub"), env)
    assert found is not None
    short = found.log.split()[0]
    assert found == Git(
        root=str(repository),
        head="ref: refs/heads/trunk",
        default_branch="refs/remotes/origin/main",
        user_name="Ann Ä",
        status=" M ../a\n?? ../new\n",
        log=f"{short} first\n",
        commit=found.commit,
    )
    assert (found.commit or "").startswith(short)


def test_remotes_are_kept_without_who_may_log_in(repository: Path, env: dict[str, str]) -> None:
    run(env, repository, "remote", "add", "zeta", "git@h:z.git")
    run(env, repository, "remote", "add", "alpha", "https://user:pw@h/a.git")
    found = git(str(repository), env)
    assert found is not None
    assert found.remotes == {"zeta": "git@h:z.git", "alpha": "https://h/a.git"}


def test_a_linked_work_tree_names_the_main_one(
    repository: Path, env: dict[str, str], tmp_path: Path
) -> None:
    run(env, repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    found = git(str(tmp_path / "side"), env)
    assert found is not None
    assert (found.root, found.common_root, found.head) == (
        str(tmp_path / "side"),
        str(repository),
        "ref: refs/heads/side",
    )


def test_an_empty_repository_has_no_log(tmp_path: Path, env: dict[str, str]) -> None:
    run(env, tmp_path, "init", "-q", "-b", "main")
    assert git(str(tmp_path), env) == Git(root=str(tmp_path), head="ref: refs/heads/main")


def test_there_is_no_git_outside_a_work_tree_or_without_git(
    repository: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    assert git(str(tmp_path), env) is None
    assert git(str(tmp_path / "none"), env) is None
    assert git(str(repository), {"PATH": "/nowhere"}) is None


def test_asking_takes_no_lock_and_writes_nothing(repository: Path, env: dict[str, str]) -> None:
    (repository / "a").touch()
    index = repository / ".git" / "index"
    before = (index.read_bytes(), index.stat().st_mtime_ns)
    git(str(repository), env)
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before


def test_an_environment_holds_named_switches_only(tmp_path: Path, env: dict[str, str]) -> None:
    shell = str(tmp_path / "zsh")
    Path(shell).write_text("")
    Path(shell).chmod(0o755)
    env |= {
        "SHELL": shell,
        "TMPDIR": "/var/t",
        "NAMED": "1",
        "OTHER": "2",
        "CLAUDE_CONFIG_DIR": "/cfg",
    }
    found = environment(
        ["-p", "odd \udcff"], str(tmp_path), env, "claude-code", "2.1.332", "base-url", "http://gw", ("NAMED", "UNSET"),
    )  # fmt: skip
    uname = os.uname()
    assert found.model_copy(update={"date": "", "timezone": ""}).model_dump() == {
        "client": "claude-code", "version": "2.1.332", "tool_shell": shell, "credential": "", "argv": ("-p", "odd \ufffd"), "cwd": str(tmp_path),
        "home": env["HOME"], "config_home": "/cfg", "date": "", "timezone": "", "platform": uname.sysname.lower(),
        "os_version": f"{uname.sysname} {uname.release}", "shell": shell, "temp": "/var/t",
        "path_flavour": "posix", "env": {"NAMED": "1"}, "git": None, "mailbox": None, "route": "base-url", "base_url": "http://gw",
    }  # fmt: skip
    assert len(found.date) == len("2026-11-29")


def test_the_home_of_a_clients_configuration_has_a_default(
    tmp_path: Path, env: dict[str, str]
) -> None:
    homes = {
        client: environment([], str(tmp_path), env, client, "1", "tls").config_home
        for client in ("claude-code", "codex")
    }
    assert homes == {"claude-code": f"{env['HOME']}/.claude", "codex": f"{env['HOME']}/.codex"}


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("Pacific/Kiritimati", "2026-11-30T01:00:00.250+14:00"),
        ("America/New_York", "2026-11-29T06:00:00.250-05:00"),
        (":UTC", "2026-11-29T11:00:00.250+00:00"),
    ],
)
def test_the_date_is_local_to_the_environments_zone(zone: str, expected: str) -> None:
    assert local_time({"TZ": zone}, 1795950000.25) == expected
