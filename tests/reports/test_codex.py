"""What people report of Codex's rules and skills, each from the smallest workspace; ids as in the issue log."""

from typing import Any

from tests.reports.conftest import Desk, told


def codex(desk: Desk, *asked: str, cwd: str = "ws") -> list[dict[str, Any]]:
    (desk.root / "ws/.git").mkdir(parents=True, exist_ok=True)
    return desk.explain(*asked, cwd=cwd, client="codex")


def test_r63_the_nearest_file_is_cut_since_the_chain_shares_one_budget(desk: Desk) -> None:
    desk.put(
        {
            "home/.codex/AGENTS.md": "g" * 50_000,
            "ws/AGENTS.md": "r" * 32_500,
            "ws/sub/AGENTS.md": f"{'s' * 200}\n# Kept?\n{'t' * 100}\n# Lost\n{'u' * 100}\n",
        }
    )
    rules = [item for item in codex(desk, cwd="ws/sub") if item["kind"] == "rule"]
    assert told(rules, "path", "chars", "truncated_at") == [
        ("home/.codex/AGENTS.md", 50_000, None),
        ("ws/AGENTS.md", 32_500, None),
        ("ws/sub/AGENTS.md", 268, 268),
    ]
    assert rules[2]["reason"] == (
        "cut after byte 268 (line 3) of 418: the budget ends there; the first heading lost is “# Lost”"
    )


def test_r63_a_cut_inside_a_character_leaves_a_mark(desk: Desk) -> None:
    desk.put({"ws/AGENTS.md": "r" * 32_767 + "é and more\n"})
    (item,) = codex(desk, "AGENTS.md")
    assert (item["chars"], item["truncated_at"]) == (32_768, 32_768)
    (mark,) = codex(desk, "r\N{REPLACEMENT CHARACTER}")
    assert mark["landed"]


def test_r64_the_global_file_is_read_and_folders_above_the_root_are_not(desk: Desk) -> None:
    desk.put(
        {
            "home/.codex/AGENTS.md": "Global.\n",
            "AGENTS.md": "Above the root.\n",
            "ws/AGENTS.md": "Root.\n",
            "ws/AGENTS.override.md": "Override.\n",
        }
    )
    asked = ("home/.codex/AGENTS.md", "../AGENTS.md", "ws/AGENTS.md", "AGENTS.override.md")
    assert told(codex(desk, *asked), "landed", "reason") == [
        (True, ""),
        (
            False,
            "the client does not look for a file of this name there, and nothing brought it in",
        ),
        (False, "AGENTS.override.md beside it is read in its place"),
        (True, ""),
    ]


def test_r43_of_many_skills_each_says_what_is_left_of_it(desk: Desk) -> None:
    names = [f"skill-{number:03d}" for number in range(119)]
    head = "---\nname: {}\ndescription: {}\n---\nbody\n"
    desk.put({f"ws/.agents/skills/{name}/SKILL.md": head.format(name, "d" * 300) for name in names})
    skills = [item for item in codex(desk) if item["kind"] == "skill"]
    assert (len(skills), all(item["landed"] for item in skills)) == (119, True)
    reasons = {item["reason"].removeprefix("the listing is over its budget: ") for item in skills}
    kept = {int(reason.partition(" of 300 characters are told")[0]) for reason in reasons}
    names_and_space = len(names[0])
    assert {item["chars"] - names_and_space for item in skills} == kept
    # A token stands for four bytes, so a share may be that much longer.
    assert (max(kept) < 300, max(kept) - min(kept) <= 4) == (True, True)
