"""What the client reads otherwise than its author meant is said, each file with the reason."""

from pathlib import Path

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
            "ws/.claude/settings.json": "{not json",
            "ws/.claude/settings.local.json": "[]",
            "ws/.mcp.json": "no",
            "ws/CLAUDE.md/inside.txt": "x",
        }
    )
    assert CLIENT.faults(place.world()) == (
        f"{place.cwd}/.claude/settings.json: no JSON object; the client goes on without it",
        f"{place.cwd}/.claude/settings.local.json: no JSON object; the client goes on without it",
        f"{place.cwd}/.mcp.json: no JSON object; the client goes on without it",
        f"{place.cwd}/CLAUDE.md: a folder, not a file; the client goes on without it",
    )
