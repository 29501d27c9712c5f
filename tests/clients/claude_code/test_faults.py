"""What the client reads otherwise than its author meant is said, each file with the reason."""

import json
from dataclasses import replace
from pathlib import Path

from inspector.cli.given import Placed
from inspector.clients.claude_code.why_not import why_not
from inspector.turns import Prompted
from tests.clients.claude_code.place import CLIENT, Place


def test_frontmatter_that_is_no_yaml_is_a_fault_with_its_line(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {
            "ws/.claude/skills/good/SKILL.md": "---\ndescription: fine\n---\nbody",
            "ws/.claude/skills/bad/SKILL.md": "---\ndescription: [open\n---\nbody",
            "ws/.claude/agents/bad.md": '---\nname: a\ndescription: "b\n---\nbody',
            "ws/.claude/rules/bad.md": "---\npaths: {\n---\nbody",
        }
    )
    folder = f"{place.cwd}/.claude"
    assert CLIENT.faults(place.world()) == (
        f"{folder}/skills/bad/SKILL.md: its frontmatter is no YAML (line 3: while parsing a flow"
        " sequence, expected ',' or ']', but got '<stream end>'); mended and read by the client",
        f"{folder}/agents/bad.md: its frontmatter is no YAML (line 3: while scanning a quoted"
        " scalar, found unexpected end of stream); left out by the client",
        f"{folder}/rules/bad.md: its frontmatter is no YAML (line 3: while parsing a flow node,"
        " expected the node content, but found '<stream end>'); mended and read by the client",
    )


