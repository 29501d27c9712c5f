"""What a text mentions (probes of Claude Code 2.1.332, `mix_mentions`)."""

import json
from pathlib import Path

import pytest

from inspector.clients.claude_code.mentions import Mention, mentions, spelled
from inspector.turns import Prompted
from tests.clients.claude_code.place import Place, texts


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("see @a.md, @b.md. @c.md", ["a.md", "b.md", "c.md"]),
        ('see @a.md and @"b c.md"', ["b c.md", "a.md"]),
        ("@src/ @. @d(x) a@b.c", ["src", "d(x"]),
        ("\u3002@a.md", ["a.md"]),
        ('@agent-one @"one (agent)" @a.md @a.md', ["a.md"]),
    ],
)
def test_quoted_names_come_first_and_others_end_with_a_word(said: str, names: list[str]) -> None:
    assert spelled(said) == names


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("@a.md#L2-3", Mention("/w/a.md", 2, 3)),
        ("@a.md#L2", Mention("/w/a.md", 2, 2)),
        ("@a.md#2-3", Mention("/w/a.md", 2, 3)),
        ("@a.md#3-2", Mention("/w/a.md")),
        ("@a.md#L3-2", Mention("/w/a.md", 3, 2)),
        ("@a.md#Head", Mention("/w/a.md")),
        ("@a#b#c", Mention("/w/a#b#c")),
    ],
)
def test_lines_and_headings_are_no_part_of_the_name(said: str, found: Mention) -> None:
    assert mentions(said, "/w") == [found]


def test_a_folder_is_listed_and_brings_no_memory_and_so_is_a_link_to_one(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path).write({"ws/it's/a.md": "a\n", "ws/it's/CLAUDE.md": "memory\n"})
    (tmp_path / "ws/link").symlink_to("it's")
    place.argv = ("-p", "see @it's and @link/")
    body = place.body(place.begin(), Prompted(text="see @it's and @link/"))
    path = f"{place.cwd}/it's"
    command = "ls '" + path.replace("'", "'\"'\"'") + "'"
    called = json.dumps({"command": command, "description": f"Lists files in {path}"})
    called = called.replace(": ", ":").replace(', "', ',"')
    first, second, *_ = body["messages"]
    assert texts(first) == [
        "<system-reminder>\nCalled the Bash tool with the following input: "
        f"{called}\n</system-reminder>"
    ]
    start = "<system-reminder>\nResult of calling the Bash tool:\n"
    shown, again, listed, *_ = texts(second)
    names = shown.removeprefix(start).removesuffix("\n</system-reminder>\n").split("\n")
    assert sorted(names) == ["CLAUDE.md", "a.md"]
    assert f'"ls {place.cwd}/link"' in again
    assert listed.rstrip("\n") == shown.rstrip("\n")
    assert texts(second)[-1] == "see @it's and @link/"
    assert not any("memory" in one for one in texts(second))
