"""Memory files in requests, as Claude Code 2.1.332 placed them (`rules_*`)."""

import os
from pathlib import Path

from inspector.clients.claude_code import CLIENT
from inspector.clients.claude_code.nested import read_by_shell
from inspector.profiles import find, resolve
from inspector.turns import Prompted
from tests.clients.claude_code.place import Place, called, texts

HEAD = (
    "<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere to these instructions."
    " IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them exactly as"
    " written.\n\n"
)


def _entries(place: Place) -> list[str]:
    block = texts(place.first()["messages"][0])[0]
    assert block.startswith(HEAD)
    inside = block.removeprefix(HEAD).removesuffix("\n</system-reminder>")
    return inside.split("\n\nContents of ")


def _paths(place: Place) -> list[str]:
    root = f"{place.root}/"
    entries = _entries(place)
    return [
        entry.removeprefix("Contents of ").partition(" (")[0].removeprefix(root)
        for entry in entries
    ]


def test_every_scope_is_read_from_the_outside_in(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {
            "home/.claude/CLAUDE.md": "user\n",
            "home/.claude/rules/u.md": "user rule\n",
            "CLAUDE.md": "above\n",
            "ws/CLAUDE.md": "root\n",
            "ws/.claude/CLAUDE.md": "dot\n",
            "ws/.claude/rules/r.md": "rule\n",
            "ws/CLAUDE.local.md": "local\n",
            "ws/AGENTS.md": "never\n",
            "ws/claude.md": "never\n",
            "ws/.claude/rules/up.MD": "never\n",
        }
    )
    assert _paths(place) == [
        "home/.claude/CLAUDE.md",
        "home/.claude/rules/u.md",
        "CLAUDE.md",
        "ws/CLAUDE.md",
        "ws/.claude/CLAUDE.md",
        "ws/.claude/rules/r.md",
        "ws/CLAUDE.local.md",
    ]


def test_an_entry_names_its_kind_and_is_trimmed(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/CLAUDE.md": "---\na: b\n---\n\n\tfirst  \n\n"})
    assert _entries(place) == [
        f"Contents of {tmp_path}/ws/CLAUDE.md (project instructions, checked into the codebase):\n\nfirst"
    ]


def test_a_rules_folder_is_read_in_the_order_of_the_file_system(tmp_path: Path) -> None:
    names = ["b.md", "Z.md", "9.md", "10.md", "a.md", ".hid.md"]
    place = Place(tmp_path).write({f"ws/.claude/rules/{name}": name for name in names})
    listed = [entry.name for entry in os.scandir(tmp_path / "ws/.claude/rules")]
    assert _paths(place) == [f"ws/.claude/rules/{name}" for name in listed]


def test_setting_sources_choose_the_scopes(tmp_path: Path) -> None:
    files = {"home/.claude/CLAUDE.md": "u\n", "ws/CLAUDE.md": "p\n", "ws/CLAUDE.local.md": "l\n"}
    place = Place(tmp_path, argv=("-p", "x", "--setting-sources", "user")).write(files)
    assert _paths(place) == ["home/.claude/CLAUDE.md"]
    place.argv = ("-p", "x", "--setting-sources", "project")
    assert _paths(place) == ["ws/CLAUDE.md"]


def test_imports_come_right_after_their_file_and_only_four_hops_deep(tmp_path: Path) -> None:
    chain = {f"ws/d{n}.md": f"@d{n + 1}.md\n" for n in range(1, 7)}
    place = Place(tmp_path).write(
        {"ws/CLAUDE.md": "@d1.md\n@../out.md\n", "out.md": "x\n", **chain}
    )
    assert _paths(place) == ["ws/CLAUDE.md", "ws/d1.md", "ws/d2.md", "ws/d3.md", "ws/d4.md"]


def test_a_second_link_to_the_same_file_is_left_out(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/.claude/rules/a.md": "rule\n", "ws/AGENTS.md": "shared\n"})
    (tmp_path / "ws/CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "ws/.claude/rules/dup.md").symlink_to("a.md")
    assert _paths(place)[0] == "ws/CLAUDE.md"
    assert len(_paths(place)) == 2


def test_excludes_are_globs_over_absolute_paths(tmp_path: Path) -> None:
    settings = '{"claudeMdExcludes":["**/.claude/CLAUDE.md"]}'
    files = {"ws/CLAUDE.md": "p\n", "ws/.claude/CLAUDE.md": "d\n", "home/.claude/CLAUDE.md": "u\n"}
    place = Place(tmp_path, argv=("-p", "x", "--settings", settings)).write(files)
    assert _paths(place) == ["ws/CLAUDE.md"]


def test_only_files_that_are_there_are_told_as_excluded(tmp_path: Path) -> None:
    settings = '{"claudeMdExcludes":["**/CLAUDE.md"]}'
    place = Place(tmp_path, argv=("-p", "x", "--settings", settings)).write({"ws/CLAUDE.md": "p\n"})
    world = place.world()
    profile = resolve(find("claude-code", "2.1.332"), CLIENT.axes(world))
    told = [item.path for item in CLIENT.missing(world, profile) if item.code == "excluded"]
    assert told == [f"{place.cwd}/CLAUDE.md"]


def test_bare_reads_no_memory(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "x", "--bare")).write({"ws/CLAUDE.md": "p\n"})
    assert place.first("x")["messages"][0]["content"] == [
        {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}
    ]


def test_a_conditional_rule_comes_once_with_the_first_file_that_matches(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {
            "ws/.claude/rules/ts.md": "---\npaths: src/**\n---\nTS\n",
            "ws/src/CLAUDE.md": "NESTED\n",
            "ws/src/a.txt": "a\n",
            "ws/src/b.txt": "b\n",
        }
    )
    session = place.begin()
    assert "TS" not in str(place.body(session, Prompted(text="hi"))["messages"])
    body = place.body(session, called(1, "Read", file_path=f"{place.cwd}/src/a.txt"))
    result, *rules = body["messages"][-1]["content"]
    assert result["content"] == "1\ta\n2\t"
    assert [rule["text"] for rule in rules] == [
        f"<system-reminder>\nContents of {place.cwd}/src/CLAUDE.md:\n\nNESTED\n\n</system-reminder>\n",
        f"<system-reminder>\nContents of {place.cwd}/.claude/rules/ts.md:\n\nTS\n\n</system-reminder>",
    ]
    again = place.body(session, called(2, "Read", file_path=f"{place.cwd}/src/b.txt"))
    assert len(again["messages"][-1]["content"]) == 1


def test_a_shell_command_that_reads_one_file_counts_as_touching_it() -> None:
    commands = {
        "cat b/x.txt": ["/w/b/x.txt"],
        "cat f; true": ["/w/f"],
        "head -n 3 f": ["/w/f"],
        "grep word f": ["/w/f"],
        "sed -n 1p f": ["/w/f"],
        "cat f | head": [],
        "cat a b": [],
        "ls": [],
        "cat e/x.txt; sed -i s/one/two/ e/x.txt": [],
        "(cat f)": [],
        "cat f > g": [],
    }
    assert {command: read_by_shell(command, "/w") for command in commands} == commands
