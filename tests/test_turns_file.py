"""A turns file written by hand, from docs/turns-format.md alone."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from inspector import cli, folder, named
from inspector.turns import Event, Outcome, ReplyBlock, Returned
from inspector.turns.outcome import ScriptPart

type Build = Callable[[str], tuple[int, str]]

HEAD = "client: claude-code\nversion: 2.1.332\n"
ASKED = "turns:\n- events: [{type: prompted, text: hi}]\n- events:\n"
CALLED = "  - {type: replied, id: m, blocks: [{type: called, id: t1, name: Bash, input: %s}]}\n"


@pytest.fixture
def examples(root: Path) -> list[str]:
    """The two files the page shows."""
    page = (root / "docs/turns-format.md").read_text(encoding="utf-8")
    return re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)


@pytest.fixture
def build(
    tmp_path: Path,
    examples: list[str],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Build:
    """Build a turns file on a small workspace; the code and what was said."""
    monkeypatch.setenv("INSPECTOR_DATA", str(tmp_path / "data"))
    skill = tmp_path / "ws/.claude/skills/greet/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\ndescription: greets\n---\nSay hello to $ARGUMENTS.\n", encoding="utf-8")
    (tmp_path / "ws/a.txt").write_text("one\n", encoding="utf-8")
    (tmp_path / "home").mkdir()
    (tmp_path / "facts.yaml").write_text(examples[1], encoding="utf-8")

    def built(turns: str) -> tuple[int, str]:
        (tmp_path / "turns.yaml").write_text(turns, encoding="utf-8")
        places = ["--workspace", "ws", "--home", "home", "--out", "out"]
        files = ["--turns", "turns.yaml", "--environment", "facts.yaml"]
        capfd.readouterr()
        code = cli.main(["build", "--client", "claude-code", *places, *files])
        return code, capfd.readouterr().err

    monkeypatch.chdir(tmp_path)
    return built


def test_the_pages_example_builds_and_the_client_makes_what_is_its_own(
    build: Build, tmp_path: Path, examples: list[str]
) -> None:
    assert build(examples[0]) == (0, "")
    messages = json.loads((tmp_path / "out/002.json").read_bytes())["messages"]
    assert messages[-2]["content"][1:] == [
        {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}},
        {
            "type": "tool_use",
            "id": "toolu_2",
            "name": "Skill",
            "input": {"skill": "greet", "args": "Ann"},
        },
        {
            "type": "tool_use",
            "id": "toolu_3",
            "name": "Read",
            "input": {"file_path": "/home/ann/project/a.txt"},
        },
    ]
    results = [block.get("content", block.get("text")) for block in messages[-1]["content"]]
    base = "Base directory for this skill: /home/ann/project/.claude/skills/greet"
    assert results == [
        "a.txt",
        "Launching skill: greet",
        "1\tone\n2\t",
        f"{base}\n\nSay hello to Ann.\n",
    ]


def test_the_page_names_every_event_block_and_outcome_with_all_their_fields(root: Path) -> None:
    page = (root / "docs/turns-format.md").read_text(encoding="utf-8")
    rows = {
        line.split("`")[1]: line for line in page.splitlines() if re.match(r"\| `\w+` \|", line)
    }
    for shape in (*_shapes(Event), *_shapes(ReplyBlock), *_shapes(Outcome)):
        fields = shape.model_fields
        row = rows[fields["type"].default]
        assert [name for name in fields if name != "type" and name not in row] == []
    parts = page.partition("`parts` of a script are")[2]
    names = [shape.model_fields["type"].default for shape in _shapes(ScriptPart)]
    assert [name for name in names if f"`{name}`" not in parts] == []


def _shapes(union: Any) -> Iterator[Any]:
    yield from get_args(get_args(union.__value__)[0])


@pytest.mark.parametrize(
    ("turns", "complaint"),
    [
        ("turns: []", "turns: there is none"),
        ("turns: hello", "(turns: is no list)"),
        ("turns: [[]]", "(turns.0: is no mapping of keys to values)"),
        ("turns: [{events: [{text: hi}]}]", "(turns.0.events.0: `type` is missing)"),
        ("turns: [{events: [{type: promted}]}]", "'promted' is no known type; known are"),
        ("turns: [{events: [{type: prompted, txt: a}]}]", "prompted.text: is missing"),
        ("turns: [{events: [{type: prompted, text: 1}]}]", "prompted.text: is no text; quote it"),
        ("turns: []\nturns: [[]]", "the key 'turns' is there twice"),
        ("turns: [{at: today}]", "turns.0.at: 'today' is no time"),
        ("files: [{path: /a, base64: '*'}]\n" + ASKED[:-10], "files.0.base64: no base64"),
        ("turns: [{files: [{path: /a, txt: b}]}]", "turns.0.files.0.txt: is no known key"),
        (
            ASKED[:-10] + "  folders: [{path: /a, entries: [[b, hole]]}]\n",
            "turns.0.folders.0.entries.0: it is no name and kind (file, directory, link, other)",
        ),
        (ASKED + "  - {type: returned, call: t, raw: '{'}", "turns.1.events.0.raw: no JSON"),
        (
            ASKED + "  - {type: returned, call: t, outcome: {type: answered, result: '{'}}",
            "turns.1.events.0.outcome.result: no JSON",
        ),
        (
            ASKED + "  - {type: returned, call: t, outcome: {type: unread, raw: '{'}}",
            "turns.1.events.0.outcome.raw: no JSON",
        ),
        (ASKED + "  - {type: replayed, messages: '{'}", "turns.1.events.0.messages: no JSON"),
        (
            ASKED + "  - {type: replied, blocks: [{type: other, raw: '{'}]}",
            "turns.1.events.0.blocks.0.raw: no JSON",
        ),
        (
            ASKED + "  - {type: hooked, event: PostToolUse, form: output, output: '{'}",
            "turns.1.events.0.output: no JSON",
        ),
    ],
)
def test_a_wrong_turns_file_is_one_line_that_names_the_place(
    build: Build, turns: str, complaint: str
) -> None:
    code, said = build(HEAD + turns + "\n")
    assert (code, said.count("\n"), complaint in said) == (2, 1, True), said


def test_a_result_that_is_missing_or_leads_nowhere_is_said(build: Build) -> None:
    call = CALLED % "{command: ls}"
    unmade = "out/002.json /messages/3/content/0/content: not made (the result of Bash is unknown)"
    assert build(HEAD + ASKED + call) == (0, f"inspector: {unmade}\n")
    stray = "turns.1.events.0: no reply before it makes the call 'x', so this result is left out"
    code, said = build(HEAD + ASKED + "  - {type: returned, call: x, text: lost}\n")
    assert (code, said) == (0, f"inspector: turns.yaml: {stray}\n")


def test_an_input_that_a_model_wrote_as_no_json_is_said_and_built(build: Build) -> None:
    code, said = build(HEAD + ASKED + CALLED % "'{bad'" + "  - {type: returned, call: t1}\n")
    place = "turns.1.events.0.blocks.0.input"
    assert (code, said.splitlines()[0]) == (
        0,
        f"inspector: turns.yaml: {place}: no JSON; built as a model's own mistake",
    )


READ = "  - {type: replied, blocks: [{type: called, id: %s, name: Read, input: {file_path: %s}}]}\n"


def test_a_turn_finds_files_as_the_turns_file_says(build: Build, tmp_path: Path) -> None:
    place = "/home/ann/project"
    changed = f"- files: [{{path: {place}/a.txt, text: two}}, {{path: {place}/b.txt, text: new}}]\n"
    gone = f"- files: [{{path: {place}/a.txt}}]\n"
    turns = [
        ASKED[:-10],
        "- events:\n" + READ % ("t1", f"{place}/a.txt"),
        changed + "  events:\n" + READ % ("t2", f"{place}/a.txt"),
        "- events:\n" + READ % ("t3", f"{place}/b.txt"),
        gone + "  events:\n" + READ % ("t4", f"{place}/a.txt"),
    ]
    code, said = build(HEAD + "".join(turns))
    missing = f"turns.4: a call reads {place}/a.txt, which is not there: an error is built"
    assert (code, said) == (0, f"inspector: {missing}\n")
    messages = json.loads((tmp_path / "out/005.json").read_bytes())["messages"]
    results = [
        block["content"]
        for message in messages
        if message["role"] == "user" and isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    assert results[:3] == ["1\tone\n2\t", "1\ttwo", "1\tnew"]
    assert results[3].startswith("File does not exist.")


def test_a_session_that_goes_on_from_one_not_in_the_file_is_said(build: Build) -> None:
    reply = "{type: replied, blocks: [{type: said, text: a}]}"
    code, said = build(HEAD + f"turns: [{{events: [{reply}, {{type: prompted, text: b}}]}}]\n")
    told = "it goes on from an earlier session, of which only what stands here is known"
    assert (code, said) == (0, f"inspector: turns.yaml: turns.0.events.0: {told}\n")


def test_the_turns_of_a_session_hold_nothing_that_the_client_makes_itself(root: Path) -> None:
    path = root / "captures/claude-code/2.1.332/skill_tool/r0"
    found = named.find(str(path), Path("unused"))
    captured = named.Found(replace(found.recording, turns=None), found.earlier)
    events = [event for turn in named.given(captured).turns for event in turn.events]
    results = [event for event in events if isinstance(event, Returned)]
    assert results
    assert [event.text for event in results if event.text is not None] == []
    assert named.given(captured) == folder.read_turns(path / "turns.yaml").model_copy(
        update={"turns": named.given(captured).turns}
    )


def test_a_file_that_was_read_is_in_no_turns_file_where_the_snapshot_keeps_it(root: Path) -> None:
    path = root / "captures/claude-code/2.1.332/rules_nested/r0"
    found = named.find(str(path), Path("unused"))
    captured = named.Found(replace(found.recording, turns=None), found.earlier)
    raw = [e for t in named.turns(captured.recording).turns for e in t.events]
    assert [event for event in raw if isinstance(event, Returned) and event.text]
    events = [event for turn in named.given(captured).turns for event in turn.events]
    results = [event for event in events if isinstance(event, Returned)]
    assert [(event.text, event.raw, event.outcome) for event in results] == [(None,) * 3] * 4
