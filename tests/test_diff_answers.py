"""The first line of `diff` names what changed, on recordings with one thing changed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspector import named, wire
from inspector.cli.offline import Situation, of_session
from inspector.diff import Rate, Side, compare
from inspector.explain import Change
from inspector.session import ExchangeKind
from inspector.terminal import parted
from inspector.views import changes
from inspector.workspace import World
from tests.commands import Run

GOLDEN = "captures/claude-code/2.1.332/every_row/r0"
NEWS = "captures/claude-code/2.1.332/mix_resumed_changes"


@pytest.fixture
def recorded(root: Path) -> Situation:
    found = of_session(str(root / GOLDEN), Path("unused"))
    return found.otherwise(lambda world: world)


def side(situation: Situation, number: int) -> Side:
    body = situation.bodies[number]

    def source(path: str) -> str | None:
        data = situation.world.tree.read(path)
        return None if data is None else data.decode()

    return Side(body.exchange, wire.split(body.sent), body.built, source)


def answer(
    recorded: Situation, change: Callable[[World], World], number: int = 0
) -> tuple[str, list[dict[str, Any]]]:
    other = recorded.otherwise(change)
    pairs = compare([side(recorded, number)], [side(other, number)])
    rows = [row for pair in pairs for row in changes.rows(pair, Rate())]
    return parted.answer(rows), rows


def file(recorded: Situation, name: str) -> str:
    return f"{recorded.world.environment.cwd}/{name}"


def test_an_edited_rule_is_named_with_its_line_and_words(recorded: Situation) -> None:
    path = file(recorded, "CLAUDE.md")
    edited = Change(added={path: b"project memory\nand brevity\n@docs/more.md\n"})
    told, rows = answer(recorded, edited.of)
    assert told.startswith(f"1 difference; the first: changed, {path}:")
    (edit,) = rows[0]["edits"]
    assert (edit["before"], edit["after"]) == ("", "and brevity\n")
    assert edit["source_b"] == {"kind": "file", "name": path, "line": 2}


def test_a_change_before_the_mark_breaks_the_cached_prefix_and_says_what_it_costs(
    recorded: Situation,
) -> None:
    path = file(recorded, "CLAUDE.md")
    told, rows = answer(recorded, Change(added={path: b"another project memory\n"}).of)
    (effect,) = [row["cache_effect"] for row in rows if row["cache_effect"]]
    assert (effect["cause"], effect["bytes_sent_anew"] > 100) == ("HISTORY-EDITED", True)
    assert told.endswith(f"breaks the cached prefix: {effect['bytes_sent_anew']:,} bytes")


def test_a_dropped_skill_is_named_by_its_file(recorded: Situation) -> None:
    path = file(recorded, ".claude/skills/hard/SKILL.md")
    told, rows = answer(recorded, Change(removed=frozenset({path})).of)
    assert told.startswith(f"1 difference; the first: changed, {path}:")
    assert rows[0]["edits"][0]["before"].strip().startswith("- hard")


def listed(tool: str, with_: Mapping[str, Any]) -> Callable[[World], World]:
    """A world whose server says something else of one tool."""

    def change(world: World) -> World:
        (one,) = world.listings
        assert one.tools is not None
        found = json.loads(one.tools)
        found["tools"] = [
            {**item, **with_} if item["name"] == tool else item for item in found["tools"]
        ]
        return replace(world, listings=(one.model_copy(update={"tools": json.dumps(found)}),))

    return change


def test_a_changed_schema_is_named_by_its_server_and_tool(recorded: Situation) -> None:
    schema = {"type": "object", "properties": {"new": {"type": "string"}}}
    told, rows = answer(recorded, listed("zeta", {"inputSchema": schema}), -1)
    assert told.startswith("1 difference; the first: changed, mcp one/zeta, at /tools/")
    assert rows[0]["inside"] == [f"/input_schema/properties/{name}" for name in ("x", "new")]


def test_a_tool_list_in_another_order_is_none_to_this_client(recorded: Situation) -> None:
    def turned(world: World) -> World:
        (one,) = world.listings
        assert one.tools is not None
        found = json.loads(one.tools)
        found["tools"] = found["tools"][::-1]
        return replace(world, listings=(one.model_copy(update={"tools": json.dumps(found)}),))

    assert answer(recorded, turned, -1) == ("no difference", [])


def edited(root: Path, tmp_path: Path, number: int, change: Callable[[Any], None]) -> list[str]:
    """A main request of the recording, and a file of it with something changed, as `diff` takes."""
    found = named.find(str(root / GOLDEN), Path("unused")).recording
    main = [item for item in found.exchanges if item.kind is ExchangeKind.MAIN]
    value = json.loads(main[number].request)
    change(value)
    file = tmp_path / "edited.json"
    file.write_text(json.dumps(value, separators=(",", ":"), ensure_ascii=False))
    return [main[number].id, str(root / GOLDEN) + f":{main[number].number}", str(file)]


def test_a_tool_list_that_a_proxy_reordered_names_the_server_and_tool_that_moved(
    run: Run, root: Path, tmp_path: Path
) -> None:
    def first(value: Any) -> None:
        tools = value["tools"]
        number = next(n for n, tool in enumerate(tools) if tool["name"] == "mcp__one__zeta")
        tools.insert(0, tools.pop(number))

    _, *both = edited(root, tmp_path, -1, first)
    code, out, _ = run("diff", *both)
    told = "1 difference; the first: moved, mcp one/zeta, at /tools/0"
    assert (code, out.splitlines()[0]) == (1, told)


def test_a_rule_edited_in_a_recorded_body_names_its_file_and_line(
    run: Run, root: Path, tmp_path: Path
) -> None:
    def shout(value: Any) -> None:
        text = json.dumps(value["messages"], ensure_ascii=False)
        value["messages"] = json.loads(text.replace("project memory", "PROJECT memory"))

    _, *both = edited(root, tmp_path, 0, shout)
    code, out, _ = run("diff", *both)
    assert (code, "/CLAUDE.md:1, at /messages/0/content" in out.splitlines()[0]) == (1, True)


def test_what_has_no_meaning_is_counted_by_its_kind_and_told_when_asked(
    run: Run, root: Path
) -> None:
    pair = (f"{root / GOLDEN}:m1", f"{root / GOLDEN}:m2")
    plain, strict = run("diff", *pair)[1], run("diff", *pair, "--strict")[1]
    assert plain.startswith("2 differences, 1 without a meaning (1 moved-mark); the first: added")
    assert strict.startswith("3 differences; the first: moved-mark")


def test_a_session_that_goes_on_names_the_rule_that_changed_meanwhile(run: Run, root: Path) -> None:
    code, out, _ = run("diff", f"{root / NEWS}/r0:m1", f"{root / NEWS}/r1:m1", "--json")
    found = [row for row in json.loads(out)["changes"] if row["verdict"] == "added"]
    files = [
        row["origin_b"].rpartition("/ws/")[2] for row in found if row["origin_b"][:4] == "file"
    ]
    assert (code, files) == (1, ["CLAUDE.md", ".claude/skills/new/SKILL.md"])


def test_the_table_is_followed_by_the_words_on_one_line_each(run: Run, root: Path) -> None:
    classic = GOLDEN.replace("every_row", "every_row_classic")
    code, out, _ = run("diff", f"{root / GOLDEN}:m1", f"{root / classic}:m1")
    lines = out.splitlines()
    assert code == 1
    assert "the first: changed, the environment (--model), at /model" in lines[0]
    assert "  claude-opus-[-5-5-]{+4-6+}" in lines
    assert not any(char in out for char in "\x1b\x07")


def test_what_was_rebuilt_is_compared_with_what_was_sent(run: Run, root: Path) -> None:
    code, out, _ = run("diff", str(root / GOLDEN), "--built")
    assert (code, out.strip()) == (0, "no difference")


def test_strict_counts_what_has_no_meaning(run: Run, root: Path) -> None:
    pair = (f"{root / GOLDEN}:m1", f"{root / GOLDEN}:m1")
    assert run("diff", *pair, "--strict")[0] == 0
    found = json.loads(run("diff", f"{root / GOLDEN}:m1", f"{root / GOLDEN}:m2", "--json")[1])
    assert {row["benign"] for row in found["changes"]} == {True, False}


@pytest.mark.parametrize("words", [(), ("other", "--built")])
def test_two_sides_are_named_or_one_with_built(
    run: Run, root: Path, words: tuple[str, ...]
) -> None:
    code, _, err = run("diff", str(root / GOLDEN), *words)
    assert (code, err.count("\n"), "name A and B, or A and --built" in err) == (2, 1, True)


def body(tmp_path: Path, name: str, words: str) -> str:
    message = {"role": "user", "content": [{"type": "text", "text": words}]}
    path = tmp_path / name
    path.write_text(json.dumps({"model": "m", "max_tokens": 1, "messages": [message]}))
    return str(path)


def test_markdown_keeps_hostile_text_in_its_fence(run: Run, tmp_path: Path) -> None:
    old = body(tmp_path, "a.json", "say it now \x1b[31m")
    new = body(tmp_path, "b.json", "say ```` now | # <b> \u202e")
    code, out, _ = run("diff", old, new, "--markdown")
    lines = out.splitlines()
    fences = [line for line in lines if line.startswith("`````")]
    assert (code, fences) == (1, ["`````diff", "`````"])
    assert lines[0] == "**1 difference; the first: changed, /messages/0/content/0**"
    assert not set("\x1b\u202e") & set(out)
    row = next(line for line in lines if line.endswith("|  |"))
    assert row.count("|") == 6


def test_a_narrow_terminal_gets_paragraphs(
    run: Run, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    pair = (f"{root / NEWS}/r0:m1", f"{root / NEWS}/r1:m1")
    code, out, _ = run("diff", *pair)
    assert (code, "verdict" in out) == (1, True)


def test_what_is_no_text_is_told_with_what_was_and_what_is(run: Run, tmp_path: Path) -> None:
    schemas = ('{"a":1,"c":[1],"e":{}}', '{"a":2.50,"c":[1,"x"],"d":{"n":true}}')
    for name, schema in zip("ab", schemas, strict=True):
        tool = f'{{"name":"t","input_schema":{schema}}}'
        body = f'{{"model":"m","messages":[],"tools":[{tool}],"max_tokens":{schema[5]}}}'
        (tmp_path / name).write_text(body)
    code, out, _ = run("diff", *(str(tmp_path / name) for name in "ab"))
    lines = out.splitlines()
    places = ("/max_tokens", *(f"/tools/0/input_schema/{name}" for name in ("a", "c/1", "e", "d")))
    words = ("[-1-]{+2+}", "[-1-]{+2.50+}", '{+"x"+}', "[-{}-]", '{+{"n":true}+}')
    told = [
        line for pair in zip(places, (f"  {one}" for one in words), strict=True) for line in pair
    ]
    assert (code, lines[-len(told) :]) == (1, told)
