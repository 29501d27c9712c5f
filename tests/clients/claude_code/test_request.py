"""Whole requests: order of members, cache marks, growth, results, resume (`cache_6turn`, `tools_results`)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.turns import Prompted, Returned, Turn
from inspector.workspace import Git
from tests.clients.claude_code.place import Place, called, said, texts


def _marks(body: dict[str, Any]) -> list[str]:
    out: list[str] = [
        f"system/{n}" for n, block in enumerate(body["system"]) if "cache_control" in block
    ]
    for n, message in enumerate(body["messages"]):
        content = message["content"]
        blocks: list[dict[str, Any]] = [] if isinstance(content, str) else content
        out += [f"messages/{n}/{k}" for k, block in enumerate(blocks) if "cache_control" in block]
    return out


def test_members_stand_in_the_clients_order(tmp_path: Path) -> None:
    body = Place(tmp_path).write({}).first()
    assert list(body) == [
        "model",
        "messages",
        "system",
        "tools",
        "metadata",
        "max_tokens",
        "thinking",
        "context_management",
        "output_config",
        "stream",
    ]
    assert body["max_tokens"] == 128000
    assert body["metadata"]["user_id"].startswith(
        '{"device_id":"⟦mask device_id⟧","account_uuid":"",'
    )


def test_one_mark_moves_to_the_last_block_and_a_lone_text_becomes_a_string_again(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path).write({"ws/f.txt": "x\n"})
    session = place.begin()
    first = place.body(session, Prompted(text="hello"))
    assert _marks(first) == ["system/1", "system/2", "messages/1/0"]
    second = place.body(session, called(1, "Read", file_path=f"{place.cwd}/f.txt"))
    assert _marks(second) == ["system/1", "system/2", "messages/3/0"]
    assert second["messages"][1]["content"] == first["messages"][1]["content"][0]["text"]
    assert second["messages"][:1] == first["messages"][:1]


def test_the_default_host_splits_the_prompt_and_adds_diagnostics(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    place_world = place.environment().model_copy(update={"base_url": None})
    place.environment = lambda: place_world  # type: ignore[method-assign]
    session = place.begin()
    body = place.body(session, Prompted(text="hello"))
    assert [block.get("cache_control") for block in body["system"]] == [
        None,
        None,
        {"type": "ephemeral", "scope": "global"},
        {"type": "ephemeral"},
    ]
    assert body["diagnostics"] == {"previous_message_id": None}
    after = place.body(
        session, called(7, "Bash", command="true"), Returned(call="toolu_7", text="x")
    )
    assert after["diagnostics"] == {"previous_message_id": "msg_7"}


@pytest.mark.parametrize(
    ("env", "mark"),
    [
        ({"DISABLE_PROMPT_CACHING": "1"}, None),
        ({"ENABLE_PROMPT_CACHING_1H": "1"}, {"type": "ephemeral", "ttl": "1h"}),
        ({}, {"type": "ephemeral"}),
    ],
)
def test_switches_change_the_marks(tmp_path: Path, env: dict[str, str], mark: object) -> None:
    body = Place(tmp_path, env=env).write({}).first()
    assert body["system"][-1].get("cache_control") == mark


def test_results_keep_the_order_in_which_the_calls_ended(tmp_path: Path) -> None:
    from inspector.turns import Called, Replied

    place = Place(tmp_path).write({"ws/f.txt": "l1\nl2\n"})
    session = place.begin()
    place.body(session, Prompted(text="x"))
    calls = (
        Called(id="a", name="Read", input=f'{{"file_path":"{place.cwd}/f.txt"}}'),
        Called(id="b", name="Read", input=f'{{"file_path":"{place.cwd}/none"}}'),
        Called(id="c", name="Bash", input='{"command":"echo p"}'),
    )
    order = (Returned(call="b", error=True), Returned(call="a"), Returned(call="c", text="p"))
    body = place.body(session, Replied(blocks=calls), *order)
    assert body["messages"][-1]["content"] == [
        {
            "type": "tool_result",
            "content": f"File does not exist. Note: your current working directory is {place.cwd}.",
            "is_error": True,
            "tool_use_id": "b",
        },
        {"tool_use_id": "a", "type": "tool_result", "content": "1\tl1\n2\tl2\n3\t"},
        {
            "tool_use_id": "c",
            "type": "tool_result",
            "content": "p",
            "is_error": False,
            "cache_control": {"type": "ephemeral"},
        },
    ]


@pytest.mark.parametrize(
    ("content", "values", "shown"),
    [
        ("no newline", {}, "1\tno newline"),
        (
            "",
            {},
            "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>",
        ),
        ("a\r\nb\r\n", {}, "1\ta\n2\tb\n3\t"),
        ("l1\nl2\n", {"offset": 2, "limit": 1}, "2\tl2"),
        (
            "l1\nl2\n",
            {"offset": 99},
            "<system-reminder>Warning: the file exists but is shorter than the provided offset (99). The file has"
            " 3 lines.</system-reminder>",
        ),
    ],
)
def test_a_read_numbers_the_lines(
    tmp_path: Path, content: str, values: dict[str, int], shown: str
) -> None:
    place = Place(tmp_path).write({"ws/f.txt": content})
    session = place.begin()
    place.body(session, Prompted(text="x"))
    body = place.body(session, called(1, "Read", file_path="f.txt", **values))
    assert body["messages"][-1]["content"][0]["content"] == shown


def test_the_models_words_are_echoed_as_the_client_writes_them(tmp_path: Path) -> None:
    from inspector.turns import Called, Replied, Said, Thought

    place = Place(tmp_path).write({})
    session = place.begin()
    place.body(session, Prompted(text="x"))
    edit = Called(
        id="e", name="Edit", input='{"file_path":"/f","old_string":"1e2","new_string":"b"}'
    )
    reply = Replied(
        blocks=(Thought(text="hm", signature="S"), edit, Said(text="  \n"), Said(text=" ok "))
    )
    body = place.body(session, reply, Returned(call="e", text="x"))
    assert body["messages"][-2]["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "S"},
        {"type": "text", "text": " ok "},
        {
            "type": "tool_use",
            "id": "e",
            "name": "Edit",
            "input": {
                "replace_all": False,
                "file_path": "/f",
                "old_string": "1e2",
                "new_string": "b",
            },
        },
    ]


def test_five_silent_rounds_bring_a_reminder(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    session = place.begin()
    place.body(session, Prompted(text="x"))
    for number in range(4):
        body = place.body(
            session,
            called(number, "Bash", command="true"),
            Returned(call=f"toolu_{number}", text="x"),
        )
        assert body["messages"][-1]["role"] == "user"
    body = place.body(
        session, called(9, "Bash", command="true"), Returned(call="toolu_9", text="x")
    )
    assert texts(body["messages"][-1])[0].startswith("The user hasn't heard from you in a while.")


def test_a_resumed_conversation_goes_on_and_says_what_changed(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/CLAUDE.md": "one\n"})
    session = place.begin()
    first = place.body(session, Prompted(text="hello"))
    place.write({"ws/CLAUDE.md": "two\n"})
    place.argv = ("-p", "again", "--continue")
    resumed = place.begin(session.state)
    body = place.body(resumed, said(1, "done"), Prompted(text="again"))
    assert body["messages"][0] == first["messages"][0]
    assert body["messages"][2] == {
        "role": "assistant",
        "content": [{"type": "text", "text": "done"}],
    }
    changed, prompt = body["messages"][3]["content"]
    assert changed["text"].endswith(
        f"Contents of {place.cwd}/CLAUDE.md (project instructions, checked into the codebase):\n\ntwo\n"
        "</system-reminder>\n"
    )
    assert prompt["text"] == "again"
    assert len(body["messages"]) == 4


def test_git_says_where_the_work_stands(tmp_path: Path) -> None:
    git = Git(
        root=str(tmp_path / "ws"),
        head="ref: refs/heads/topic\n",
        default_branch="refs/remotes/origin/trunk",
        user_name="T",
        status=" M a\n?? ../b\n",
        log="abc first\n",
    )
    place = Place(tmp_path, git=git).write({})
    block = texts(place.first()["messages"][0])[0]
    assert (
        "Current branch: topic\n\nMain branch (you will usually use this for PRs): trunk\n\nGit user: T\n\n"
        "Status:\n M a\n?? ../b\n\nRecent commits:\nabc first\n\n"
    ) in block
    place.git = git.model_copy(
        update={"head": "0123abcd\n", "status": "", "default_branch": None, "log": ""}
    )
    block = texts(place.first()["messages"][0])[0]
    assert (
        "Current branch: HEAD\n\nMain branch (you will usually use this for PRs): main\n" in block
    )
    assert "Status:\n(clean)\n\nRecent commits:\n\n\nClaude Code" in block


def test_a_mention_is_shown_as_a_read_before_everything_else(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"ws/f.txt": "F\n", "ws/CLAUDE.md": "rule\n"})
    messages = place.first("look at @f.txt and @missing.txt")["messages"]
    assert messages[0]["content"] == (
        f'<system-reminder>\nCalled the Read tool with the following input: {{"file_path":"{place.cwd}/f.txt"}}\n'
        "</system-reminder>"
    )
    assert texts(messages[1])[0] == (
        "<system-reminder>\nResult of calling the Read tool:\n1\tF\n2\t\n</system-reminder>"
    )
    assert "rule" in texts(messages[1])[1]


@pytest.mark.parametrize(
    ("argv", "names"),
    [
        (("--tools", "Read,Bash"), ["Bash", "DeferredToolPlaceholder", "Read"]),
        (("--tools", ""), []),
        (("--bare",), ["Bash", "Edit", "Read"]),
    ],
)
def test_flags_choose_the_tools(tmp_path: Path, argv: tuple[str, ...], names: list[str]) -> None:
    body = Place(tmp_path, argv=("-p", "x", *argv)).write({}).first()
    assert [tool["name"] for tool in body["tools"]] == names


def test_denying_the_shell_brings_the_search_tools(tmp_path: Path) -> None:
    body = Place(tmp_path, argv=("-p", "x", "--disallowedTools", "Bash,Edit")).write({}).first()
    names = [tool["name"] for tool in body["tools"]]
    assert {"Glob", "Grep"} <= set(names)
    assert not {"Bash", "Edit"} & set(names)
    assert "Attribution" not in str(body["messages"][0])


def test_an_old_model_is_told_in_reminders(tmp_path: Path) -> None:
    argv = ("-p", "x", "--model", "claude-sonnet-4-5-20250929")
    place = Place(tmp_path, argv=argv).write({"ws/f.txt": "x\n"})
    session = place.begin()
    body = place.body(session, Prompted(text="x"))
    assert [message["role"] for message in body["messages"]] == ["user"]
    assert texts(body["messages"][0])[0].startswith("<system-reminder>\n# Environment\n")
    reply = called(1, "Read", file_path="f.txt").model_copy(
        update={"input_tokens": 110, "output_tokens": 5}
    )
    after = place.body(session, reply)
    assert after["messages"][-1]["content"][0]["content"] == (
        "1\tx\n2\n\n<system-reminder>\n<total_tokens>14999885 tokens left</total_tokens>\n</system-reminder>"
    )


def test_a_step_leaves_the_state_before_it_alone(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    session = place.begin()
    before = session.state
    one = session.step(Turn(events=(Prompted(text="a"),)), place.world()).body
    session.state = before
    assert session.step(Turn(events=(Prompted(text="a"),)), place.world()).body == one
