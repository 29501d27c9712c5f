"""Results of tools: what the world said is input, what the client wrote is built or adopted."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.text import Built, ByteClass
from inspector.turns import (
    Answered,
    Called,
    Event,
    Expanded,
    Prompted,
    Replied,
    Returned,
    Shelled,
    Told,
    Turn,
)
from inspector.verify import compare
from tests.clients.claude_code.place import Place, called


def _step(place: Place, *events: Event) -> tuple[Built, Turn]:
    """The request after one call, and the turn as it was used."""
    session = place.begin()
    session.step(Turn(events=(Prompted(text="hello"),)), place.world())
    built = session.step(Turn(events=events), place.world())
    return built, session.turns[-1]


def _used(tmp_path: Path, reply: Replied, given: Returned) -> Returned:
    place = Place(tmp_path).write({"ws/a.txt": "one\n"})
    _, turn = _step(place, reply, given)
    return next(event for event in turn.events if isinstance(event, Returned))


def _classes(built: Built) -> dict[ByteClass, str]:
    """The texts of the last result, by class of their bytes."""
    body = built.body.decode()
    start = body.rindex('"tool_result"')
    out: dict[ByteClass, str] = {}
    for run in built.runs:
        if run.start >= start:
            kind = run.origin.byte_class
            out[kind] = out.get(kind, "") + built.body[run.start : run.end].decode()
    return out


@pytest.mark.parametrize(
    ("said", "error", "outcome"),
    [
        ("hi\nthere", False, Shelled(printed="hi\nthere")),
        ("(Bash completed with no output)", False, Shelled()),
        ("out\nShell cwd was reset to {cwd}", False, Shelled(printed="out", reset=True)),
        ("Shell cwd was reset to {cwd}", False, Shelled(reset=True)),
        ("Exit code 1", True, Shelled(code="1")),
        ("Exit code 3\nout\nerr", True, Shelled(code="3", printed="out\nerr")),
        (
            "Exit code 1\na\n\n... [7 characters truncated] ...\n\nz",
            True,
            Shelled(code="1", printed="a", rest="z", left_out="7"),
        ),
        (
            "<persisted-output>\nOutput too large (31KB). Full output saved to: /x/b12345678.txt\n\n"
            "Preview (first 2KB):\nhead\n...\n</persisted-output>",
            False,
            Shelled(printed="head", size="31KB"),
        ),
    ],
)
def test_a_shell_result_is_read_down_to_what_was_printed(
    tmp_path: Path, said: str, error: bool, outcome: Shelled
) -> None:
    said = said.replace("{cwd}", str(tmp_path / "ws"))
    given = Returned(call="toolu_1", text=said, error=error)
    assert _used(tmp_path, called(1, "Bash", command="x"), given).outcome == outcome


@pytest.mark.parametrize(
    ("name", "said", "error"),
    [
        ("Bash", "Exit kode 1", True),
        (
            "Bash",
            "Command running in background with ID: b1. Output is being written to: /x",
            False,
        ),
        ("Bash", "touch in '/x' needs approval.", True),
        ("Edit", "The file is fine now.", False),
        ("Write", "File written, more or less", False),
        ("CronList", "no jobs", False),
        ("mcp__s__t", "MCP error -32000: Connection closed", True),
        ("mcp__s__t", "<persisted-output>\nOutput too large", False),
    ],
)
def test_words_of_the_clients_that_are_not_known_are_adopted_and_no_input(
    tmp_path: Path, name: str, said: str, error: bool
) -> None:
    place = Place(tmp_path, argv=("-p", "hello", "--tools", f"Bash,Edit,Write,{name}")).write({})
    call = called(1, name, command="x", file_path="a", content="b", old_string="c", new_string="d")
    if name == "Bash":
        call = called(1, name, command="x")
    elif name == "Edit":
        call = called(1, name, file_path="a", old_string="c", new_string="d")
    elif name == "Write":
        call = called(1, name, file_path="a", content="b")
    if name.startswith(("mcp__", "Cron")):
        from tests.clients.claude_code.test_mcp import listing, tool

        place = Place(tmp_path, listings=(listing("s", tool("t")),)).write({})
    built, _ = _step(place, call, Returned(call="toolu_1", text=said, error=error))
    found = _classes(built)
    assert (found.get(ByteClass.ADOPTED), said in found.get(ByteClass.INPUT, "")) == (
        "⟦adopted⟧",
        False,
    )


def test_the_clients_own_words_around_a_result_are_built_not_taken(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    given = Returned(call="toolu_1", text="Exit code 3\nout", error=True)
    built, _ = _step(place, called(1, "Bash", command="x"), given)
    found = _classes(built)
    assert "}3outtoolu_1" in found[ByteClass.INPUT]
    changed = built.body.replace(b"Exit code 3", b"Exit kode 3")
    before = {item.path for item in compare(built, built.body, {}).differences}
    after = {item.path for item in compare(built, changed, {}).differences}
    assert after - before == {"/messages/3/content/0/content"}


@pytest.mark.parametrize(
    ("name", "arguments", "said", "error", "literal"),
    [
        ("Edit", ("file_path", "old_string", "new_string"), "The file {file_path} has been updated "
         "successfully. (file state is current in your context — no need to Read it back)",
         False, "result.updated"),
        ("Write", ("file_path", "content"), "File created successfully at: {file_path} (file state "
         "is current in your context — no need to Read it back)", False, "result.created"),
        ("Edit", ("file_path", "old_string", "new_string"),
         "<tool_use_error>String to replace not found in file.\nString: {old_string}</tool_use_error>",
         True, "error.no_text"),
        ("WebFetch", ("url", "prompt"),
         "Claude requested permissions to use WebFetch, but you haven't granted it yet.",
         True, "error.permission"),
    ],
)  # fmt: skip
def test_results_that_the_client_makes_are_rebuilt(
    tmp_path: Path, name: str, arguments: tuple[str, ...], said: str, error: bool, literal: str
) -> None:
    values = {key: f"/some/{key}" for key in arguments}
    for key, value in values.items():
        said = said.replace("{" + key + "}", value)
    place = Place(tmp_path).write({})
    given = Returned(call="toolu_1", text=said, error=error)
    built, turn = _step(place, called(1, name, **values), given)
    assert turn.events[-1] == Returned(call="toolu_1", error=error, outcome=Told(name=literal))
    body = json.loads(built.body)
    assert body["messages"][3]["content"][0]["content"] == said
    assert ByteClass.ADOPTED not in _classes(built)


@pytest.mark.parametrize(
    ("values", "faults"),
    [
        ({}, "issue:\nThe required parameter `command` is missing"),
        (
            {"command": 5, "more": True},
            "issues:\nAn unexpected parameter `more` was provided\nThe parameter `command` type is "
            "expected as `string` but provided as `number`",
        ),
    ],
)
def test_an_input_that_does_not_fit_is_refused_in_the_clients_words(
    tmp_path: Path, values: dict[str, Any], faults: str
) -> None:
    place = Place(tmp_path).write({})
    built, _ = _step(place, called(1, "Bash", **values), Returned(call="toolu_1", error=True))
    said = json.loads(built.body)["messages"][3]["content"][0]["content"]
    head = "<tool_use_error>InputValidationError: Bash failed due to the following "
    assert said == f"{head}{faults}</tool_use_error>"


def test_the_body_of_a_shipped_skill_is_adopted(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    given = Returned(call="toolu_1", text="# The whole body\n\nof a skill of the client's own")
    built, turn = _step(place, called(1, "Skill", skill="code-review"), given)
    assert turn.events[-1] == Returned(call="toolu_1", outcome=Expanded())
    assert "whole body" not in built.body.decode()
    assert "⟦adopted⟧" in _classes(built)[ByteClass.ADOPTED]


def test_only_what_a_skills_shell_printed_is_left_of_its_recorded_text(tmp_path: Path) -> None:
    skill = "---\ndescription: d\n---\nnow: !`date` and $0\n"
    place = Place(tmp_path).write({"ws/.claude/skills/clock/SKILL.md": skill})
    folder = f"{place.cwd}/.claude/skills/clock"
    recorded = f"Base directory for this skill: {folder}\n\nnow: noon and x\n"
    given = Returned(call="toolu_1", text=recorded)
    built, turn = _step(place, called(1, "Skill", skill="clock", args="x"), given)
    assert turn.events[-1] == Returned(call="toolu_1", outcome=Expanded(printed=("noon",)))
    assert recorded in [
        block.get("text") for block in json.loads(built.body)["messages"][3]["content"]
    ]


def test_a_skill_body_that_is_not_the_builders_own_is_no_input(tmp_path: Path) -> None:
    skill = "---\ndescription: d\n---\nnow: !`date`\n"
    place = Place(tmp_path).write({"ws/.claude/skills/clock/SKILL.md": skill})
    given = Returned(call="toolu_1", text="another body altogether")
    built, _ = _step(place, called(1, "Skill", skill="clock"), given)
    assert "another body" not in built.body.decode()
    assert "⟦adopted⟧" in _classes(built)[ByteClass.ADOPTED]


def test_what_is_read_once_stays_as_it_is(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    call = called(1, "Bash", command="x")
    for outcome in (Shelled(printed="Exit code 1"), Shelled(code="1", printed="Exit code 2")):
        given = Returned(call="toolu_1", error=outcome.code is not None, outcome=outcome)
        assert _step(place, call, given)[1].events[-1] == given


def test_a_servers_answer_is_read_back_from_what_the_client_sent(tmp_path: Path) -> None:
    from tests.clients.claude_code.test_mcp import listing, tool

    place = Place(tmp_path, listings=(listing("s", tool("t")),)).write({})
    sent = [{"type": "text", "text": "[Resource from s at res://e] EMB"}]
    given = Returned(call="toolu_1", raw=json.dumps(sent))
    built, turn = _step(place, called(1, "mcp__s__t"), given)
    resource = {"type": "resource", "resource": {"uri": "res://e", "text": "EMB"}}
    used = turn.events[-1]
    assert isinstance(used, Returned)
    assert isinstance(used.outcome, Answered)
    assert json.loads(used.outcome.result) == {"content": [resource]}
    assert json.loads(built.body)["messages"][3]["content"][0]["content"] == sent


def test_a_read_that_the_snapshot_lacks_says_so() -> None:
    from inspector.clients.claude_code import results

    given = Returned(call="c", text="1\tx")
    call = Called(id="c", name="Read", input='{"file_path":"/gone"}')
    kept = results.not_kept(call, given)["content"]
    assert [str(piece.origin.kind) for piece in getattr(kept, "pieces", ())] == ["file-not-kept"]
    lost = results.not_kept(call, Returned(call="c"))["content"]
    assert [str(piece.origin.kind) for piece in getattr(lost, "pieces", ())] == ["adopted"]


def test_a_search_is_built_whatever_stands_between_the_words_of_a_term(tmp_path: Path) -> None:
    place = Place(tmp_path).write({})
    raw = '[{"type":"tool_reference","tool_name":"WebFetch"}]'
    for query in ("fetch", "git-worktree", "claude.ai", "select:WebFetch"):
        built, _ = _step(
            place, called(1, "ToolSearch", query=query), Returned(call="toolu_1", raw=raw)
        )
        assert ByteClass.ADOPTED not in _classes(built)


@pytest.mark.parametrize(
    ("said", "error", "outcome"),
    [
        ("(mcp__s__t completed with no output)", False, Answered(result='{"content":[]}')),
        (
            "Claude requested permissions to use mcp__s__t, but you haven't granted it yet.",
            True,
            Told(name="error.permission"),
        ),
    ],
)
def test_the_clients_sentences_about_a_server_are_rebuilt(
    tmp_path: Path, said: str, error: bool, outcome: Answered | Told
) -> None:
    from tests.clients.claude_code.test_mcp import listing, tool

    place = Place(tmp_path, listings=(listing("s", tool("t")),)).write({})
    given = Returned(call="toolu_1", text=said, error=error)
    built, turn = _step(place, called(1, "mcp__s__t"), given)
    assert turn.events[-1] == Returned(call="toolu_1", error=error, outcome=outcome)
    assert json.loads(built.body)["messages"][3]["content"][0]["content"] == said
    assert ByteClass.ADOPTED not in _classes(built)
