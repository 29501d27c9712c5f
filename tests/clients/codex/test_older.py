"""Codex of March 2026 (0.116): what it tells in other words, places and forms than today."""

import json
from typing import Any

import pytest

from inspector.build import Conversation
from inspector.clients.codex import CLIENT
from inspector.clients.codex.quoting import line
from inspector.clients.codex.schema import Unreadable
from inspector.clients.codex.schema_plain import plain
from inspector.jsontext.serde import double_number
from inspector.profiles import find, resolve
from inspector.text import Built, Kind, Origin, encode
from inspector.turns import Called, Prompted, Ran, Replied, Returned
from inspector.turns.outcome import Printed
from inspector.workspace import World
from tests.clients.codex import stage
from tests.clients.codex.stage import items, skill, texts, turn

_CONFIG = stage.CUSTOM + 'model = "gpt-5.3-codex"\n'
_SKILL = {f"{stage.WS}/.agents/skills/docx/SKILL.md": skill("docx", "reads documents")}


def older(files: dict[str, str], *argv: str, **facts: str) -> World:
    of = stage.world(files, config=_CONFIG, argv=argv)
    environment = of.environment.model_copy(update={"version": "0.116.0", **facts})
    return World(of.tree, environment, of.listings)


def begin(of: World) -> Conversation:
    profile = resolve(find("codex", "0.116.0"), CLIENT.axes(of))
    return Conversation.begin(CLIENT, of, profile, {})


def first(of: World) -> Built:
    return begin(of).step(turn(Prompted(text="hello")), of)


def test_only_on_a_terminal_the_developer_message_has_the_collaboration_mode() -> None:
    heads = [
        [part.split("\n")[0][:24] for part in texts(items(first(older(_SKILL, *argv)))[0])]
        for argv in (("exec", "hello"), ("hello",))
    ]
    assert heads == [
        ["⟦sha256:8b035d0a62726270", "<skills_instructions>"],
        ["⟦sha256:8b035d0a62726270", "<collaboration_mode>⟦sha", "<skills_instructions>"],
    ]


def test_a_skill_is_listed_with_its_absolute_path() -> None:
    block = texts(items(first(older(_SKILL, "exec", "hello")))[0])[-1]
    lines = [row for row in block.split("\n") if row.startswith("- docx")]
    assert lines == [f"- docx: reads documents (file: {stage.WS}/.agents/skills/docx/SKILL.md)"]


def test_on_windows_paths_begin_with_a_drive_and_the_mode_has_lines_of_two_characters() -> None:
    root = "C:/Users/ann/ws"
    files = {f"{root}/.agents/skills/docx/SKILL.md": skill("docx", "reads documents")}
    here = {"platform": "windows", "cwd": root, "home": "C:/Users/ann"}
    _, mode, block = texts(items(first(older(files, "hello", **here)))[0])
    listed = [row for row in block.split("\n") if row.startswith("- docx")]
    assert listed == [f"- docx: reads documents (file: {root}/.agents/skills/docx/SKILL.md)"]
    posix = texts(items(first(older(_SKILL, "hello")))[0])[1]
    lengths = [int(one.split(" ")[1].split("⟧")[0]) for one in (posix, mode)]
    # Eleven ends of lines, each with one character more.
    assert lengths == [955, 966]


def test_the_classic_shell_tells_exit_code_time_and_output() -> None:
    of = older(_SKILL, "exec", "hello")
    at = begin(of)
    at.step(turn(Prompted(text="hello")), of)
    called = Called(id="c1", name="shell_command", input='{"command": "cat SKILL.md"}')
    ran = Ran(chunk="", seconds="2.2", code="0", printed=Printed(text="---\r\nname: docx\r\n"))
    events = (Replied(blocks=(called,)), Returned(call="c1", outcome=ran))
    output = items(at.step(turn(*events), of))[-1]
    assert output == {
        "type": "function_call_output",
        "call_id": "c1",
        "output": "Exit code: 0\nWall time: 2.2 seconds\nOutput:\n---\r\nname: docx\r\n",
    }


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("ls", "ls"),
        ("", "''"),
        ("a b", "'a b'"),
        ("it's", '"it\'s"'),
        ("a$b 'c'", "'a$b '\"'c'\""),
        ("a\\b", '"a\\\\b"'),
        ("^x", "'^x'"),
        ("é", "'é'"),
    ],
)
def test_a_command_line_is_quoted_as_the_client_quotes_it(word: str, quoted: str) -> None:
    assert line(["sh", word]) == f"sh {quoted}"


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({}, {"type": "object", "properties": {}}),
        ({"type": ["string", "null"]}, {"type": "string"}),
        (
            {"type": "integer", "description": "d", "minimum": 1},
            {"type": "number", "description": "d"},
        ),
        (
            {"anyOf": [{"type": "number"}], "description": "d"},
            {"type": "string", "description": "d"},
        ),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        ({"prefixItems": []}, {"type": "array", "items": {"type": "string"}}),
        ({"exclusiveMinimum": 1}, {"type": "number"}),
        (
            {"properties": {"b": True, "a": {}}, "description": "gone", "required": ["b"]},
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                "required": ["b"],
            },
        ),
    ],
)
def test_a_schema_keeps_one_type_and_what_that_type_has(schema: Any, sent: Any) -> None:
    whole: Any = {"type": "object", "properties": {"p": schema}} if schema else schema
    wanted = {"type": "object", "properties": {"p": sent}} if schema else sent
    made = encode(plain(whole, Origin(Kind.LISTING, "probe/x"))).body
    assert made == json.dumps(wanted, separators=(",", ":")).encode()


@pytest.mark.parametrize("schema", [[], {"type": "null"}, {"properties": {"a": {"type": "null"}}}])
def test_a_schema_with_a_type_it_does_not_know_is_unreadable(schema: Any) -> None:
    with pytest.raises(Unreadable):
        plain(schema, Origin(Kind.LISTING, "probe/x"))


def test_numbers_are_doubles_but_for_whole_ones_of_64_bits() -> None:
    given = [
        "1.50",
        "1e3",
        "-0",
        "0.00001",
        "0.0000001",
        "1e16",
        "18446744073709551615",
        "18446744073709551616",
    ]
    assert [double_number(text) for text in given] == [
        "1.5",
        "1000.0",
        "-0.0",
        "0.00001",
        "1e-7",
        "1e+16",
        "18446744073709551615",
        "1.8446744073709552e+19",
    ]
