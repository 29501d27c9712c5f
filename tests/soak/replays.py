"""Replays in a row, in one process: nothing is left of them, no process, port, thread or file."""

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from inspector import replay
from inspector.replay import Order
from inspector.store import Store

_ASK = """
import json, sys, urllib.request
for text in ("one", "two"):
    body = {"model": "m", "system": "s", "tools": [{"name": "A"}], "stream": True,
            "messages": [{"role": "user", "content": text}]}
    headers = {"content-type": "application/json"}
    url = "https://api.anthropic.com/v1/messages"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    assert b"answer" in urllib.request.urlopen(request, timeout=20).read()
"""
_SETTLED = 5
"""Replays after which nothing more may be added: libraries keep what they need once."""


def soak(rounds: int) -> dict[str, Any]:
    """So many replays of one recording; what each of them left behind."""
    with tempfile.TemporaryDirectory(prefix="inspector-replays-") as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        tempfile.tempdir = str(folder / "tmp")
        try:
            return _soak(folder, rounds)
        finally:
            tempfile.tempdir = None


def _soak(folder: Path, rounds: int) -> dict[str, Any]:
    agent = folder / "agent.py"
    agent.write_text(_ASK)
    (folder / "script.json").write_text('[{"text": "answer"}, {"text": "answer"}]')
    env = {
        "PATH": os.environ["PATH"],
        "HOME": name_of(folder, "home"),
        "TMPDIR": str(folder / "tmp"),
    }
    env |= {"INSPECTOR_DATA": name_of(folder, "data"), "PYTHONPATH": os.pathsep.join(sys.path)}
    store = folder / "s.db"
    _recorded(folder, store, agent, env)
    with Store.open(store, create=False) as opened:
        session = opened.find("last").id
    order = Order(session, store, (sys.executable, str(agent)), limit=60)
    fine, settled, most = 0, left(folder), 0
    for number in range(rounds):
        ended = replay.replay(order, env)
        fine += ended.exit_code == 0 and len(ended.report.reused) == 2
        if number == _SETTLED:
            settled = left(folder)
        if number > _SETTLED:
            most = max(most, *(now - then for now, then in zip(left(folder), settled, strict=True)))
    return {"replays": rounds, "matched": fine, "left behind": most}


def left(folder: Path) -> tuple[int, int, int, int]:
    """Open files and sockets, threads, child processes, temporary files."""
    children = Path("/proc/self/task") / str(os.getpid()) / "children"
    return (
        len(list(Path("/proc/self/fd").iterdir())),
        threading.active_count(),
        len(children.read_text().split()),
        len(list((folder / "tmp").rglob("*"))),
    )


def name_of(folder: Path, name: str) -> str:
    (folder / name).mkdir()
    return str(folder / name)


def _recorded(folder: Path, store: Path, agent: Path, env: dict[str, str]) -> None:
    ours = [sys.executable, "-m", "inspector", "run", "--store", str(store), "--no-mcp"]
    words = ["--mock", str(folder / "script.json"), "--", sys.executable, str(agent)]
    subprocess.run(
        [*ours, *words], env=env, cwd=folder, check=True, capture_output=True, timeout=60
    )
