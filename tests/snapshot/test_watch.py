"""Later versions are kept with their time, within a budget, off the caller's thread."""

import os
import threading
from dataclasses import replace
from pathlib import Path

from inspector.session import FileVersion, FolderVersion, Snapshot
from inspector.snapshot import DiskTree, SnapshotTree, Watch
from inspector.workspace import Environment

T1, T2, T3 = (f"2026-11-29T1{hour}:00:00.000+00:00" for hour in range(3))


def started(ws: Path, *names: str) -> Snapshot:
    environment = Environment(
        client="codex", version="1", cwd=str(ws), home="/h", config_home="/h", date="2026-11-29"
    )
    tree = DiskTree()
    return Snapshot(
        environment,
        {str(ws / name): (FileVersion("", tree.read(str(ws / name))),) for name in names},
        {str(ws): (FolderVersion("", tree.list(str(ws))),)},
    )


def test_a_changed_file_gets_a_version_and_an_unchanged_one_none(tmp_path: Path) -> None:
    for name in ("a", "b", "gone"):
        (tmp_path / name).write_text("1")
    watch = Watch(started(tmp_path, "a", "b", "gone", "new"), seconds=60)
    (tmp_path / "a").write_text("2")
    watch.look(T1)
    watch.settle()
    (tmp_path / "gone").unlink()
    (tmp_path / "new").write_text("here")
    (tmp_path / "b").write_text("1")
    watch.look(T2)
    found = watch.close()
    assert {Path(path).name: versions for path, versions in found.files.items()} == {
        "a": (FileVersion("", b"1"), FileVersion(T1, b"2")),
        "b": (FileVersion("", b"1"),),
        "gone": (FileVersion("", b"1"), FileVersion(T2, None)),
        "new": (FileVersion("", None), FileVersion(T2, b"here")),
    }
    assert [version.at for version in found.folders[str(tmp_path)]] == ["", T2]
    assert found.notes == ()


def test_a_quick_second_change_of_equal_size_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("1")
    watch = Watch(started(tmp_path, "a"), seconds=60)
    for number, at in enumerate((T1, T2, T3), 2):
        file.write_text(str(number))
        times = file.stat()
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        watch.look(at)
        watch.settle()
    assert [version.data for version in watch.close().files[str(file)]] == [b"1", b"2", b"3", b"4"]


def test_a_named_file_is_kept_with_the_rules_of_the_folders_above_it(tmp_path: Path) -> None:
    below = tmp_path / "src" / "deep"
    (below / ".claude" / "rules").mkdir(parents=True)
    for name in (
        "src/CLAUDE.md",
        "src/deep/AGENTS.md",
        "src/deep/.claude/rules/r.md",
        "src/deep/code.py",
        "src/deep/other.py",
    ):
        (tmp_path / name).write_text(name)
    watch = Watch(started(tmp_path), seconds=60)
    watch.look(T1, ["src/deep/code.py"])
    watch.settle()
    (below / "code.py").write_text("new")
    watch.look(T2)
    found = watch.close()
    held = {os.path.relpath(path, tmp_path): versions for path, versions in found.files.items()}
    assert held["src/deep/code.py"] == (
        FileVersion(T1, b"src/deep/code.py"),
        FileVersion(T2, b"new"),
    )
    assert held["src/deep/.claude/rules/r.md"] == (FileVersion(T1, b"src/deep/.claude/rules/r.md"),)
    assert held["src/CLAUDE.md"] == (FileVersion(T1, b"src/CLAUDE.md"),)
    assert held["src/CLAUDE.local.md"] == (FileVersion(T1, None),)
    assert "src/deep/other.py" not in held
    tree = SnapshotTree(found, T2)
    assert tree.read(f"{below}/missing.md") is None
    assert [entry.name for entry in tree.list(str(tmp_path / "src")) or ()] != []


def test_a_named_file_outside_the_working_directory_is_kept(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "other").write_text("o")
    watch = Watch(started(tmp_path / "ws"), seconds=60)
    watch.look(T1, [str(tmp_path / "other")])
    assert watch.close().files[str(tmp_path / "other")] == (FileVersion(T1, b"o"),)


