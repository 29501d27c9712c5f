"""What people report of skills, each from the smallest workspace that shows it; ids as in the issue log."""

from tests.reports.conftest import Desk, told

_MANY = 60
_LONG = "does one of many things that nobody remembers; " * 11


def skill(name: str, more: str = "", said: str = "does it") -> str:
    return f"---\nname: {name}\ndescription: {said}\n{more}---\nbody\n"


def test_r33_descriptions_that_the_budget_drops_are_named(desk: Desk) -> None:
    names = [f"skill-{number:02d}" for number in range(_MANY)]
    desk.put({f"ws/.claude/skills/{name}/SKILL.md": skill(name, said=_LONG) for name in names})
    items = {item["name"]: item for item in desk.explain() if item["kind"] == "skill"}
    short = "the listing is over its budget: only its name is told"
    dropped = [name for name in names if items[name]["reason"] == short]
    whole = [name for name in names if items[name]["reason"] == ""]
    assert (len(dropped) > 0, len(dropped) + len(whole)) == (True, _MANY)
    assert all(items[name]["landed"] for name in names)
    assert {items[name]["chars"] for name in dropped} == {len(names[0])}
    assert all(items[name]["chars"] > len(_LONG) for name in whole)


def test_r34_the_least_used_lose_their_descriptions_first(desk: Desk) -> None:
    names = [f"skill-{number:02d}" for number in range(_MANY)]
    desk.put({f"ws/.claude/skills/{name}/SKILL.md": skill(name, said=_LONG) for name in names})
    plain = {item["name"] for item in desk.explain() if "over its budget" in item["reason"]}
    loser = min(plain)
    desk.put(
        {
            "home/.claude.json": f'{{"skillUsage":{{"{loser}":{{"usageCount":50,"lastUsedAt":9999999999999}}}}}}'
        }
    )
    used = {item["name"] for item in desk.explain() if "over its budget" in item["reason"]}
    assert (loser in plain, loser in used, len(used)) == (True, False, len(plain))


def test_r35_each_version_has_its_own_budget(desk: Desk) -> None:
    names = [f"skill-{number:02d}" for number in range(45)]
    said = "does one of many things that nobody remembers; " * 9
    desk.put({f"ws/.claude/skills/{name}/SKILL.md": skill(name, said=said) for name in names})
    cut = {
        version: sum("description is left out" in item["reason"] for item in items)
        for version in ("2.1.88", "2.1.332")
        if (items := desk.explain(**{"client-version": version}))
    }
    assert cut == {"2.1.88": 45, "2.1.332": 0}


def test_r37_a_skill_listed_bare_says_whether_budget_or_a_setting_did_it(desk: Desk) -> None:
    desk.put(
        {
            "ws/.claude/skills/one/SKILL.md": skill("one"),
            "ws/.claude/skills/two/SKILL.md": skill("two"),
            "ws/.claude/settings.json": '{"skillOverrides":{"two":"name-only"}}',
        }
    )
    assert told(desk.explain("one", "two"), "name", "landed", "reason") == [
        ("one", True, ""),
        (
            "two",
            True,
            "the setting skillOverrides leaves it its name only (in ws/.claude/settings.json)",
        ),
    ]


def test_r42_a_skill_without_frontmatter_is_listed_by_its_folder(desk: Desk) -> None:
    desk.put({"ws/.claude/skills/bare/SKILL.md": "# The title\n\nText.\n"})
    (item,) = desk.explain("bare")
    assert (item["kind"], item["name"], item["landed"]) == ("skill", "bare", True)


def test_a_file_where_a_folder_is_expected_says_so(desk: Desk) -> None:
    desk.put({"ws/.claude/skills/loose.md": skill("loose")})
    (item,) = desk.explain(".claude/skills/loose.md")
    assert (item["landed"], item["reason"]) == (False, "a skill is a folder with a SKILL.md in it")
