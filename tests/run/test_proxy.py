"""`inspector proxy` and programs that are pointed at it."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from inspector.store import Store
from tests.run.test_run import ASK, LIMIT, environ

READ_ONLY = "mount -t tmpfs none st; mount -o remount,ro st"


def proxied(tmp_path: Path, before: str, *programs: str) -> tuple[int, list[str], list[str]]:
    """Run programs one after the other at a proxy: its exit code, its lines, their output."""
    (tmp_path / "script.json").write_text(json.dumps([{"text": "hello"}]))
    (tmp_path / "st").mkdir()
    ours = f"{sys.executable} -m inspector proxy --store st/s.db --mock script.json --port 0 --json"
    with subprocess.Popen(
        ["unshare", "-rm", "/bin/sh", "-c", f"{before}; exec {ours}"],
        env=environ(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
    ) as proxy:  # fmt: skip
        assert proxy.stderr is not None
        first = list[str]()
        while not first or "stop with Ctrl-C" not in first[-1]:
            first.append(proxy.stderr.readline().decode().rstrip())
            assert first[-1], first
        document = read(proxy)
        outputs = [
            subprocess.run(
                [sys.executable, "-c", ASK + program],
                env=environ(tmp_path, document["env"]), capture_output=True, timeout=LIMIT, check=True,
            ).stdout.decode()
            for program in programs
        ]  # fmt: skip
        proxy.send_signal(signal.SIGTERM)
        _, err = proxy.communicate(timeout=LIMIT)
    return proxy.returncode, [*first, *err.decode().splitlines()], outputs


def read(proxy: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The JSON document the proxy printed."""
    assert proxy.stdout is not None
    text = b""
    while not text.endswith(b"\n}\n"):
        text += proxy.stdout.readline()
    document: dict[str, Any] = json.loads(text)
    return document


def test_what_comes_by_is_kept(tmp_path: Path) -> None:
    code, lines, outputs = proxied(tmp_path, "true", "print(len(ask()) > 9)")
    with Store.open(tmp_path / "st" / "s.db", create=False) as store:
        (session,) = store.sessions()
    assert (code, outputs) == (0, ["True\n"])
    assert lines == [
        "inspector: capturing into st/s.db; stop with Ctrl-C",
        f"inspector: session {session.id}: other, route tls, 1 model call in 1 exchange;"
        f" next: inspector show {session.id}",
    ]


def test_where_nothing_can_be_stored_traffic_goes_on_and_that_is_said_once(tmp_path: Path) -> None:
    code, lines, outputs = proxied(tmp_path, READ_ONLY, "print(len(ask()) > 9)")
    assert (code, outputs) == (3, ["True\n"])
    assert [line.split(" (")[0] for line in lines] == [
        "inspector: storing failed",
        "inspector: capturing into st/s.db; stop with Ctrl-C",
        "inspector: nothing kept of 1 exchange",
    ]
    assert lines[0].endswith("; traffic goes on, kept once that is mended")
