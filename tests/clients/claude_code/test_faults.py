"""What the client reads otherwise than its author meant is said, each file with the reason."""

from pathlib import Path

from tests.clients.claude_code.place import CLIENT, Place


def test_frontmatter_that_is_no_yaml_is_a_fault(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {
            "ws/.claude/skills/good/SKILL.md": "---\ndescription: fine\n---\nbody",
            "ws/.claude/skills/bad/SKILL.md": "---\ndescription: [open\n---\nbody",
        }
    )
    (fault,) = CLIENT.faults(place.world())
    path = tmp_path / "ws/.claude/skills/bad/SKILL.md"
    assert fault.startswith(f"{path}: its frontmatter is no YAML (while parsing")
