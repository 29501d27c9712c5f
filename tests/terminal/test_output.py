"""What commands print on a terminal, and that nothing of a user's moves its cursor."""

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.commands import Run
from tests.test_diff_answers import body


def on_a_terminal(root: Path, columns: int, *words: str) -> str:
    """What a command prints on a terminal without colours."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1", "TERM": "xterm"}
    command = [sys.executable, "-m", "inspector", *words]
    with subprocess.Popen(command, stdout=theirs, cwd=root, env=environment):
        os.close(theirs)
        out = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return out.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


def test_both_sides_stand_beside_one_another_on_a_wide_terminal_and_in_one_line_else(
    root: Path, tmp_path: Path
) -> None:
    files = body(tmp_path, "a.json", "say 一 now"), body(tmp_path, "b.json", "say 二 now \x1b[2J")
    wide = on_a_terminal(root, 140, "diff", *files)
    (line,) = (line for line in wide.splitlines() if "[-一-]" in line)
    assert line.index("say [-一-] now") < line.index("say {+二+} now")
    narrow = on_a_terminal(root, 60, "diff", *files)
    assert "say [-一-]{+二+} now" in narrow
    assert "[2J" in wide + narrow
    assert "\x1b[2J" not in wide + narrow


def test_names_of_files_move_no_cursor(run: Run, tmp_path: Path) -> None:
    skill = tmp_path / "ws/.claude/skills/ev\x1b[31mil\u202e"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: x\ndescription: d\n---\n", encoding="utf-8")
    (tmp_path / "home").mkdir()
    place = ("--workspace", tmp_path / "ws", "--home", tmp_path / "home")
    _, explained, _ = run("explain", *place, "no \x1b[2J such")
    _, listed, _ = run("explain", *place)
    _, linted, _ = run("lint", tmp_path / "ws", "--home", tmp_path / "home")
    assert "ev·[31mil·" in listed + linted
    assert not set("\x1b\u202e") & set(explained + listed + linted)
