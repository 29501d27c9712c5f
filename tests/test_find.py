"""`inspector find`: every place of a text in what was sent, its source, or what is nearest."""

import json
from pathlib import Path
from typing import Any

from inspector import named
from inspector.explain import Body, nearest, sightings
from inspector.jsontext import parse
from inspector.text import Kind, Origin, encode, text
from tests.commands import Run

GOLDEN = "captures/claude-code/2.1.332/every_row/r0"
RULE = Origin(Kind.FILE, "/w/CLAUDE.md")
SAID = Origin(Kind.REPLY, "msg")


def body(exchange: str, *parts: str, sent: bytes | None = None) -> Body:
    """A request whose strings come from a rule and a reply by turns."""
    values = [text(part, (RULE, SAID)[number % 2]) for number, part in enumerate(parts)]
    built = encode({"system": values[0] + values[1], "rest": values[2:]})
    return Body(exchange, built.body if sent is None else sent, built)


def places(bodies: list[Body], wanted: str, *, fold: bool = False) -> list[tuple[Any, ...]]:
    found = sightings(bodies, wanted, fold=fold)
    return [
        (item.landing.exchange, item.landing.start, item.sources, item.requests) for item in found
    ]


def test_a_text_across_two_sources_names_both_and_is_counted_in_each_request() -> None:
    bodies = [body("a", "be brief. ", "Yes."), body("b", "be brief. ", "Yes.")]
    assert places(bodies, "brief. Y") == [
        ("a", 3, ("file /w/CLAUDE.md", "reply msg"), 2),
    ]


def test_case_counts_unless_told_otherwise() -> None:
    bodies = [body("a", "Be Brief", "")]
    assert places(bodies, "be brief") == []
    assert places(bodies, "be brief", fold=True) == [("a", 0, ("file /w/CLAUDE.md",), 1)]


def test_what_was_sent_otherwise_than_built_has_no_source() -> None:
    sent = b'{"system":"be brief, please","rest":[]}'
    assert places([body("a", "be brief", "", sent=sent)], "brief") == [("a", 3, (), 1)]


def test_a_body_that_is_no_json_is_looked_through_as_text() -> None:
    assert places([Body("a", b"be brief \xff", None)], "brief") == [("a", 3, (), 1)]


def test_of_a_text_that_is_nowhere_the_nearest_place_is_told() -> None:
    near = nearest([body("a", "Always answer in plain words.", "ok")], "answer in plane words")
    assert near is not None
    assert (near.text, near.sources) == ("answer in plain words", ("file /w/CLAUDE.md",))
    assert near.likeness >= 90
    assert nearest([body("a", "Always answer.", "ok")], "entirely other characters") is None


def document(run: Run, *words: str) -> tuple[int, dict[str, Any]]:
    code, out, _ = run("find", *words, "--json")
    (item,) = json.loads(out)["items"]
    return code, item


def test_every_place_of_a_golden_holds_the_text(run: Run, root: Path) -> None:
    code, item = document(run, "src", str(root / GOLDEN))
    recording = named.find(str(root / GOLDEN), Path("unused")).recording
    sent = {exchange.id: exchange.request for exchange in recording.exchanges}
    texts: set[str] = set()
    for place in item["places"]:
        node = parse(sent[place["exchange"]]).find(place["path"])
        assert node is not None
        texts.add(node.string[place["start"] : place["end"]])
    assert (code, texts, len(item["places"]) > 3) == (0, {"src"}, True)


def test_a_marker_that_is_nowhere_ends_with_one_and_names_the_nearest(run: Run, root: Path) -> None:
    code, out, _ = run("find", "when src is tuched", str(root / GOLDEN))
    lines = out.splitlines()
    assert code == 1
    assert lines[0] == "'when src is tuched': nowhere in the requests"
    assert "'when src is touched'" in lines[1]
    assert "/.claude/rules/cond.md" in lines[2]


def test_an_empty_text_is_refused_in_one_line(run: Run) -> None:
    code, _, err = run("find", "")
    assert (code, err.count("\n")) == (2, 1)
