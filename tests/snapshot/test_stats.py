"""Whatever makes, removes or turns a path is seen, though those that are not there are not asked."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.snapshot.stats import Stats


def made(ws: Path) -> None:
    (ws / "a" / "b").mkdir(parents=True)


def added(ws: Path) -> None:
    (ws / "a" / "b").mkdir()


def nothing(ws: Path) -> None:
    assert (ws / "a" / "b").is_dir()


def renamed(ws: Path) -> None:
    (ws / "other").rename(ws / "a")


def linked(ws: Path) -> None:
    (ws / "a").rmdir()
    (ws / "a").symlink_to("other")


@pytest.mark.parametrize(
    ("folders", "change"),
    [
        ([], made),
        (["a"], added),
        (["a", "a/b"], nothing),
        (["other", "other/b"], renamed),
        (["a", "other", "other/b"], linked),
    ],
)
def test_a_path_that_was_not_there_is_seen_once_it_is(
    tmp_path: Path, folders: list[str], change: Callable[[Path], object]
) -> None:
    for name in folders:
        (tmp_path / name).mkdir()
    path = tmp_path / "a" / "b" / "c"
    stats = Stats([str(path)])
    assert stats.changed() == []
    change(tmp_path)
    assert stats.changed() == []
    path.write_text("made")
    assert stats.changed() == [str(path)]
    stats.note(str(path))
    path.unlink()
    assert stats.changed() == [str(path)]


def test_what_a_link_leads_to_is_seen_wherever_it_is_made(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "file").symlink_to(elsewhere / "file")
    (tmp_path / "ws" / "folder").symlink_to(elsewhere / "folder")
    paths = [str(tmp_path / "ws" / "file"), str(tmp_path / "ws" / "folder" / "file")]
    stats = Stats(paths)
    assert stats.changed() == []
    (elsewhere / "folder").mkdir()
    (elsewhere / "file").write_text("made")
    assert stats.changed() == paths[:1]
    (elsewhere / "folder" / "file").write_text("made")
    assert stats.changed() == paths


def test_nothing_has_changed_says_whoever_may_look_and_a_change_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    stats = Stats(["/", "/no such file"])
    assert stats.still()
    stats.note(str(tmp_path / "a"))
    (tmp_path / "a").write_text("22")
    assert not stats.still()
    with stats._lock:
        assert not stats.still()


def test_many_paths_that_are_not_there_cost_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [f"/no such folder {number}/CLAUDE.md" for number in range(100)]
    stats, asked, real = Stats(paths), list[str](), os.stat

    def counted(path: str) -> os.stat_result:
        asked.append(path)
        return real(path)

    monkeypatch.setattr("inspector.snapshot.stats.os.stat", counted)
    assert (stats.changed(), asked) == ([], ["/"])
