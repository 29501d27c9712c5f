"""Each rule of the client that keeps something out is named, with the file that says so."""

import json
from pathlib import Path

from tests.reports.conftest import Desk, told

_SKILL = "---\nname: {0}\ndescription: skill {0}\n---\nx\n"


def test_what_a_setting_keeps_out_names_the_setting_and_its_file(desk: Desk) -> None:
    settings = {
        "claudeMdExcludes": ["**/secret.md"],
        "permissions": {"deny": ["Read(./other/**)", "Bash", "Read(./CLAUDE.local.md)"]},
        "disabledMcpjsonServers": ["off"],
        "skillOverrides": {"one": "off", "two": "user-invocable-only"},
    }
    servers = {name: {"command": "true"} for name in ("off", "unasked")}
    desk.put(
        {
            "ws/.claude/settings.json": json.dumps(settings),
            "ws/.claude/rules/secret.md": "secret\n",
            "ws/CLAUDE.local.md": "local\n",
            "ws/.mcp.json": json.dumps({"mcpServers": servers}),
            **{f"ws/.claude/skills/{n}/SKILL.md": _SKILL.format(n) for n in ("one", "two")},
        }
    )
    where = "in ws/.claude/settings.json"
    assert {
        (name, reason) for name, landed, reason in told(desk.explain(), *_TOLD) if not landed
    } == {
        ("secret.md", f"the setting claudeMdExcludes names it ({where})"),
        (
            "CLAUDE.local.md",
            f"a permission rule denies reading it (Read(./CLAUDE.local.md) {where})",
        ),
        ("off", f"a setting switches it off (disabledMcpjsonServers {where})"),
        ("one", f"a setting switches it off (skillOverrides {where})"),
        ("two", f"the setting skillOverrides keeps it from the model ({where})"),
        (
            "unasked",
            "nothing tells what it offers; `inspector mcp snapshot` asks it, --listings gives that",
        ),
    }


_TOLD = ("name", "landed", "reason")


def test_a_linked_rule_that_was_read_before_says_as_what(desk: Desk) -> None:
    desk.put({"ws/.claude/rules/one.md": "one\n"})
    Path(desk.root / "ws/.claude/rules/two.md").symlink_to("one.md")
    assert told(desk.explain(".claude/rules/two.md"), *_TOLD) == [
        ("two.md", False, "the same file was reached as ws/.claude/rules/one.md")
    ]
