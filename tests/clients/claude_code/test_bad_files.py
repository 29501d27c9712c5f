"""Files the client cannot read: the rest is built as the client builds it (golden `bad_files`)."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.turns import Prompted
from tests.clients.claude_code.place import Place


def folder(path: Path) -> None:
    path.mkdir(parents=True)


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("CLAUDE.md", folder),
        ("CLAUDE.md", os.mkfifo),
        ("CLAUDE.md", link("nowhere.md")),
        (".claude/rules/pipe.md", os.mkfifo),
        (".claude/rules/circle.md", link("circle.md")),
        (".claude/rules/back", link(".")),
        (".claude/skills", link(".")),
        (".claude/commands", link("commands")),
        (".claude/settings.json", folder),
        (".mcp.json", link("nowhere.json")),
    ],
)
def test_what_cannot_be_read_changes_nothing_else(
    name: str, make: Callable[[Path], None], tmp_path: Path
) -> None:
    place = Place(tmp_path).write({"ws/.claude/rules/fine.md": "a fine rule"})
    plain = place.body(place.begin(), Prompted(text="hello"))
    make(tmp_path / "ws" / name)
    assert place.body(place.begin(), Prompted(text="hello")) == plain


@pytest.mark.parametrize("value", ['"x"', "[1]", '{"a":1}', "null"])
def test_a_budget_of_a_wrong_type_does_not_stop_the_build(value: str, tmp_path: Path) -> None:
    files = {"ws/.claude/skills/fine/SKILL.md": "---\ndescription: a fine skill\n---\nm"}
    place = Place(tmp_path).write(files)
    plain = place.body(place.begin(), Prompted(text="hello"))
    place.write({"ws/.claude/settings.json": f'{{"skillListingBudgetFraction": {value}}}'})
    assert place.body(place.begin(), Prompted(text="hello")) == plain
