"""What a prompt brings along: warnings, hooks, another model, plan mode, members of the user's own."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector.clients.claude_code import hooked, transcript
from inspector.clients.claude_code.unknown import distance
from inspector.text import ByteClass
from inspector.turns import Counted, Hooked, Prompted, Returned, Told, Turn
from inspector.workspace import Git
from tests.clients.claude_code.place import Place, called, mentioned, said, texts

QUIET = ("--settings", '{"disableBundledSkills":true}')


def _skill(**front: str) -> str:
    lines = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in front.items())
    return f"---\n{lines}---\nbody\n"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("greet", "greet", 0), ("geret", "greet", 1), ("greetx", "greet", 1), ("ab", "cd", 2)],
)
def test_distance_counts_swaps_as_one(one: str, other: str, expected: int) -> None:
    assert distance(one, other) == expected


def test_a_command_of_no_known_name_is_warned_of_and_the_closest_one_named(tmp_path: Path) -> None:
    skills = {
        "ws/.claude/skills/greet/SKILL.md": _skill(description="d"),
        "ws/.claude/skills/quiet/SKILL.md": _skill(
            description="d", disable_model_invocation="true"
        ),
    }
    place = Place(tmp_path, argv=("-p", "/geret", *QUIET)).write(skills)
    warning = mentioned(texts(place.first("/geret")["messages"][0]), "slash command /geret,")
    assert "The closest available command is /greet. Ask the user before running it." in warning
    names = "/greet, /plugin-authoring, /init, /security-review, and 25 more."
    assert f"Slash commands available in this session: {names}" in warning
    told = texts(place.first("/greet")["messages"][0])
    assert not any("slash command" in part for part in told)


@pytest.mark.parametrize(("prompt", "owed"), [("/ x", True), ("//", True), ("/a.b", True)])
def test_a_prompt_that_looks_like_a_path_puts_the_briefing_off(
    tmp_path: Path, prompt: str, owed: bool
) -> None:
    place = Place(tmp_path).write({})
    said = place.first(prompt)["messages"][1]["content"]
    assert (said[0]["text"] == "Today's date is 2026-01-02.") is owed


def test_a_typed_skill_asks_for_another_model_and_effort(tmp_path: Path) -> None:
    front = _skill(description="d", model="haiku", effort="low")
    place = Place(tmp_path).write({"ws/.claude/skills/small/SKILL.md": front})
    session = place.begin()
    first = place.body(session, Prompted(text="/small"))
    assert (first["model"], first["output_config"]) == ("claude-haiku-5-5", {"effort": "low"})
    assert "named Opus 5.5" in first["messages"][1]["content"][0]["text"]
    step = called(1, "Bash", command="true")
    second = place.body(session, step, Returned(call="toolu_1", text=""))
    assert second["messages"][4]["content"][0]["text"].startswith(
        "You are powered by the model named Haiku 5.5."
    )


def test_hooks_stand_before_and_behind_the_briefing(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    start = Hooked(event="SessionStart", name="SessionStart:startup", output="at start")
    prompt = Hooked(event="UserPromptSubmit", output="at prompt", form="context")
    body = place.body(place.begin(), Prompted(text="hello"), start, prompt)
    briefing = body["messages"][1]["content"][0]["text"]
    assert briefing.startswith("SessionStart:startup hook success: at start\n\n# Environment\n")
    assert briefing.endswith(
        "UserPromptSubmit hook additional context: at prompt\n\nToday's date is 2026-01-02."
    )


def _settings(event: str, command: str) -> dict[str, str]:
    hooks = {event: [{"hooks": [{"type": "command", "command": command}]}]}
    return {"ws/.claude/settings.json": json.dumps({"hooks": hooks})}


def test_a_blocked_call_shows_the_hooks_command_and_words(tmp_path: Path) -> None:
    place = Place(tmp_path).write(_settings("PreToolUse", "check"))
    session = place.begin()
    place.body(session, Prompted(text="hello"))
    said = "PreToolUse:Bash hook error: [check]: no such luck\n"
    given = Returned(call="toolu_1", text=said, error=True)
    body = place.body(session, called(1, "Bash", command="x"), given)
    assert body["messages"][3]["content"][0]["content"] == said
    assert session.turns[-1].events[1:] == (
        Returned(call="toolu_1", error=True, outcome=Told(name="hook.block")),
        Hooked(
            event="PreToolUse",
            name="PreToolUse:Bash",
            output="no such luck\n",
            form="block",
            command="check",
            call="toolu_1",
        ),
    )


def test_a_command_that_no_setting_has_is_adopted(tmp_path: Path) -> None:
    place = Place(tmp_path).write(_settings("Stop", "check"))
    session = place.begin()
    session.step(Turn(events=(Prompted(text="hello"),)), place.world())
    stop = Hooked(event="Stop", form="block", command="other", output="go on\n")
    built = session.step(Turn(events=(said(1, "done"), stop)), place.world())
    assert any(run.origin.byte_class is ByteClass.ADOPTED for run in built.runs)
    stop = stop.model_copy(update={"command": "check"})
    built = session.step(Turn(events=(said(2, "done"), stop)), place.world())
    last = json.loads(built.body)["messages"][-1]["content"][0]["text"]
    assert last.endswith("\nStop hook feedback:\n[check]: go on\n\n</system-reminder>")


def test_hooks_are_read_from_a_captured_request() -> None:
    said = (
        "SessionStart:startup hook success: one\n\ntwo\n\n# Environment\nx\n\n"
        "UserPromptSubmit hook additional context: three\n\nToday's date is 2026-01-02."
    )
    stop = "<system-reminder>\nlead\nStop hook feedback:\n[check]: go on\n\n</system-reminder>"
    assert list(hooked.of_messages([("system", said), ("user", stop), ("user", "hi")])) == [
        Hooked(event="SessionStart", name="SessionStart:startup", output="one\n\ntwo"),
        Hooked(event="UserPromptSubmit", name="UserPromptSubmit", output="three", form="context"),
        Hooked(event="Stop", form="block", command="check", output="go on\n"),
    ]


def test_hooks_are_read_from_the_record_of_a_run(tmp_path: Path) -> None:
    def hook(kind: str, **more: Any) -> dict[str, Any]:
        attached = {"type": kind, "hookEvent": "SessionStart", "hookName": "SessionStart", **more}
        return {"type": "attachment", "attachment": attached}

    lines: list[dict[str, Any]] = [
        {**hook("hook_success", content="shown"), "rendered": []},
        hook("hook_success", content="not passed on"),
        hook("hook_additional_context", content=["a", "b"]),
        {"type": "assistant", "message": {"id": "msg_1", "content": []}},
        {
            "type": "user",
            "rowSource": "hook",
            "message": {"content": "Stop hook feedback:\n[c]: x\n"},
        },
    ]
    record = "\n".join(json.dumps(line) for line in lines)
    replies = [("t0", said(1, "a")), ("t1", said(2, "b"))]
    place = Place(tmp_path, argv=("-p", "hello")).write({})
    first, second = transcript.turns(place.environment(), replies, record, []).turns
    name = "SessionStart"
    assert first.events[1:] == (
        Hooked(event=name, name=name, output="shown"),
        Hooked(event=name, name=name, output="a\nb", form="context"),
    )
    assert second.events[1:] == (Hooked(event="Stop", form="block", command="c", output="x\n"),)


def test_plan_mode_names_the_file_and_the_rules(tmp_path: Path) -> None:
    rules = {"permissions": {"allow": ["A"], "deny": ["Bash(rm *)"], "ask": ["B"]}}
    argv = ("-p", "Fix it", "--permission-mode", "plan", "--add-dir", "/more")
    place = Place(tmp_path, argv=argv).write({"ws/.claude/settings.json": json.dumps(rules)})
    place = replace(
        place, git=Git(root=place.cwd, head="ref: refs/heads/b", log="1 x\n", user_mailbox="ann")
    )
    body = place.first("Fix the big bug, please")
    assert f"{place.root}/home/.claude/plans/fix-the-big-bug-" in json.dumps(body["messages"])
    context = body["safeguards"][0]["classifier_context"]
    assert context["rules"] == {
        "allow": [],
        "deny": [{"rule": "Bash(rm *)", "source": "projectSettings"}],
        "ask": [{"rule": "B", "source": "projectSettings"}],
    }
    assert context["trusted_directories"]["additional"] == [
        {"path": "/more", "resolved": ["/more"], "source": "cliArg"}
    ]
    assert (context["user_identity"], context["git_state"]["branch"]) == ("ann", "b")


@pytest.mark.parametrize(
    ("env", "mailbox", "expected"),
    [
        ({"USERNAME": "c", "USER": "b d", "GITHUB_ACTOR": "a"}, "ann", "a"),
        ({"USERNAME": "c", "USER": "b d"}, "ann", "bd"),
        ({"USER": ""}, "ann.b+c", "ann.bc"),
        ({}, None, None),
        ({"USER": "\u00e9"}, "ann", None),
    ],
)
def test_the_user_is_who_the_environment_says_or_else_gits_address(
    env: dict[str, str], mailbox: str | None, expected: str | None, tmp_path: Path
) -> None:
    argv = ("-p", "Fix it", "--permission-mode", "plan")
    place = Place(tmp_path, argv=argv, env=env).write({})
    place = replace(place, git=Git(root=place.cwd, head="ref: refs/heads/b", user_mailbox=mailbox))
    context = place.first()["safeguards"][0]["classifier_context"]
    assert (context["user_identity"], context["platform"]) == (expected, "linux")


@pytest.mark.parametrize("env", [{"WSL_DISTRO_NAME": "Ubuntu"}, {"WSL_INTEROP": "/run/1"}])
def test_linux_within_windows_is_a_system_of_its_own(env: dict[str, str], tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "x", "--permission-mode", "plan"), env=env).write({})
    assert place.first()["safeguards"][0]["classifier_context"]["platform"] == "wsl"


def test_members_of_the_users_own_come_before_the_last_ones(tmp_path: Path) -> None:
    extra = '{"max_tokens":5,"z":{"2":1,"1":1.50}}'
    place = Place(tmp_path, env={"CLAUDE_CODE_EXTRA_BODY": extra}).write({})
    body = place.first()
    assert list(body)[-3:] == ["z", "output_config", "stream"]
    assert (body["max_tokens"], list(body["z"])) == (5, ["1", "2"])
    place = Place(tmp_path, env={"CLAUDE_CODE_EXTRA_BODY": "no json"}).write({})
    assert "z" not in place.first()


def test_headers_of_this_build_are_claimed_in_wire_order(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    built = place.begin().step(Turn(events=(Prompted(text="hello"),)), place.world())
    made = {name: str(value) for name, value in built.headers}
    assert list(made)[:3] == ["Accept", "Content-Type", "User-Agent"]
    assert (made["X-Stainless-Runtime-Version"], made["Connection"]) == ("v26.12.1", "keep-alive")


@pytest.mark.parametrize(
    ("value", "tokens", "deferred"),
    [
        ("auto:1", 10_499, False),
        ("auto:1", 10_500, True),
        ("auto", 100_499, False),
        ("auto", 100_500, True),
        ("auto:0", 0, True),
        ("auto:100", 10**7, False),
        ("auto:x", 100_500, True),
    ],
)
def test_tools_are_deferred_where_the_api_counts_many_tokens(
    tmp_path: Path, value: str, tokens: int, deferred: bool
) -> None:
    place = Place(tmp_path, env={"ENABLE_TOOL_SEARCH": value}).write({})
    body = place.body(place.begin(), Prompted(text="hello"), Counted(tokens=tokens))
    assert ("WebFetch" not in [tool["name"] for tool in body["tools"]]) is deferred


def test_folders_of_the_settings_stand_before_those_of_the_command_line(tmp_path: Path) -> None:
    folders = [f"{tmp_path}/one", "../rel", "~/two", f"{tmp_path}/gone", f"{tmp_path}/one/f"]
    place = Place(tmp_path, argv=("-p", "hello", "--add-dir", f"{tmp_path}/four")).write(
        {
            "home/.claude/settings.json": json.dumps(
                {"permissions": {"additionalDirectories": folders}}
            ),
            "one/f": "",
            "rel/f": "",
            "home/two/f": "",
        }
    )
    told = texts(place.body(place.begin(), Prompted(text="hello"))["messages"][-1])[0]
    found = told.partition(" - Additional working directories:\n")[2].split("\n - ")[0]
    names = ("one", "rel", "home/two", "four")
    assert found.split("\n") == [f"  - {tmp_path}/{name}" for name in names]
