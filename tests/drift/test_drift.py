import json
from collections.abc import Mapping
from typing import Any

import pytest

from inspector.drift import Sent, compare
from inspector.text import Built, Kind, Known, Mask, Origin, Text, Value, encode, text
from tests.commands import Run
from tests.conftest import ROOT

LITERAL = Origin(Kind.LITERAL, "greeting")
RULE = Origin(Kind.FILE, "/ws/CLAUDE.md")
ID = Mask(Kind.MASK, "session", "[0-9a-f]{4}", 4, recurs=True)


def sent(
    *,
    system: str = "Hello.",
    tools: tuple[str, ...] = ("Bash", "Read"),
    rule: tuple[str, ...] = ("system",),
    marked: int = 0,
    betas: str = "one,two",
    **params: Value,
) -> Sent:
    """A request made by hand."""
    blocks: list[Value] = [
        {"type": "text", "text": text(system, LITERAL)},
        {"type": "text", "text": text("Be brief.", RULE) if "system" in rule else "-"},
    ]
    chosen = blocks[marked]
    assert isinstance(chosen, Mapping)
    blocks[marked] = {**chosen, "cache_control": {"type": "ephemeral"}}
    words = text("hi", Origin(Kind.PROMPT, "prompt"))
    if "message" in rule:
        words += text("Be brief.", RULE)
    value: Value = {
        "model": "m",
        "messages": [{"role": "user", "content": [{"type": "text", "text": words}]}],
        "system": blocks,
        "tools": [{"name": name, "input_schema": {"type": "object"}} for name in tools],
        "metadata": {"user_id": text("⟦mask session⟧", ID)},
        **params,
    }
    made = encode(value, {})
    headers = (("anthropic-beta", text(betas, LITERAL)), ("X-Session", text("ab", ID)))
    return Sent([Built(made.body, made.groups, (), headers)], {"/ws": "."})


def rows(a: Sent, b: Sent) -> list[tuple[str, str, str, str | None, str | None]]:
    found = compare(a, b, "default").rows
    return [(row.aspect.value, row.name, row.verdict, row.a, row.b) for row in found]


def test_two_versions_that_send_the_same_have_no_drift() -> None:
    assert rows(sent(), sent()) == []


def test_a_tool_that_came_and_one_that_went_are_told_once_each() -> None:
    assert rows(sent(), sent(tools=("Bash", "Write"))) == [
        ("tools", "Read", "removed", "sent", None),
        ("tools", "Write", "added", None, "sent"),
    ]


def test_tools_in_another_order_are_reordered() -> None:
    assert rows(sent(tools=("A", "B", "C")), sent(tools=("C", "A", "D", "B"))) == [
        ("tools", "D", "added", None, "sent"),
        ("tools", "order", "reordered", "A, B, C", "C, A, B"),
    ]


def test_params_and_betas_are_told_by_name() -> None:
    assert rows(sent(max_tokens=1), sent(max_tokens=2, stream=True, betas="two,three")) == [
        ("betas", "one", "removed", "sent", None),
        ("betas", "three", "added", None, "sent"),
        ("params", "max_tokens", "changed", "1", "2"),
        ("params", "stream", "added", None, "true"),
    ]


def test_a_text_of_the_client_is_shown_with_its_words() -> None:
    assert rows(sent(), sent(system="Hello!")) == [
        ("text", "greeting", "changed", "Hello.", "Hello!")
    ]


def test_a_rule_that_moved_has_another_place_and_the_same_size_there() -> None:
    place = "user message with the prompt"
    assert rows(sent(), sent(rule=("message",))) == [
        ("budgets", "file ./CLAUDE.md in system block 2", "removed", "9 characters", None),
        ("budgets", f"file ./CLAUDE.md in {place}", "added", None, "9 characters"),
        ("placement", "file ./CLAUDE.md", "changed", "system block 2", place),
    ]


def test_a_cache_mark_that_moved_is_told_by_its_place() -> None:
    assert rows(sent(), sent(marked=1)) == [
        (
            "cache marks",
            "cache marks",
            "changed",
            "system block 1 of 2 {type:ephemeral}",
            "system block 2 of 2 {type:ephemeral}",
        )
    ]


def test_a_text_whose_words_are_not_at_hand_counts_with_its_length_as_an_estimate() -> None:
    known = Known(Kind.KNOWN, "long", "0" * 64, 5000)
    block: Value = {"type": "text", "text": Text([*text(known.placeholder, known).pieces])}
    user: Value = {"role": "user", "content": "hi"}
    body = encode({"model": "m", "messages": [user], "system": [block]}, {})
    sizes = compare(Sent([body], {}), Sent([body], {}), "custom").sizes
    (whole,) = [size for size in sizes if size.section == "whole"]
    assert (whole.a, whole.estimated) == (
        len(body.body) - len(known.placeholder.encode()) + 5000,
        True,
    )