def test_a_file_whose_name_is_no_utf_8_is_left_out_and_said(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/.claude/rules/a.md": "plain", "ws/CLAUDE.md": "memory"})
    plain = place.body(place.begin(), Prompted(text="hello"))
    odd = "\udcff"
    head = "---\nname: odd\ndescription: odd\n---\nbody"
    place.write(
        {
            f"ws/.claude/rules/n{odd}.md": "odd",
            f"ws/.claude/commands/n{odd}.md": "odd",
            f"ws/.claude/agents/n{odd}.md": head,
            f"ws/.claude/skills/n{odd}/SKILL.md": head,
        }
    )
    assert place.body(place.begin(), Prompted(text="hello")) == plain
    said = "its name is no UTF-8; left out by the client"
    assert CLIENT.faults(place.world()) == tuple(
        f"'{place.cwd}/.claude/{name}': {said}"
        for name in (
            r"agents/n\udcff.md",
            r"commands/n\udcff.md",
            r"rules/n\udcff.md",
            r"skills/n\udcff",
        )
    )


def test_configuration_that_is_no_json_and_memory_that_is_a_folder_are_said(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path).write(
        {
            "ws/.claude/settings.json": '{"a": 1\n"b": 2}',
            "ws/.claude/settings.local.json": "[]",
            "ws/.mcp.json": "no",
            "ws/CLAUDE.md/inside.txt": "x",
        }
    )
    assert CLIENT.faults(place.world()) == (
        f"{place.cwd}/.claude/settings.json: no JSON object (line 2: expecting ',' delimiter);"
        " the client goes on without it",
        f"{place.cwd}/.claude/settings.local.json: no JSON object; the client goes on without it",
        f"{place.cwd}/.mcp.json: no JSON object (line 1: expecting value); the client goes on without it",
        f"{place.cwd}/CLAUDE.md: a folder, not a file; the client goes on without it",
    )


def test_servers_that_are_passed_over_are_said_each_with_its_entry(tmp_path: Path) -> None:
    entries: dict[str, object] = {
        "good": {"command": "python3"},
        "list": [],
        "kind": {"type": "pipe", "command": "x"},
        "none": {"args": []},
        "args": {"command": "x", "args": [1]},
        "far": {"type": "http"},
        "wait": {"command": "x", "timeout": 0},
    }
    inline = '{"mcpServers":{"inner":{"type":"sse","url":7}}}'
    place = Place(tmp_path, argv=("-p", "hello", "--mcp-config", inline)).write(
        {"ws/.mcp.json": json.dumps({"mcpServers": entries})}
    )
    file, over = f"{place.cwd}/.mcp.json: MCP server", "passed over by the client"
    assert CLIENT.faults(place.world()) == (
        f"{file} list: it is no object; {over}",
        f"{file} kind: its type is none of http, sse, stdio, streamable-http, ws; {over}",
        f"{file} none: its command is missing or no text; {over}",
        f"{file} args: its args is no list of texts; {over}",
        f"{file} far: its url is missing or no text; {over}",
        f"{file} wait: its timeout is no whole number above 0; {over}",
        f"--mcp-config: MCP server inner: its url is missing or no text; {over}",
    )


def test_permission_rules_that_hold_for_nothing_are_said_once(tmp_path: Path) -> None:
    rules = ["Read(//x/**)", "Bash(git:*)", "mcp__a", "mcp__a__b", "mcp__*", "Task"]
    odd = ["Read(/x", "", 7, "Reed(/x)", "mcp__b__c", "Reed(/x)"]
    place = Place(tmp_path, argv=("-p", "hello", "--allowedTools", "Bash,Edt(x y)")).write(
        {
            "ws/.mcp.json": '{"mcpServers":{"a":{"command":"x"}}}',
            "ws/.claude/settings.json": json.dumps({"permissions": {"deny": [*rules, *odd]}}),
            "home/.claude/settings.json": '{"permissions":{"allow":["mcp__elsewhere"]}}',
        }
    )
    file, idle = f"{place.cwd}/.claude/settings.json: permission rule", "it holds for nothing"
    assert CLIENT.faults(place.world()) == (
        f"{file} Read(/x: its bracket does not close; {idle}",
        f"{file} : it begins with no tool; {idle}",
        f"{file} 7: it is no text; {idle}",
        f"{file} Reed(/x): it names nothing: the client has no such tool; {idle}",
        f"{file} mcp__b__c: it names nothing: no such MCP server is configured; {idle}",
        f"--allowedTools: permission rule Edt(x y): it names nothing: the client has no such tool; {idle}",
    )


def test_permission_rules_are_told_with_the_file_they_stand_in(tmp_path: Path) -> None:
    deny = '{"permissions":{"deny":["Nope"]}}'
    place = Place(tmp_path, argv=("-p", "hello", "--settings", "more.json")).write(
        {
            "ws/more.json": deny,
            "etc/managed-settings.json": deny,
            "etc/managed-settings.d/10-more.json": deny,
        }
    )
    world = replace(place.world(), tree=Placed((("/etc/claude-code", f"{tmp_path}/etc"),)))
    assert [line.partition(":")[0] for line in CLIENT.faults(world)] == [
        f"{place.cwd}/more.json",
        "/etc/claude-code/managed-settings.json",
        "/etc/claude-code/managed-settings.d/10-more.json",
    ]


def test_what_a_project_permits_is_told_where_nobody_trusts_it(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {
            "ws/.claude/settings.json": '{"permissions":{"allow":["Bash(ls)"],"deny":["Task"]}}',
            "ws/.claude/settings.local.json": '{"permissions":{"allow":["Edit"]}}',
            "home/.claude/settings.json": '{"permissions":{"allow":["Write"]}}',
        }
    )
    why = "a project may permit this only where somebody accepted the client's question of trust"
    told = [item for item in CLIENT.missing(place.world(), place.profile()) if item.words == why]
    assert [(item.kind, item.name, item.path, item.code) for item in told] == [
        ("permission", "Bash(ls)", f"{place.cwd}/.claude/settings.json", "untrusted"),
        ("permission", "Edit", f"{place.cwd}/.claude/settings.local.json", "untrusted"),
    ]
    assert CLIENT.faults(place.world()) == ()
    trust = {"projects": {place.cwd: {"hasTrustDialogAccepted": True}}}
    place.write({"home/.claude.json": json.dumps(trust)})
    assert CLIENT.missing(place.world(), place.profile()) == ()


def test_all_that_is_left_out_stands_in_one_list(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {
            "ws/.mcp.json": '{"mcpServers":{"a":{},"b":{"command":"x"},"c":{"command":"x"}}}',
            "ws/.claude/settings.json": '{"permissions":{"deny":["Nope"]}}',
            "ws/.claude/settings.local.json": "{",
            "ws/.claude/rules/cond.md": "---\npaths: '*.py'\n---\nx",
            "ws/.claude/skills/empty/x.md": "x",
            "home/.claude.json": json.dumps(
                {
                    "mcpServers": {"c": {"command": "y"}},
                    "projects": {f"{tmp_path}/ws": {"disabledMcpServers": ["b"]}},
                }
            ),
        }
    )
    found = why_not(place.world(), place.profile())
    assert [(item.kind, item.name, item.reason.value) for item in found] == [
        ("rule", "cond.md", "waits-for-a-file"),
        ("skill", "empty", "no-skill-file"),
        ("settings", "settings.local.json", "no-json"),
        ("server", "c", "name-taken"),
        ("server", "a", "malformed"),
        ("server", "b", "switched-off"),
        ("permission", "Nope", "names-nothing"),
    ]