def test_what_has_no_room_is_said_and_looked_at_next_time(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    watch = Watch(replace(started(tmp_path, "a"), folders={}), seconds=60, largest=0)
    (tmp_path / "a").write_text("22")
    watch.look(T1)
    found = watch.settle()
    assert found.files[str(tmp_path / "a")] == (FileVersion("", b"1"),)
    assert found.notes == (
        f"{T1}: over the budget of 60 s and 0 bytes, not looked at: {tmp_path / 'a'}",
    )
    watch._largest = 10**6
    watch.look(T2)
    assert watch.close().files[str(tmp_path / "a")][-1] == FileVersion(T2, b"22")


def test_a_named_file_that_time_leaves_out_is_said_and_looked_at_next_time(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    watch = Watch(started(tmp_path), seconds=0.0)
    watch.look(T1, ["a"])
    found = watch.settle()
    assert str(tmp_path / "a") not in found.files
    assert found.notes == (
        f"{T1}: over the budget of 0 s and 50000000 bytes, not looked at: {tmp_path / 'a'}",
    )
    watch._seconds = 60
    watch.look(T2)
    assert watch.close().files[str(tmp_path / "a")] == (FileVersion(T2, b"1"),)


def test_no_time_is_too_short_for_rules_skills_and_what_was_read_at_the_start(
    tmp_path: Path,
) -> None:
    skill = tmp_path / "sub" / ".claude" / "skills" / "s" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    (tmp_path / "sub" / "CLAUDE.md").write_text("rule")
    (tmp_path / "start").write_text("1")
    skill.write_text("skill")
    watch = Watch(started(tmp_path, "start"), seconds=0.0)
    (tmp_path / "start").write_text("2")
    watch.look(T1, ["sub/a"])
    watch.settle()
    skill.write_text("changed")
    watch.look(T2)
    found = watch.close()
    assert found.files[str(tmp_path / "start")][-1] == FileVersion(T1, b"2")
    assert found.files[str(tmp_path / "sub" / "CLAUDE.md")] == (FileVersion(T1, b"rule"),)
    assert [version.data for version in found.files[str(skill)]] == [b"skill", b"changed"]


def test_looking_returns_at_once_and_closing_ends_the_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    watch = Watch(started(tmp_path), seconds=60)
    assert len(set(threading.enumerate()) - before) == 1
    watch.look(T1)
    watch.close()
    assert set(threading.enumerate()) == before


def test_a_file_named_again_is_looked_at_again_where_it_changed(tmp_path: Path) -> None:
    file = tmp_path / "src" / "a"
    file.parent.mkdir()
    file.write_text("1")
    watch = Watch(started(tmp_path), seconds=60)
    for at, text in ((T1, "1"), (T2, "22"), (T3, "22")):
        file.write_text(text)
        watch.look(at, ["src/a", str(file)])
        watch.settle()
    assert (watch.knows(["src/a"]), watch.knows(["src/a", "src/b"])) == (True, False)
    found = watch.close()
    assert found.files[str(file)] == (FileVersion(T1, b"1"), FileVersion(T2, b"22"))


def test_each_look_tells_its_news_and_joined_they_are_the_snapshot(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("1")
    start, news = started(tmp_path, "a", "b"), list[Snapshot]()
    watch = Watch(start, seconds=60, news=news.append)
    watch.look(T1)  # nothing changed
    watch.settle()
    for at, name in ((T1, "a"), (T2, "b"), (T3, "a")):
        (tmp_path / name).write_text(at)
        watch.look(at)
        watch.settle()
    found = watch.close()
    joined = start
    for one in news:
        joined = joined.joined(one)
    assert joined == found
    assert [
        [(Path(path).name, *versions) for path, versions in one.files.items()] for one in news
    ] == [
        [("a", FileVersion(T1, T1.encode()))],
        [("b", FileVersion(T2, T2.encode()))],
        [("a", FileVersion(T3, T3.encode()))],
    ]


def test_a_fault_of_a_look_is_told_as_a_note(tmp_path: Path) -> None:
    news = list[Snapshot]()
    (tmp_path / "a").write_text("1")
    watch = Watch(started(tmp_path, "a"), seconds=60, news=news.append)
    for text in ("22", "333"):
        (tmp_path / "a").write_text(text)
        watch.look("no moment", [str(tmp_path / "b")])
        watch.settle()
    watch.close()
    assert [len(one.notes) for one in news] == [1]
    assert news[0].notes[0].startswith("looking again failed: Invalid isoformat")
