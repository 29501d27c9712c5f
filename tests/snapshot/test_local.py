"""Disks of elsewhere are known by their file system's name."""

from pathlib import Path

import pytest

from inspector.snapshot.local import local

ROWS = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
40 27 0:50 / /home/a\040b rw,relatime shared:7 master:2 - nfs4 host:/home rw
41 27 0:51 / /mnt/c rw - fuse.sshfs host: rw
a line of another form
"""


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["/", "/home", "/home/a", "/mnt/cd"], True),
        (["/", "/home/a b"], False),
        (["/home/a b/ws"], False),
        (["/mnt/c/x"], False),
        ([], True),
    ],
)
def test_a_path_is_local_unless_another_machine_answers_for_it(
    tmp_path: Path, paths: list[str], found: bool
) -> None:
    (tmp_path / "mounts").write_text(ROWS)
    assert local(paths, str(tmp_path / "mounts")) is found


def test_nothing_is_local_where_the_system_does_not_tell(tmp_path: Path) -> None:
    assert local(["/"], str(tmp_path / "none")) is False
