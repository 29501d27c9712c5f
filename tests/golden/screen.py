"""A client on a terminal of its own, which answers what a client asks its terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

_ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b[?u": b"\x1b[?0u",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
"""Where the cursor is, what the terminal is, which keys and colours it has."""
_SIZE = struct.pack("HHHH", 50, 160, 0, 0)


class Screen:
    """A terminal and the client on it."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, _SIZE)
        self.child = subprocess.Popen(
            ["setsid", "--wait", "--ctty", *command],
            cwd=cwd,
            env={"TERM": "xterm-256color", **env},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        self._shown = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def type(self, data: bytes) -> None:
        """Press these keys."""
        os.write(self._ours, data)

    def ended(self, limit: float) -> bytes:
        """All it has shown, once the client has ended."""
        try:
            self.child.wait(limit)
        finally:
            self.child.kill()
            self._reader.join(1)
        return bytes(self._shown)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._ours, 65536)
            except OSError:  # the client's side is closed
                return
            self._shown += data
            for asked, answer in _ANSWERS.items():
                for _ in range(data.count(asked)):
                    self.type(answer)