@pytest.fixture
def demo(run: Run) -> dict[tuple[str, str, str], Any]:
    """All changes of the demo workspace over the March 2026 versions, by aspect, name and host."""
    code, out, _ = run("drift", "2.1.78", "2.1.88", "--json")
    assert code == 1
    return {(row["aspect"], row["name"], row["host"]): row for row in json.loads(out)["changes"]}


def test_march_2026_drifted_as_measured(demo: dict[tuple[str, str, str], Any]) -> None:
    # facts of the real clients: one tool on the default host and nine (golden every_row_tls), tools
    # in a fixed order and sorted, a listing of 16,000 and 8,000 columns, no cap and one of 250.
    added = [name for aspect, name, host in demo if (aspect, host) == ("tools", "default")]
    assert added == ["Agent", "Bash", "Edit", "Glob", "Grep", "Read", "Skill", "Write"]
    assert demo["tools", "order", "custom"]["verdict"] == "reordered"
    assert demo["behaviour", "tools.order", "both"]["b"] == "sorted"
    listing = demo["budgets", "limit of the skill listing", "both"]
    assert (listing["a"], listing["b"]) == ("16,000", "8,000")
    cap = demo["budgets", "limit skill.description", "both"]
    assert cap["b"] == "250"
    assert int(cap["a"].replace(",", "")) > 100_000
    marks = demo["cache marks", "cache marks", "default"]
    assert "scope:global" in marks["b"]
    assert "scope:global" not in marks["a"]


def test_between_march_and_november_2026_skills_moved_into_a_message_of_the_system(
    run: Run,
) -> None:
    found = json.loads(run("drift", "2.1.88", "2.1.332", "--host", "custom", "--json")[1])
    moved = {row["name"]: (row["a"], row["b"]) for row in found["changes"]}
    assert moved["mechanism skills"] == ("user message with the prompt", "system message")
    assert moved["mechanism environment"] == ("system block 3", "system message")
    assert found["counts"]["tools"] > 10


def test_the_document_has_the_documented_members(run: Run) -> None:
    document = json.loads(run("drift", "2.1.78", "2.1.88", "--json", "--host", "default")[1])
    assert document["a"] == {"version": "2.1.78", "profile": "2.1.78", "profile_exact": True}
    said = (ROOT / "docs/drift.md").read_text(encoding="utf-8")
    for item in (document, document["a"], document["sizes"][0], document["changes"][0]):
        assert [name for name in item if f"`{name}`" not in said] == []


def test_a_version_without_a_profile_is_refused_with_the_line_that_learns_it(run: Run) -> None:
    code, out, err = run("drift", "2.1.310", "2.1.332")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no profile for this version" in err
    assert "`inspector learn --client claude-code --client-version 2.1.310 --install`" in err
    assert "--nearest" in err


def test_a_nearest_profile_is_used_only_when_asked_and_told_loudly(run: Run) -> None:
    code, out, err = run("drift", "2.1.100", "2.1.332", "--nearest", "--host", "custom")
    assert code == 1
    assert "2.1.100 (NOT KNOWN: the profile of 2.1.88 stands in)" in out
    assert "claude-code 2.1.100: no profile for this version; the nearest older one" in err


def test_one_version_of_codex_has_no_drift_against_itself(run: Run) -> None:
    code, out, _ = run("drift", "0.171.0", "0.171.0", "--client", "codex", "--json")
    assert (code, json.loads(out)["changes"]) == (0, [])
    code, _, err = run("drift", "0.170.0", "0.171.0", "--client", "codex")
    assert (code, "there are those of 0.116.0, 0.171.0" in err) == (2, True)


def test_markdown_is_tables_with_as_many_cells_in_each_row(run: Run) -> None:
    out = run("drift", "2.1.78", "2.1.88", "--markdown")[1]
    assert out.startswith("# claude-code 2.1.78 → 2.1.88, workspace demo\n")
    widths: set[int] = set()
    for line in out.splitlines():
        if not line.startswith("|"):
            assert len(widths) <= 1
            widths = set()
        else:
            widths.add(line.replace("\\|", "").count("|"))


def test_a_workspace_of_ones_own_is_read_from_disk(run: Run, tmp_path: Any) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "ws/CLAUDE.md").write_text("Speak of gulls.\n")
    words = ("--workspace", tmp_path / "ws", "--home", tmp_path / "home", "--json")
    found = json.loads(run("drift", "2.1.78", "2.1.332", *words)[1])
    rows = {row["name"]: row for row in found["changes"]}
    name = "file ./CLAUDE.md in user message with the prompt"
    assert (rows[name]["a"], rows[name]["b"]) == ("16 characters", "15 characters")
    assert rows["mechanism date"]["b"] == "system message"
