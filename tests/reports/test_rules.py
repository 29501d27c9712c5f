"""What people report of rules, each from the smallest workspace that shows it; ids as in the issue log."""

from typing import Any

from tests.reports.conftest import Desk, told


def reads(path: str) -> dict[str, Any]:
    """Turns in which the model reads one file."""
    call = {"type": "called", "id": "toolu_1", "name": "Read", "input": {"file_path": path}}
    return {
        "schema_version": 1,
        "client": "claude-code",
        "version": "2.1.332",
        "turns": [
            {"events": [{"type": "prompted", "text": "go"}]},
            {"events": [{"type": "replied", "id": "msg_1", "blocks": [call]}]},
        ],
    }


def test_r20_a_rule_reached_as_the_users_and_as_an_ancestors_stands_once(desk: Desk) -> None:
    desk.put({"home/.claude/rules/a.md": "Be brief.\n", "home/ws/x.txt": "x\n"})
    items = desk.explain("home/.claude/rules/a.md", cwd="home/ws")
    assert told(items, "landed", "reason") == [(True, "")]
    assert len(items[0]["places"]) == 1


def test_r27_an_import_below_the_working_directory_waits_with_its_file(desk: Desk) -> None:
    desk.put({"ws/sub/CLAUDE.md": "Sub.\n@~/x.md\n", "home/x.md": "From home.\n"})
    desk.put({"ws/sub/f.py": "pass\n"})
    waiting = desk.explain("sub/CLAUDE.md")
    where = "it waits until a file below ws/sub is touched"
    assert told(waiting, "kind", "landed", "reason") == [("rule", False, where)]
    turns = reads(str(desk.root / "ws/sub/f.py"))
    items = desk.explain("sub/CLAUDE.md", "../home/x.md", turns=turns)
    assert told(items, "landed", "reason") == [
        (True, ""),
        (False, "it lies outside the working directory, and nobody allowed that"),
    ]


def test_r41_a_skill_below_the_working_directory_is_found_once_a_file_there_is_read(
    desk: Desk,
) -> None:
    desk.put({"ws/sub/.claude/skills/far/SKILL.md": "---\nname: far\ndescription: far\n---\n"})
    desk.put({"ws/sub/f.py": "pass\n"})
    where = "it waits until a file below ws/sub is touched"
    waiting = [item for item in desk.explain() if item["name"] == "far"]
    assert told(waiting, "kind", "landed", "reason") == [("skill", False, where)]
    turns = reads(str(desk.root / "ws/sub/f.py"))
    (found,) = desk.explain("sub/.claude/skills/far/SKILL.md", turns=turns)
    assert (found["landed"], found["places"][0]["exchange"]) == (True, "m2")


def test_r29_a_linked_settings_folder_is_read(desk: Desk) -> None:
    desk.put({"dots/claude/CLAUDE.md": "Be brief.\n", "dots/claude/rules/a.md": "A rule.\n"})
    desk.put({"home/keep": ""})
    (desk.root / "home/.claude").symlink_to(desk.root / "dots/claude")
    assert told(desk.explain(), "landed", "chars", "reason") == [(True, 9, ""), (True, 7, "")]


def test_r24_a_rule_with_paths_waits_and_says_for_what(desk: Desk) -> None:
    rule = '---\npaths: ["src/**"]\n---\nOnly for sources.\n'
    desk.put({"ws/.claude/rules/src.md": rule, "ws/src/x.txt": "x\n"})
    items = desk.explain(".claude/rules/src.md")
    assert told(items, "kind", "landed", "reason") == [
        ("rule", False, "it waits until a file is touched that matches src"),
    ]


def test_r25_an_import_of_an_ancestors_memory_says_what_became_of_it(desk: Desk) -> None:
    desk.put({"ws/demo/CLAUDE.md": "Demo.\n@RULES.md\n", "ws/demo/RULES.md": "Imported.\n"})
    items = desk.explain("RULES.md", cwd="ws/demo/sub")
    assert told(items, "landed", "reason") == [
        (False, "it lies outside the working directory, and nobody allowed that"),
    ]
    inside = desk.explain("RULES.md", cwd="ws/demo")
    assert told(inside, "landed", "reason") == [(True, "")]


def test_r30_agents_md_beside_claude_md_is_not_read_and_an_import_brings_it_in(desk: Desk) -> None:
    desk.put({"ws/CLAUDE.md": "See [the rules](AGENTS.md).\n", "ws/AGENTS.md": "Agents' rule.\n"})
    (inert,) = desk.explain("AGENTS.md")
    why = "the client reads CLAUDE.md; import this file there with @AGENTS.md"
    assert (inert["landed"], inert["reason"]) == (False, why)
    desk.put({"ws/CLAUDE.md": "@AGENTS.md\n"})
    (read,) = desk.explain("AGENTS.md")
    assert (read["landed"], read["chars"]) == (True, 13)


def test_r32_the_instruction_files_stand_in_the_order_they_were_loaded(desk: Desk) -> None:
    desk.put(
        {
            "home/.claude/CLAUDE.md": "Of the user.\n",
            "ws/CLAUDE.md": "Of the project.\n",
            "ws/CLAUDE.local.md": "Of mine alone.\n",
            "ws/.claude/rules/a.md": "A rule.\n",
        }
    )
    rules = [item for item in desk.explain() if item["kind"] == "rule"]
    assert told(rules, "path", "chars", "landed") == [
        ("home/.claude/CLAUDE.md", 12, True),
        ("ws/CLAUDE.md", 15, True),
        ("ws/.claude/rules/a.md", 7, True),
        ("ws/CLAUDE.local.md", 14, True),
    ]


def test_r21_a_worktree_inside_the_project_loads_no_rule_twice(desk: Desk) -> None:
    rule = {"a.md": "Rule of the project.\n"}
    tree = "ws/.claude/worktrees/w"
    desk.put(
        {f"{at}/.claude/rules/{name}": text for at in ("ws", tree) for name, text in rule.items()}
    )
    items = desk.explain("Rule of the project.", cwd=tree)
    assert [item["landed"] for item in items] == [True]
