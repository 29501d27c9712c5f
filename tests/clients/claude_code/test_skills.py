"""Skill listing and Skill results, as Claude Code 2.1.332 made them (`skills_*`, `skill_tool`)."""

from hashlib import sha256
from pathlib import Path

import pytest

from inspector import profiles
from inspector.clients.claude_code.shown import shown
from inspector.clients.claude_code.skillfile import skill
from inspector.turns import Prompted, Returned
from tests.clients.claude_code.place import Place, called, mentioned, texts

NO_BUNDLED = '{"disableBundledSkills":true}'
HEAD = "The following skills are available for use with the Skill tool:\n\n"


def _place(root: Path, files: dict[str, str], settings: str = NO_BUNDLED, **env: str) -> Place:
    return Place(root, argv=("-p", "x", "--settings", settings), env=env).write(files)


def _skill(name: str, front: str, body: str = "body\n") -> dict[str, str]:
    return {f"ws/.claude/skills/{name}/SKILL.md": f"---\n{front}\n---\n{body}"}


def _listed(place: Place) -> list[str]:
    paragraphs = texts(place.first()["messages"][1])[0]
    listing = mentioned([paragraphs], HEAD).partition(HEAD)[2]
    return listing.partition("\n\nToday's date")[0].split("\n")[:-1]


def test_words_at_hand_for_cutting_are_those_that_the_digest_names() -> None:
    chosen = profiles.resolve(profiles.find("claude-code", "2.1.332"), {})
    names = [name for name in chosen.literals if name.startswith("skill.said.")]
    assert len(names) == 5
    for name in names:
        skill_name = name.removeprefix("skill.said.")
        line = f"- {skill_name}: {chosen.literals[name]}".encode()
        assert sha256(line).hexdigest() == chosen.texts[f"skill.{skill_name}"].sha256


def test_lines_are_sorted_within_their_source(tmp_path: Path) -> None:
    files = {
        **_skill("zeta", "description: Z"),
        **_skill("alpha", "description: A\nwhen_to_use: always"),
        **_skill("Beta", "name: other\ndescription: B"),
        **_skill("hidden", "description: h\ndisable-model-invocation: true"),
        **_skill("cond", "description: c\npaths: src/**"),
        "home/.claude/skills/user/SKILL.md": "---\ndescription: U\n---\n",
        "ws/.claude/commands/leg.md": "# Heading of leg\n",
        "ws/.claude/commands/sub/cmd.md": "---\ndescription: C\n---\n",
        "ws/.claude/skills/flat.md": "never",
    }
    assert _listed(_place(tmp_path, files)) == [
        "- user: U",
        "- alpha: A - always",
        "- Beta (other): B",
        "- zeta: Z",
        "- leg: Heading of leg",
        "- sub:cmd: C",
    ]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("a\n  b\tc", "a   b c"),
        ("has <b>xml</b> & stuff", "has &lt;b&gt;xml&lt;/b&gt; & stuff"),
        ("zero\u200bwidth\u00adsoft", "zero width soft"),
        ("two  blanks and\u2003a wide one", "two  blanks and\u2003a wide one"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("👩‍💻 ❤️ a\u200db ☎︎", "👩‍💻 ❤️ a b ☎ "),
        ("क्\u200dष می\u200cخواهم", "क्\u200dष می\u200cخواهم"),
    ],
)
def test_a_description_is_one_clean_line(said: str, line: str) -> None:
    assert shown(said) == line


def test_a_long_description_is_cut_to_its_limit(tmp_path: Path) -> None:
    place = _place(tmp_path, _skill("long", f"description: {'d' * 2000}"))
    assert _listed(place) == [f"- long: {'d' * 1535}…"]


