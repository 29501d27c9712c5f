"""Logins that reach nobody, and terminals that a test can read: what tests of real clients share."""

import json
import os
import select
import signal
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.test_capture_clients import CONFIG, LIMIT, Place, unsigned

APART = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]

ACCESS, REFRESH = "sk-ant-oat01-" + "f" * 80 + "-AAAA", "sk-ant-ort01-" + "e" * 80 + "-BBBB"
ACCOUNT = {
    "accountUuid": "11111111-2222-4333-8444-555555555555",
    "emailAddress": "someone@example.invalid",
    "organizationUuid": "66666666-7777-4888-9999-aaaaaaaaaaaa",
}
CHATGPT = {
    "chatgpt_plan_type": "pro",
    "chatgpt_account_id": "acct-mock",
    "chatgpt_user_id": "user-mock",
}
TOKEN = unsigned(
    {
        "exp": 4102444800,
        "email": "someone@example.invalid",
        "https://api.openai.com/auth": CHATGPT,
    }
)
SECRETS = {"oauth": (ACCESS, REFRESH), "chatgpt": (TOKEN, "refresh-me-not"), "key": ("fakefake",)}


def log_in(here: Place, client: str, login: str) -> None:
    """Give a throwaway home the credential of a login: `key`, `oauth` or `chatgpt`."""
    home = here.root / "home"
    if client == "claude-code":
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        state = {
            "hasCompletedOnboarding": True,
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": ["fakefakefakefakefake"]},
            "projects": {str(here.workspace): trusted},
            **({"oauthAccount": ACCOUNT} if login == "oauth" else {}),
        }
        (home / ".claude.json").write_text(json.dumps(state))
    else:
        trust = f'[projects.{json.dumps(str(here.workspace))}]\ntrust_level = "trusted"\n'
        text = f"check_for_update_on_startup = false\n{CONFIG}{trust}"
        (home / ".codex/config.toml").write_text(text)
        (home / ".codex/auth.json").write_text(json.dumps({"OPENAI_API_KEY": "sk-fake-000"}))
    if login == "oauth":
        oauth = {
            "accessToken": ACCESS,
            "refreshToken": REFRESH,
            "expiresAt": 4102444800000,
            "scopes": ["user:inference", "user:profile"],
            "subscriptionType": "max",
        }
        (home / ".claude").mkdir(exist_ok=True)
        (home / ".claude/.credentials.json").write_text(json.dumps({"claudeAiOauth": oauth}))
        here.env["ANTHROPIC_API_KEY"] = ""
    if login == "chatgpt":
        tokens = {
            "id_token": TOKEN,
            "access_token": TOKEN,
            "refresh_token": "refresh-me-not",
            "account_id": "acct-mock",
        }
        auth = {
            "auth_mode": "chatgpt",
            "OPENAI_API_KEY": None,
            "tokens": tokens,
            "last_refresh": "2026-11-29T20:34:43.000000Z",
        }
        (home / ".codex/auth.json").write_text(json.dumps(auth))
        here.env |= {"OPENAI_API_KEY": "", "CODEX_API_KEY": ""}


@dataclass
class Terminal:
    """A command in tmux, and what its screen shows."""

    program: list[str]
    control: "subprocess.Popen[bytes]"
    screen: str = ""
    """As it was last seen."""

    def tmux(self, *words: str) -> str:
        """One command of tmux, and what it prints."""
        ended = subprocess.run(
            [*self.program, *words], capture_output=True, timeout=LIMIT, check=False
        )
        assert ended.returncode == 0, (words, ended.stderr.decode(), self.screen)
        return ended.stdout.decode()

    def type(self, *keys: str) -> None:
        """Type words or named keys (`Enter`, `C-c`)."""
        self.tmux("send-keys", "-t", "it", *keys)

    def wait(self, seen: Callable[[str], bool]) -> str:
        """Look at the screen each time something is drawn, until it shows what is waited for."""
        assert self.control.stdout is not None
        while not seen(screen := self.tmux("capture-pane", "-p", "-t", "it")):
            self.screen = screen
            ready, _, _ = select.select([self.control.stdout], [], [], 40)
            assert ready, screen
            assert self.control.stdout.read1(1 << 16), screen  # type: ignore[attr-defined]
        return screen

    def go_away(self, how: str) -> None:
        """Close the terminal under the command, or end it by a signal; wait until it has ended."""
        pid = int(self.tmux("display-message", "-p", "-t", "it", "#{pane_pid}"))
        process = os.pidfd_open(pid)
        try:
            if how == "kill-session":
                self.tmux("kill-session", "-t", "it")
            else:
                signal.pidfd_send_signal(process, signal.Signals[how])
            assert select.select([process], [], [], LIMIT)[0], "the command does not end"
        finally:
            os.close(process)

    def end(self) -> None:
        """Wait until the command has ended, and tmux with it."""
        assert self.control.stdout is not None
        while select.select([self.control.stdout], [], [], 40)[0]:
            if not self.control.stdout.read1(1 << 16):  # type: ignore[attr-defined]
                break
        else:
            pytest.fail("the command does not end: " + self.tmux("capture-pane", "-p", "-t", "it"))
        assert self.control.wait(LIMIT) == 0


@contextmanager
def terminal(tmux: Path, here: Place, command: list[str]) -> Generator[Terminal]:
    """Run a command in a tmux of its own, in a network of its own."""
    with TemporaryDirectory(prefix="tmux-") as folder:
        program = [str(tmux), "-S", f"{folder}/s"]
        started = [*program, "-f", "/dev/null", "-C", "new-session", "-s", "it"]
        control = subprocess.Popen(
            [*APART, *started, "-x", "140", "-y", "50", *command],
            cwd=here.workspace,
            env=here.environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            assert control.stdout is not None
            assert control.stdout.readline().startswith(b"%begin")
            yield Terminal(program, control)
        finally:
            subprocess.run([*program, "kill-server"], capture_output=True, check=False)
            control.kill()
            control.communicate()
            _end_what_was_left(here.root)


def _end_what_was_left(folder: Path) -> None:
    """End programs that a client unpacked below its home and left running."""
    for link in Path("/proc").glob("[0-9]*/exe"):
        with suppress(OSError):
            if link.readlink().is_relative_to(folder):
                os.kill(int(link.parent.name), signal.SIGKILL)


def files_of_ours(folder: Path) -> dict[str, bytes]:
    """All that we write there: the store with its journals, the data folder, reports."""
    ours = [*folder.glob("*.db*"), *folder.glob("r*.json"), *folder.glob("proof*/**/*")]
    ours += (folder / "data").rglob("*")
    return {str(path): path.read_bytes() for path in ours if path.is_file()}
