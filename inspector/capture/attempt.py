"""Trying a client's routes: the client itself makes one model call to the mock, on loopback.

It runs with an empty home, an empty folder and a made-up key, and every other host is refused. Only
programs that are a client's own binary or package are started, never a wrapper of the user's.
"""

import hashlib
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from inspector import mock, snapshot
from inspector.capture import other, start
from inspector.capture.addon import Capture, Plan
from inspector.capture.ca import Authority
from inspector.capture.ledger import known
from inspector.capture.listener import Addresses, listening
from inspector.capture.program import Program
from inspector.clients import Client, Launch
from inspector.errors import InspectorError

ROUTES = ("tls", "base-url", "raw-export")
_SECONDS = 30
_ARGUMENTS = {
    "claude-code": ("-p", "hello"),
    "codex": ("exec", "--skip-git-repo-check", "hello"),
}
_BINARY = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ")
_KEPT = ("PATH", "LANG", "TERM", "SHELL", "SSL_CERT_DIR")
_MADE_UP = {
    "ANTHROPIC_API_KEY": "sk-ant-api03-madeupmadeupmadeup",
    "OPENAI_API_KEY": "sk-made-up",
    "CODEX_API_KEY": "sk-made-up",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a try went."""

    works: bool
    reason: str = ""
    distrusted: bool = False
    """Whether the client refused our certificate."""
    seconds: float = 0.0
    exported: bool = False
    """Whether the client wrote its own export."""


def genuine(started: Program) -> bool:
    """Whether a program is a client's own, which may be started once more."""
    if started.client not in _ARGUMENTS:
        return False
    return started.packaged or _head(started.argv[0]).startswith(_BINARY)


def _head(path: str) -> bytes:
    with suppress(OSError), Path(path).open("rb") as file:
        return file.read(4)
    return b""


def attempt(started: Program, route: str, env: Mapping[str, str], authority: Authority) -> Attempt:
    """Start the client on a route with an empty home; whether its model call arrived."""
    client = known(started.client)
    if client is None or not genuine(started):
        return Attempt(works=False, reason="no program that may be tried")
    script = mock.script({"replies": [{"text": "ok"}], "expect": 1})
    hooks = Capture()
    with (
        tempfile.TemporaryDirectory(prefix="inspector-") as folder,
        mock.serve(script) as server,
        listening(hooks, authority) as addresses,
    ):
        child = _Child(started, client, env, Path(folder), addresses, str(authority.bundle))
        try:
            launch = child.launch(route)
        except InspectorError as error:
            return Attempt(works=False, reason=str(error))
        hooks.plan = Plan(hosts=frozenset(launch.hosts), upstream=server.url, closed=True)
        begun = time.monotonic()
        reason = child.run(launch) or server.complaint() or ""
        took = time.monotonic() - begun
        exported = any((Path(folder) / "export").glob("*.request.json"))
    if hooks.distrusted:
        hosts = ", ".join(sorted(hooks.distrusted))
        reason = f"it does not trust our certificate for {hosts}"
    if route == "raw-export" and not exported:
        reason = reason or "the client exported no body"
    return Attempt(not reason, reason, bool(hooks.distrusted), took, exported)


@dataclass(frozen=True, slots=True)
class _Child:
    """The client in its empty home."""

    started: Program
    client: Client
    env: Mapping[str, str]
    folder: Path
    addresses: Addresses
    bundle: str

    def launch(self, route: str) -> Launch:
        """How it starts; for `raw-export` through the TLS proxy, as there is no real host."""
        for name in ("home", "ws", "export"):
            (self.folder / name).mkdir()
        words: Sequence[str] = _ARGUMENTS[self.started.client]
        environment = snapshot.environment(
            words,
            str(self.folder / "ws"),
            self._variables(),
            self.started.client,
            self.started.version,
            route,
            None,
            self.client.switches,
        )
        before, own = (
            self.started.argv[: self.started.own - 1],
            self.started.argv[self.started.own - 1 : self.started.own],
        )

        def start_on(chosen: str, place: str) -> Launch:
            tree = snapshot.DiskTree()
            made = self.client.launch((*own, *words), environment, tree, chosen, place, self.bundle)
            return replace(made, argv=(*before, *made.argv))

        forward, reverse = self.addresses.forward, self.addresses.reverse
        if route != "raw-export":
            return start_on(route, forward if route == "tls" else reverse)
        plain, export = start_on("tls", forward), start_on(route, str(self.folder / "export"))
        return replace(plain, env={**plain.env, **export.env})

    def run(self, launch: Launch) -> str:
        """Run it to its end; what was wrong, or nothing."""
        variables = start.environ(
            self._variables(), launch, self.addresses, self.bundle, closed=True
        )
        variables |= other.no_proxy({}, launch.hosts)
        try:
            ended = subprocess.run(
                launch.argv,
                env=variables,
                cwd=self.folder / "ws",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except OSError as error:
            return f"it cannot be started ({error.strerror})"
        except subprocess.TimeoutExpired:
            return f"it did not end within {_SECONDS} s"
        return f"it ended with code {ended.returncode}" if ended.returncode else ""

    def _variables(self) -> dict[str, str]:
        kept = {name: self.env[name] for name in _KEPT if name in self.env}
        return {**kept, **_MADE_UP, "HOME": str(self.folder / "home")}


def trusts(
    started: Program,
    env: Mapping[str, str],
    authority: Authority,
    data: Path,
    say: Callable[[str], None],
) -> bool:
    """Whether a client completes a TLS handshake with us: tried once a version, then remembered.

    What cannot be tried is taken to work; a run says so where it does not.
    """
    if not genuine(started):
        return True
    note = data / "routes" / _fingerprint(started, authority)
    with suppress(OSError):
        return note.read_text(encoding="ascii") != "distrusted"
    say(f"trying {Path(started.argv[0]).name} once, in an empty home: does it trust our CA?")
    tried = attempt(started, "tls", env, authority)
    if tried.works or tried.distrusted:
        with suppress(OSError):
            note.parent.mkdir(mode=0o700, exist_ok=True)
            note.write_text("tls" if tried.works else "distrusted", encoding="ascii")
    return not tried.distrusted


def _fingerprint(started: Program, authority: Authority) -> str:
    """Of the program's files as they are, and of our certificate."""
    told = hashlib.sha256((authority.folder / "mitmproxy-ca-cert.pem").read_bytes())
    for word in started.argv[: started.own]:
        path = Path(word).resolve()
        with suppress(OSError):
            stat = path.stat()
            told.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode())
    return told.hexdigest()
