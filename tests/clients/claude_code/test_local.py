"""Commands of the client's own, and prompts that come while the model works."""

from inspector.clients.claude_code import local, notices
from inspector.turns import Commanded, Interposed

CAVEAT = "<local-command-caveat>The command below was run.</local-command-caveat>\n"


def _block(name: str, args: str) -> str:
    gap = "\n            "
    return (
        f"<command-name>/{name}</command-name>{gap}<command-message>{name}</command-message>"
        f"{gap}<command-args>{args}</command-args>\n"
    )


def test_commands_are_told_apart_from_prompts_that_wait_with_them() -> None:
    texts = [
        "first\n",
        CAVEAT,
        _block("color", "red"),
        "<local-command-stdout>Session color set to: red</local-command-stdout>\n",
        "/add-dir sub\n",
        "<local-command-stdout>/add-dir isn't available in this environment.</local-command-stdout>\n",
        "and now",
    ]
    assert local.of_texts(texts) == (
        [
            Commanded(prompt="/color red", ran=True, said="Session color set to: red"),
            Commanded(prompt="/add-dir sub", said="/add-dir isn't available in this environment."),
        ],
        ["first\n", "and now"],
    )


def test_a_command_whose_output_the_model_is_not_shown_is_no_prompt() -> None:
    texts = [
        CAVEAT,
        _block("list-agents", ""),
        "/skills\n",
        "<local-command-stdout>x</local-command-stdout>\n",
        "on",
    ]
    assert local.of_texts(texts) == (
        [Commanded(prompt="/list-agents", ran=True), Commanded(prompt="/skills", said="x")],
        ["on"],
    )


def test_an_output_without_a_command_is_a_prompt_like_any_other() -> None:
    said = "<local-command-stdout>x</local-command-stdout>"
    assert local.of_texts([said]) == ([], [said])


def test_a_prompt_that_came_meanwhile_is_read_from_both_forms() -> None:
    said = (
        "The user sent a new message while you were working:\ngo\non\n\nThis is how Claude Code "
        "surfaces messages the user sends mid-turn."
    )
    wrapped = f"<system-reminder>\n{said}\n</system-reminder>\n"
    found = notices.of_messages([("user", said), ("user", wrapped), ("user", "go on")])
    assert list(found) == [Interposed(text="go\non"), Interposed(text="go\non")]