def test_over_budget_later_short_ones_may_still_fit_and_names_stay(tmp_path: Path) -> None:
    files = {
        **_skill("a", f"description: {'x' * 40}"),
        **_skill("b", f"description: {'y' * 60}"),
        **_skill("c", "description: z"),
    }
    place = _place(tmp_path, files)
    full = sum(len(line) for line in _listed(place)) + 2
    bundled = 275 + 1
    place.env = {"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(full + bundled)}
    assert _listed(place) == [f"- a: {'x' * 40}", f"- b: {'y' * 60}", "- c: z"]
    place.env = {"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(full + bundled - 1)}
    assert _listed(place) == [f"- a: {'x' * 40}", f"- b: {'y' * 60}", "- c"]
    place.env = {"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(full + bundled - 9)}
    assert _listed(place) == [f"- a: {'x' * 40}", "- b", "- c: z"]


def test_a_call_launches_and_puts_the_body_after_the_result(tmp_path: Path) -> None:
    place = _place(tmp_path, _skill("greet", "description: d", "Say hi to $0\n"))
    session = place.begin()
    place.body(session, Prompted(text="x"))
    body = place.body(session, called(1, "Skill", skill="greet", args="Bob"))
    assert body["messages"][-1]["content"] == [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "Launching skill: greet"},
        {
            "type": "text",
            "text": f"Base directory for this skill: {place.cwd}/.claude/skills/greet\n\nSay hi to Bob\n",
            "cache_control": {"type": "ephemeral"},
        },
    ]


def test_a_repeat_is_noted_and_a_changed_repeat_is_sent_again(tmp_path: Path) -> None:
    place = _place(tmp_path, _skill("s", "description: d", "body\n"))
    session = place.begin()
    place.body(session, Prompted(text="x"))
    place.body(session, called(1, "Skill", skill="s"))
    same = place.body(session, called(2, "Skill", skill="/s"))
    assert texts(same["messages"][-1]) == [
        "Skill /s is already loaded above; instructions unchanged."
    ]
    other = place.body(session, called(3, "Skill", skill="s", args="more"))
    assert texts(other["messages"][-1]) == [
        "(Re-invocation of /s — the skill instructions were previously loaded; the arguments or dynamic"
        " output below are new.)\n",
        f"Base directory for this skill: {place.cwd}/.claude/skills/s\n\nbody\n\n\nARGUMENTS: more",
    ]


def test_calls_that_cannot_be_are_refused(tmp_path: Path) -> None:
    place = _place(tmp_path, _skill("mine", "description: d\ndisable-model-invocation: true"))
    session = place.begin()
    place.body(session, Prompted(text="x"))
    unknown = place.body(session, called(1, "Skill", skill="nothing-like-it"))["messages"][-1][
        "content"
    ][0]
    assert list(unknown) == ["type", "content", "is_error", "tool_use_id", "cache_control"]
    assert unknown["content"] == "<tool_use_error>Unknown skill: nothing-like-it</tool_use_error>"
    refused = place.body(session, called(2, "Skill", skill="mine"))["messages"][-1]["content"][0]
    assert refused["content"].startswith(
        "<tool_use_error>Skill mine cannot be used with Skill tool"
    )


def test_only_what_the_shell_printed_is_taken_from_the_record(tmp_path: Path) -> None:
    place = _place(tmp_path, _skill("bang", "description: d", "now: !`date` end\n"))
    session = place.begin()
    place.body(session, Prompted(text="x"))
    base = f"Base directory for this skill: {place.cwd}/.claude/skills/bang\n\n"
    recorded = Returned(call="toolu_1", text=f"{base}now: noon end\n")
    body = place.body(session, called(1, "Skill", skill="bang"), recorded)
    assert texts(body["messages"][-1]) == [f"{base}now: noon end\n"]
    failed = Returned(
        call="toolu_2", text='Shell command failed for pattern "!`date`": no', error=True
    )
    body = place.body(session, called(2, "Skill", skill="bang"), failed)
    assert body["messages"][-1]["content"][0]["content"] == failed.text


def test_effort_of_a_skill_lasts_until_the_next_prompt(tmp_path: Path) -> None:
    place = _place(tmp_path, _skill("low", "description: d\neffort: low"))
    session = place.begin()
    place.body(session, Prompted(text="x"))
    body = place.body(session, called(1, "Skill", skill="low"))
    assert body["messages"][-1] == {
        "role": "system",
        "content": [],
        "output_config": {"effort": "low"},
    }
    assert body["output_config"] == {"effort": "low"}
    assert "cache_control" in body["messages"][-2]["content"][-1]


def test_a_typed_command_is_shown_with_its_arguments_and_body(tmp_path: Path) -> None:
    place = _place(tmp_path, _skill("greet", "description: d", "Hi $ARGUMENTS\n"))
    blocks = texts(place.first("/greet Bob\nsecond <x>")["messages"][0])[-2:]
    assert blocks == [
        "<command-message>greet</command-message>\n<command-name>/greet</command-name>\n"
        "<command-args>Bob\nsecond <x></command-args>\n",
        f"Base directory for this skill: {place.cwd}/.claude/skills/greet\n\nHi Bob\nsecond <x>\n",
    ]
    assert texts(place.first(" /greet Bob")["messages"][0])[-1] == " /greet Bob"


@pytest.mark.parametrize(
    ("content", "body"),
    [("\ufeffwords\n", "\ufeffwords\n"), ("\ufeff---\ndescription: d\n---\nwords\n", "words\n")],
)
def test_a_byte_order_mark_is_dropped_before_a_head_alone(content: str, body: str) -> None:
    read = skill("old", "/w/.claude/commands/old.md", content.encode(), None, "project")
    assert str(read.body) == body
