"""The proxies that are compared, each in a process of its own, and the CPU they use."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector.capture import script

STREAM = """
class Bare:
    def responseheaders(self, flow):
        flow.response.stream = True


addons = [Bare()]
"""
OTHER = """
class Other:
    def request(self, flow):
        pass

    def response(self, flow):
        pass


addons = [Other()]
"""
"""A script of a user's that does nothing, to stand beside our own."""
BESIDE = "mitmdump + addon + script"
_MITMDUMP = Path(sys.executable).with_name("mitmdump")


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running candidate."""

    name: str
    port: int
    pid: int

    def cpu(self) -> float:
        """Seconds of CPU that all its threads have used, once it is idle."""
        before = -1.0
        while (used := self._used()) - before > 0.0005:
            before = used
            time.sleep(0.05)
        return used

    def _used(self) -> float:
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(OSError):
                total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9


def command(name: str, upstream: int, port: int, folder: Path) -> list[str]:
    """How a candidate starts."""
    where = f"http://127.0.0.1:{upstream}"
    if name == "claude-tap":
        tap = shutil.which("claude-tap") or ""
        found = [tap, "--tap-no-launch", "--tap-client", "claude", "--tap-host", "127.0.0.1"]
        found += ["--tap-port", str(port), "--tap-target", where, "--tap-no-live", "--tap-no-open"]
        return [*found, "--tap-output-dir", str(folder / "tap")]
    if name == "inspector":
        found = [sys.executable, "-m", "inspector", "proxy", "--upstream", where]
        return [*found, "--port", str(port - 1), "--store", str(folder / "store.db")]
    words = [str(_MITMDUMP), "-q", "--listen-host", "127.0.0.1", "-p", str(port)]
    words += ["--set", f"confdir={folder / 'conf'}", "--mode", f"reverse:{where}"]
    if name == "mitmdump -w":
        words += ["-w", str(folder / "flows")]
    elif name == "stream=True":
        (folder / "bare.py").write_text(STREAM, encoding="utf-8")
        words += ["-s", str(folder / "bare.py")]
    elif name in ("mitmdump + addon", BESIDE):
        words += ["-s", script.__file__, "--set", f"inspector_store={folder / 'store.db'}"]
    if name == BESIDE:
        (folder / "other.py").write_text(OTHER, encoding="utf-8")
        words += ["-s", str(folder / "other.py")]
    return words


@contextlib.contextmanager
def running(names: Sequence[str], upstream: int, folder: Path) -> Generator[list[Proxy]]:
    """All candidates at once, ready to be asked."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(_one(name, upstream, folder)) for name in names]


@contextlib.contextmanager
def _one(name: str, upstream: int, folder: Path) -> Generator[Proxy]:
    port = _port()
    own = folder / name.replace(" ", "")
    own.mkdir()
    root = str(Path(__file__).resolve().parents[2])
    env = {"PATH": os.environ["PATH"], "HOME": str(own), "INSPECTOR_DATA": str(own / "data")}
    env["PYTHONPATH"] = root
    child = subprocess.Popen(
        command(name, upstream, port, own),
        env=env,
        cwd=own,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(name, port, child)
        yield Proxy(name, port, child.pid)
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait()


def _port() -> int:
    """A free port with a free one before it: base URLs are served beside the proxy."""
    while True:
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port = int(one.getsockname()[1])
            other.bind(("127.0.0.1", port - 1))
            return port


def _wait(name: str, port: int, child: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while child.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise RuntimeError(f"{name} does not listen")
