"""What is said where a path leads to no file (Claude Code 2.1.332, `results_errors`)."""

from pathlib import Path

import pytest

from inspector import profiles
from inspector.clients.claude_code import nofile
from tests.clients.claude_code.place import Place


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("ws/src/index.js", " Did you mean index.ts?"),
        ("src/index.ts", " Did you mean {cwd}/src/index.ts?"),
        ("ws/src/other.js", ""),
    ],
)
def test_a_file_of_a_like_name_or_below_the_working_directory_is_meant(
    tmp_path: Path, path: str, said: str
) -> None:
    place = Place(tmp_path).write({"ws/src/index.ts": "x\n"})
    profile = profiles.resolve(profiles.find("claude-code", "2.1.332"), {})
    found = nofile.meant(profile, place.world(), f"{tmp_path}/{path}")
    assert str(found) == said.format(cwd=place.cwd)


def test_links_that_lead_on_and_on_and_files_in_the_place_of_folders_are_told_apart(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path).write({"ws/a.txt": "x\n"})
    (tmp_path / "ws/loop").symlink_to("loop")
    (tmp_path / "ws/broken").symlink_to("nowhere")
    names = ("loop", "broken", "a.txt/child", "none")
    world = place.world()
    assert [nofile.circular(world, f"{place.cwd}/{name}") for name in names] == [
        True,
        False,
        False,
        False,
    ]
    assert [nofile.below_a_file(world, f"{place.cwd}/{name}") for name in names] == [
        False,
        False,
        True,
        False,
    ]
