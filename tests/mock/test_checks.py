"""What a script expects of the client's requests, and how it is told."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from inspector import mock
from inspector.cli.mock import mock as command
from inspector.errors import BadInput
from inspector.mock.answer import Ids
from inspector.mock.desk import Desk
from tests.e2e.test_capture_clients import ARGUMENTS, place

REQUEST: dict[str, Any] = {
    "model": "m",
    "system": [{"type": "text", "text": "You help.\nSpeak plainly."}],
    "tools": [{"name": "Read", "input_schema": {}}, {"name": "mcp__s__t", "input_schema": {}}],
    "messages": [
        {"role": "user", "content": "skills:\n- notes: writes notes\n- tests\n  - deep: one"}
    ],
}


def complaint(expect: object, *bodies: dict[str, Any], reply: object = None) -> str | None:
    replies: list[object] = [{"text": "a", "expect": reply or []}]
    desk = Desk(mock.script({"replies": replies, "expect": expect}), Ids())
    for body in bodies or (REQUEST,):
        desk.messages(body, b"")
    return desk.tally.complaint(desk.served["main"])


@pytest.mark.parametrize(
    "check",
    [
        {"text": "You help.\nSpeak"},
        {"text": "plainly", "in": "system"},
        {"text": "plainly", "in": "/system/0"},
        {"text": "plainly", "in": "messages", "absent": True},
        {"text": "m", "in": "params"},
        {"tool": "mcp__s__t"},
        {"tool": "Write", "absent": True},
        {"skill": "notes"},
        {"skill": "tests", "in": "messages"},
        {"skill": "deep"},
        {"skill": "note", "absent": True},
        {"requests": 1},
        {"text": "plainly", "request": 1},
    ],
)
def test_what_is_there_is_found(check: dict[str, Any]) -> None:
    assert complaint([check]) is None


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ({"text": "loud"}, "text 'loud', which is in none of 1 request"),
        (
            {"text": "plainly", "in": "messages"},
            "text 'plainly' in messages, which is in none of 1 request",
        ),
        ({"tool": "Write"}, "tool Write, which is in none of 1 request"),
        ({"tool": "Read", "absent": True}, "request 1: no tool Read, which is there"),
        ({"skill": "writes"}, "skill writes, which is in none of 1 request"),
        ({"requests": 2}, "2 main requests, the client made 1"),
        ({"text": "a", "request": 3}, "text 'a' of request 3, the client made 1 request"),
    ],
)
def test_what_is_missing_is_one_line(check: dict[str, Any], said: str) -> None:
    assert complaint([check]) == f"the script expects {said}"


def test_a_number_is_that_many_requests() -> None:
    assert complaint(1) is None
    assert complaint(2) == "the script expects 2 main requests, the client made 1"


def test_a_rule_has_landed_where_every_line_was_sent(tmp_path: Path) -> None:
    rule = tmp_path / "CLAUDE.md"
    rule.write_text("---\npaths: x\n---\nYou help.\n<!-- not this -->\n  Speak plainly.\n")
    assert complaint([{"rule": str(rule)}]) is None
    rule.write_text("You help.\nSpeak loudly.\n")
    missing = f"the script expects rule {rule}, which is in none of 1 request"
    assert complaint([{"rule": str(rule)}]) == missing
    rule.unlink()
    assert complaint([{"rule": str(rule)}]) == missing


def test_a_reply_expects_of_the_request_it_answers() -> None:
    asked = [{"text": "plainly"}, {"tool": "Write"}]
    said = "the script expects request 1: tool Write, which is not there"
    assert complaint(None, REQUEST, {**REQUEST, "tools": [{"name": "Write"}]}, reply=asked) == said


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ({"replies": [{"txt": "a"}]}, "replies.0.txt: no such key"),
        ({"replies": [{"expect": [{"absent": True}]}]},
         "replies.0.expect.0: give exactly one of text, tool, skill, rule, requests"),
        ({"expect": [{"text": "a", "tool": "b"}]},
         "expect.0: give exactly one of text, tool, skill, rule, requests"),
        ({"expect": [{"text": "a", "in": "body"}]},
         "expect.0: in: body: give system, tools, messages, params or a JSON pointer"),
        ({"expect": [{"requests": 1, "absent": True}]}, "expect.0: requests stands alone"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_that_names_the_place(script: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        mock.script(script)
    assert str(caught.value) == f"script: {said}; see docs/mock.md, or `inspector mock --schema`"


def test_the_schema_is_for_editors() -> None:
    ended = CliRunner().invoke(command, ["--schema"])
    assert ended.exit_code == 0
    assert '"title": "Script"' in ended.output


@pytest.mark.client
@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_a_script_is_a_whole_test_of_a_real_clients_rules_skills_and_tools(
    tmp_path: Path, binaries: dict[str, Path], client: str
) -> None:
    here = place(tmp_path, binaries[client])
    rule = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md"}[client]
    skills = {"claude-code": "ws/.claude/skills", "codex": "home/.codex/skills"}[client]
    (here.workspace / rule).write_text("Speak plainly.\n\nNever swear.\n")
    (tmp_path / skills / "notes").mkdir(parents=True)
    (tmp_path / skills / "notes/SKILL.md").write_text(
        "---\nname: notes\ndescription: writes release notes\n---\nWrite.\n"
    )
    tool = {"claude-code": "Read", "codex": "exec"}[client]
    expect = [{"rule": rule}, {"skill": "notes"}, {"tool": tool}, {"requests": 1}]
    script = {"replies": [{"text": "hi", "expect": expect[:3]}], "expect": expect}
    ended = here.run("base-url", script, ARGUMENTS[client])
    assert ended.returncode == 0, ended.stderr.decode()
    (here.workspace / rule).unlink()
    ended = here.run("base-url", {"expect": [{"rule": rule}]}, ARGUMENTS[client])
    assert ended.returncode == 1
    assert f"rule {rule}, which is in none of 1 request" in ended.stderr.decode()
