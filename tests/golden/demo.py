"""Recording the sessions that come with the package, on the demo's own stage at a fixed place."""

import shutil
import subprocess
import sys
from pathlib import Path

from inspector import demo as stages
from inspector import folder
from inspector.sealing import sealed
from inspector.snapshot import SnapshotTree
from inspector.verify import verify
from tests.golden.scenario import PLACE, ROOT

CLIENTS = ("claude-code", "codex")


def record() -> int:
    """Record both clients, each in a network namespace of its own."""
    # The interpreter's path is in what is recorded: it has a fixed place, too.
    place = PLACE / "venv"
    place.unlink(missing_ok=True)
    place.symlink_to(sys.prefix)
    python = place / "bin" / "python"
    codes = [
        subprocess.run(
            ["unshare", "-n", str(python), "-m", "tests.golden.demo", client],
            cwd=ROOT,
            check=False,
        ).returncode
        for client in CLIENTS
    ]
    return max(codes)


def inside(client: str) -> None:
    """Capture, verify, seal and write one session."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    binary = stages.installed(client)
    assert binary is not None, f"{client}: not installed"
    root = PLACE / f"demo-{client}"
    shutil.rmtree(root, ignore_errors=True)
    recording = stages.capture(stages.build(client, root), binary)
    report = verify(recording, {}, SnapshotTree)
    for request in report.requests:
        print(f"{client} #{request.number} {request.kind}: exact {request.exact} {request.reason}")
    kept = sealed(recording, report, report)
    folder.write(kept, Path(ROOT / "inspector/data/recordings") / client)


if __name__ == "__main__":
    inside(sys.argv[1])
