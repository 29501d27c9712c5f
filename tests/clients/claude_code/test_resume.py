"""What a resumed conversation is told (probes of Claude Code 2.1.332)."""

import json
from pathlib import Path
from typing import Any

from inspector.turns import Prompted
from inspector.workspace import Listing
from tests.clients.claude_code.place import Place, said, texts

AMBIENT = (
    "This is ambient context — do not narrate it to the user unless they ask or it is directly relevant to"
    " their request."
)


def _server(name: str) -> Listing:
    tools = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
    return Listing(
        server=name, initialize=json.dumps({"instructions": f"use {name}"}), tools=json.dumps(tools)
    )


def _again(place: Place, session: Any, number: int, *argv: str) -> tuple[Any, dict[str, Any]]:
    place.argv = ("-p", f"p{number}", "--continue", *argv)
    resumed = place.begin(session.state)
    return resumed, place.body(resumed, said(number, "ok"), Prompted(text=f"p{number}"))


def test_new_and_gone_tools_agents_and_servers_are_told(tmp_path: Path) -> None:
    place = Place(tmp_path, listings=(_server("one"),)).write({})
    session = place.begin()
    place.body(session, Prompted(text="p1"))
    place.write({"ws/.claude/agents/rev.md": "---\nname: rev\ndescription: Reviews\n---\nx\n"})
    place.listings = (_server("one"), _server("two"))
    session, body = _again(place, session, 2)
    told = texts(body["messages"][-1])[0].split("\n\n")
    assert told[0].endswith("before calling them:\nmcp__two__t")
    assert (
        told[1]
        == "New agent types are now available for the Agent tool:\n- rev: Reviews (Tools: All tools)"
    )
    assert told[-1] == "## two\nuse two"
    (tmp_path / "ws/.claude/agents/rev.md").unlink()
    place.listings = ()
    session, body = _again(place, session, 3)
    assert texts(body["messages"][-1])[0].split("\n\n") == [
        "The following deferred tools are no longer available. Do not search for them — ToolSearch will return no"
        " match:\nmcp__one__t\nmcp__two__t",
        AMBIENT,
        "The following agent types are no longer available:\n- rev",
        AMBIENT,
        "The following MCP servers have disconnected. Their instructions above no longer apply:\none\ntwo",
        AMBIENT,
    ]


def test_another_model_is_named_and_credited_and_the_prompt_stays(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    session = place.begin()
    first = place.body(session, Prompted(text="p1"))
    session, body = _again(place, session, 2, "--model", "sonnet")
    assert body["model"] == "claude-sonnet-5-5"
    assert body["system"][1:] == first["system"][1:]
    assert "Claude Sonnet 5.5 <noreply@anthropic.com>" in texts(body["messages"][-2])[0]
    assert texts(body["messages"][-1])[0].startswith(
        "You are powered by the model named Sonnet 5.5."
    )
    _, body = _again(place, session, 3, "--model", "sonnet", "--effort", "high")
    assert body["messages"][-1] == {
        "role": "system",
        "content": [],
        "output_config": {"effort": "high"},
    }


def test_a_new_skill_is_told_once_and_nothing_new_says_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    session = place.begin()
    place.body(session, Prompted(text="p1"))
    place.write({"ws/.claude/skills/neu/SKILL.md": "---\ndescription: new one\n---\nN\n"})
    session, body = _again(place, session, 2)
    assert texts(body["messages"][-1]) == [
        "The following skills are available for use with the Skill tool:\n\n- neu: new one"
    ]
    _, body = _again(place, session, 3)
    assert [texts(message) for message in body["messages"][-1:]] == [["p3"]]


def test_instructions_that_are_gone_are_named(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/CLAUDE.md": "one\n"})
    session = place.begin()
    place.body(session, Prompted(text="p1"))
    (tmp_path / "ws/CLAUDE.md").unlink()
    _, body = _again(place, session, 2)
    assert texts(body["messages"][-1])[0] == (
        "<system-reminder>\nInstruction files were re-read when this session started.\n\nInstructions no longer"
        f" present: {place.cwd}/CLAUDE.md\n</system-reminder>\n"
    )


def test_a_conversation_goes_on_with_its_own_model_and_without_agents_of_the_command_line(
    tmp_path: Path,
) -> None:
    agents = json.dumps({"cli": {"description": "of the line", "tools": ["Read"], "prompt": "P"}})
    argv = ("-p", "p1", "--agents", agents, "--model", "claude-opus-4-6")
    place = Place(tmp_path, argv=argv).write({})
    session = place.begin()
    body = place.body(session, Prompted(text="p1"))
    listed = "\n- cli: of the line (Tools: Read)\n"
    assert any(listed in one for one in texts(body["messages"][0]))
    session, body = _again(place, session, 2)
    assert body["model"] == "claude-opus-4-6"
    told = texts(body["messages"][-1])[0]
    assert told.startswith(
        "<system-reminder>\nThe following agent types are no longer available:\n- cli\n"
    )


def test_a_mode_is_told_once_and_the_tools_keep_the_words_of_the_first_one(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    session = place.begin()
    first = place.body(session, Prompted(text="p1"))
    session, body = _again(place, session, 2, "--dangerously-skip-permissions")
    assert body["tools"] == first["tools"]
    assert place.profile().known("mode.bypass").pieces[0].text == texts(body["messages"][-1])[0]
    for number in (3, 4):
        session, body = _again(place, session, number, "--permission-mode", "plan")
        found = texts(body["messages"][-1])[0]
        assert ("/plans/p3-" in found) == (number == 3)
    left = (
        "## Exited Plan Mode\n\nYou have exited plan mode. You can now make edits, run tools, and"
    )
    session, body = _again(place, session, 5, "--dangerously-skip-permissions")
    assert texts(body["messages"][-1]) == [f"{left} take actions."]
