"""Skills that come into reach during a session (probes of Claude Code 2.1.332)."""

from pathlib import Path

from inspector.turns import Prompted
from tests.clients.claude_code.place import Place, called, texts


def _front(said: str, more: str = "") -> str:
    return f"---\ndescription: {said}\n{more}---\nbody\n"


def test_a_read_brings_in_conditional_skills_and_those_of_its_folders(tmp_path: Path) -> None:
    place = Place(tmp_path).write(
        {
            "ws/.claude/skills/base/SKILL.md": _front("root"),
            "ws/.claude/skills/cond/SKILL.md": _front("cond", "paths: sub/**\n"),
            "ws/sub/.claude/skills/base/SKILL.md": _front("sub", "when_to_use: W\n"),
            "ws/sub/f.txt": "f\n",
        }
    )
    session = place.begin()
    place.body(session, Prompted(text="x"))
    body = place.body(session, called(1, "Read", file_path=f"{place.cwd}/sub/f.txt"))
    assert texts(body["messages"][-1]) == [
        "New skills discovered in sub/.claude/skills, now available via the Skill tool:\n- sub:base\n\n"
        "The following skills are available for use with the Skill tool:\n\n"
        '- sub:base: sub (scoped to sub/ — use this instead of the unscoped "base" skill when the files being'
        " changed are under sub/) - W\n- cond: cond"
    ]
    again = place.body(session, called(2, "Read", file_path=f"{place.cwd}/sub/f.txt"))
    assert again["messages"][-1]["role"] == "user"
    used = place.body(session, called(3, "Skill", skill="base"))
    assert "- `sub:base` — for files under sub/\n" in texts(used["messages"][-1])[-1]


def test_a_skill_brings_the_memory_of_files_read_before_it_in_its_round(tmp_path: Path) -> None:
    from inspector.turns import Called, Replied

    place = Place(tmp_path).write(
        {
            "ws/a/CLAUDE.md": "nested\n",
            "ws/a/f.txt": "f\n",
            "ws/.claude/skills/s/SKILL.md": _front("d"),
        }
    )
    session = place.begin()
    place.body(session, Prompted(text="x"))
    calls = (
        Called(id="r", name="Read", input='{"file_path":"a/f.txt"}'),
        Called(id="s", name="Skill", input='{"skill":"s"}'),
    )
    shown = texts(place.body(session, Replied(blocks=calls))["messages"][-1])
    assert [text.split("\n")[0] for text in shown] == [
        "<system-reminder>",
        f"Base directory for this skill: {place.cwd}/.claude/skills/s",
    ]


def test_a_prompt_that_looks_like_a_path_puts_the_paragraphs_off(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    session = place.begin()
    first = place.body(session, Prompted(text="/var/log/x.txt explain"))
    assert texts(first["messages"][1]) == ["Today's date is 2026-01-02."]
    second = place.body(session, called(1, "Bash", command="true"))
    told = texts(second["messages"][-1])[0]
    assert told.startswith("# Environment\n")
    assert "Today's date" not in told
