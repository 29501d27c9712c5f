"""Whether paths are on disks of this machine: only those answer at once, always."""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_MOUNTS = "/proc/self/mountinfo"
_ELSEWHERE = re.compile(r"nfs|cifs|smb|fuse|9p|afs|ceph|gluster|lustre|autofs|virtiofs|drvfs|vbox")
"""Names of file systems that another machine or a program answers for."""
_ESCAPE = re.compile(r"\\([0-7]{3})")


def local(paths: Iterable[str], mounts: str = _MOUNTS) -> bool:
    """Whether all of some paths are on disks of this machine; false where nobody tells."""
    far = _far(Path(mounts))
    if far is None:
        return False
    return not far or not any(f"{os.path.realpath(path)}/".startswith(far) for path in paths)


def _far(mounts: Path) -> tuple[str, ...] | None:
    """Where file systems of elsewhere are mounted; None where the system does not say."""
    with suppress(OSError):
        rows = [row.split() for row in mounts.read_text("utf-8", "replace").splitlines()]
        return tuple(
            f"{_ESCAPE.sub(lambda found: chr(int(found[1], 8)), row[4]).rstrip('/')}/"
            for row in rows
            if "-" in row and _ELSEWHERE.search(row[row.index("-") + 1])
        )
    return None
