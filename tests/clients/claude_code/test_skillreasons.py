"""Why skills on disk are not told to the model (`skills_sources`, `skills_names`)."""

import json
from pathlib import Path

from inspector.clients.claude_code.skillreasons import reasons
from tests.clients.claude_code.place import Place


def _front(*lines: str) -> str:
    return "\n".join(["---", *lines, "---", "body", ""])


def test_each_skill_that_is_not_told_has_a_reason(tmp_path: Path) -> None:
    settings = {"disableBundledSkills": True, "skillOverrides": {"off": "off", "bare": "name-only"}}
    place = Place(tmp_path, argv=("-p", "x", "--settings", json.dumps(settings))).write(
        {
            "home/.claude/skills/both/SKILL.md": _front("description: first"),
            "ws/.claude/skills/both/SKILL.md": _front("description: second"),
            "ws/.claude/skills/people/SKILL.md": _front("disable-model-invocation: true"),
            "ws/.claude/skills/cond/SKILL.md": _front("paths: src/**"),
            "ws/.claude/skills/off/SKILL.md": _front("description: off"),
            "ws/.claude/skills/bare/SKILL.md": _front("description: bare"),
            "ws/.claude/skills/long/SKILL.md": _front(f"description: {'d' * 1600}"),
            "ws/.claude/skills/<odd>/SKILL.md": _front("description: odd"),
            "ws/.claude/skills/synced/SKILL.md": _front("description: reserved"),
            "ws/.claude/skills/empty/readme.md": "x",
            "ws/.claude/skills/flat.md": "x",
            "ws/.claude/commands/pack/SKILL.md": _front("description: pack"),
            "ws/.claude/commands/pack/more.md": "x",
            "ws/.claude/commands/both.md": "x",
            "ws/.claude/skills/told/SKILL.md": _front("description: told"),
        }
    )
    (tmp_path / "ws/.claude/skills/link").symlink_to("told")
    root = f"{place.cwd}/.claude"
    user = f"{tmp_path}/home/.claude/skills/both/SKILL.md"
    found = {
        (one.kind, one.name, one.path.removeprefix(root), one.reason, one.detail.removeprefix(root))
        for one in reasons(place.world(), place.profile())
    }
    assert found == {
        ("skill", "told", "/skills/told/SKILL.md", "duplicate", "/skills/link/SKILL.md"),
        ("skill", "both", "/skills/both/SKILL.md", "name-taken", user),
        ("command", "both", "/commands/both.md", "name-taken", user),
        ("skill", "people", "/skills/people/SKILL.md", "for-people-only", ""),
        ("skill", "cond", "/skills/cond/SKILL.md", "waits-for-a-file", "src"),
        ("skill", "off", "/skills/off/SKILL.md", "switched-off", ""),
        ("skill", "bare", "/skills/bare/SKILL.md", "name-only-by-setting", ""),
        ("skill", "long", "/skills/long/SKILL.md", "cut", ""),
        ("skill", "<odd>", "/skills/<odd>/SKILL.md", "name-refused", ""),
        ("skill", "synced", "/skills/synced", "name-reserved", ""),
        ("skill", "empty", "/skills/empty/SKILL.md", "no-skill-file", ""),
        ("skill", "flat.md", "/skills/flat.md", "not-in-a-folder", ""),
        ("command", "pack:more.md", "/commands/pack/more.md", "beside-a-pack", ""),
    }


def test_over_its_budget_a_listing_names_the_skills_that_lost_their_words(tmp_path: Path) -> None:
    files = {f"ws/.claude/skills/s{n}/SKILL.md": _front(f"description: {'d' * 50}") for n in (1, 2)}
    uses = {"skillUsage": {"s2": {"usageCount": 3, "lastUsedAt": 0}}}
    place = Place(
        tmp_path,
        argv=("-p", "x", "--settings", '{"disableBundledSkills":true}'),
        env={"SLASH_COMMAND_TOOL_CHAR_BUDGET": "350"},
    ).write({**files, "home/.claude.json": json.dumps(uses)})
    found = [(one.name, one.reason) for one in reasons(place.world(), place.profile())]
    assert found == [("s1", "over-budget")]


def test_a_version_that_keeps_twins_and_knows_no_overrides_leaves_none_out(tmp_path: Path) -> None:
    settings = {"skillOverrides": {"off": "off"}}
    place = Place(tmp_path, argv=("-p", "x"), version="2.1.78").write(
        {
            "home/.claude/settings.json": json.dumps(settings),
            "home/.claude/skills/both/SKILL.md": _front("description: first"),
            "ws/.claude/skills/both/SKILL.md": _front("description: second"),
            "ws/.claude/skills/off/SKILL.md": _front("description: off"),
            "ws/.claude/skills/cond/SKILL.md": _front("paths: [src/**]"),
        }
    )
    assert reasons(place.world(), place.profile()) == ()
