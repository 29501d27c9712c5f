"""Heads of SKILL.md files, with what the real client (0.171.0) made of each."""

import pytest

from inspector.clients.codex.frontmatter import head
from inspector.text import Kind, Origin, text

_PATH = "/s/SKILL.md"


def _read(source: str) -> tuple[str, str] | None:
    found = head(text(source, Origin(Kind.FILE, _PATH)), _PATH)
    return (str(found.name), str(found.description)) if found else None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain words", "plain words"),
        ("a: b", "a: b"),
        ("a: b: c", "a: b: c"),
        ('a: "b" c', 'a: "b" c'),
        ("a: it's b", "a: it's b"),
        ('a: b\\c "d"', 'a: b\\c "d"'),
        ("a: b # c", "a: b"),
        ("a:\tb", "a: b"),
        ("@a b", "@a b"),
        ("`tick` b", "`tick` b"),
        ("[a b", "[a b"),
        ("[a] b", "[a] b"),
        ("{a: b}", "{a: b}"),
        ("&a b", "b"),
        ("&a: b", "&a: b"),
        ("*a: b", "*a: b"),
        ("%a: b", "%a: b"),
        ("!a: b", "b"),
        ("-a b", "-a b"),
        ("?a b", "?a b"),
        (": a b", ": a b"),
        ("= b", "= b"),
        ("4.50", "4.50"),
        ("text # comment", "text"),
        ("'it''s \"fine\"  two  spaces'", 'it\'s "fine" two spaces'),
        ('"tab\\there \\u017c & <x>"', "tab here ż & <x>"),
        (">\n  one\n  two\n\n  three", "one two three"),
        ("|\n  one\n  two", "one two"),
        ("first line\n  continued here", "first line continued here"),
    ],
)
def test_a_description_is_read_as_the_client_reads_it(value: str, expected: str) -> None:
    assert _read(f"---\nname: x\ndescription: {value}\n---\nB\n") == ("x", expected)


@pytest.mark.parametrize(
    "value",
    ["%a b", "*a b", "|a b", ">a b", "]a b", "}a b", ",a b", "#a b", "? a b", "- a b", '"a b',
     "'a b", "a:", '"q" then text', ">a: b", "x\n  y: z", '""', "~", "\n  - a\n  - b"],
)  # fmt: skip
def test_a_head_the_client_refuses_gives_no_skill(value: str) -> None:
    assert _read(f"---\nname: x\ndescription: {value}\n---\nB\n") is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("---\nname: [x\ndescription: d\n---\n", ("[x", "d")),
        ("---\nname: yes\ndescription: true\n---\n", ("yes", "true")),
        ("---\nname: ~\ndescription: d\n---\n", ("", "d")),
        ("---\ndescription: d\n---\n", ("", "d")),
        ("---   \nname: x\ndescription: d\n---  \n", ("x", "d")),
        ("---\r\nname: x\r\ndescription: d  e\r\n---\r\n", ("x", "d e")),
        ("---\n  name: x\n  description: a: b\n---\n", ("x", "a: b")),
        ("---\nname: x\ndescription: d\nallowed: [y\n---\n", ("x", "d")),
        ("---\nNAME: y\nDescription: up\ndescription: low\nname: x\n---\n", ("x", "low")),
        ("\ufeff---\nname: x\ndescription: d\n---\n", None),
        ("---\nname: x\nname: y\ndescription: d\n---\n", None),
        ("---\nname: x\ndescription: d\nmetadata: words\n---\n", None),
        ("---\nname: x\ndescription: d\nx: *y\n---\n", None),
        ("---\nname: x\ndescription: d\njust words\n---\n", None),
        ("---\nname: x\ndescription: d\n", None),
        ("name: x\n", None),
    ],
)
def test_odd_heads(source: str, expected: tuple[str, str] | None) -> None:
    assert _read(source) == expected


def test_words_keep_their_place_in_the_file() -> None:
    source = "---\nname: x\ndescription: >\n  one\n  two\n---\n"
    found = head(text(source, Origin(Kind.FILE, _PATH)), _PATH)
    assert found is not None
    placed = [(p.text, p.at) for p in found.description.pieces if p.origin.kind is Kind.FILE]
    assert placed == [("one", source.index("one")), ("two", source.index("two"))]
