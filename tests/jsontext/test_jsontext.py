"""JSON as text: spans, validity, strings, values."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.jsontext import (
    Node,
    Number,
    check,
    dumps,
    escape,
    loads,
    parse,
    pointer,
    quote,
    tokens,
    unquote,
)
from inspector.jsontext.scan import tokens as scan
from tests.documents import DOCUMENTS, STRINGS

DEEP = 5000


def rebuilt(node: Node) -> Any:
    """The value as the standard library reads it, made from spans alone."""
    match node.kind:
        case "object":
            return {member.name: rebuilt(member.value) for member in node.members}
        case "array":
            return [rebuilt(item) for item in node.items]
        case "string":
            return node.string
        case "number":
            return Number(node.text)
        case word:
            return {"true": True, "false": False, "null": None}[word]


@given(DOCUMENTS)
def test_a_document_read_from_its_spans_equals_what_the_standard_library_reads(text: str) -> None:
    expected = json.loads(text, parse_int=Number, parse_float=Number)
    assert rebuilt(parse(text.encode())) == expected
    assert loads(text) == expected


@given(DOCUMENTS)
def test_every_value_and_key_stands_at_its_span(text: str) -> None:
    body = text.encode()
    root = parse(body)
    assert body[: root.start].strip() == b""
    assert body[root.end :].strip() == b""
    for path, node in root.walk():
        assert node.raw == body[node.start : node.end]
        assert rebuilt(parse(node.raw)) == rebuilt(node)
        for member in node.members:
            assert unquote(body[member.start : member.end].decode()) == member.name
        if len({name for name, _ in root.walk()}) == sum(1 for _ in root.walk()):
            found = root.find(path)
            assert found is not None
            assert (found.start, found.end) == (node.start, node.end)


@given(
    st.one_of(DOCUMENTS, st.text('{}[]",:0123456789.eE+-truefalsn \\u\x00\n', max_size=12)),
    st.data(),
)
def test_the_fast_check_and_the_grammar_agree_with_the_standard_library(
    text: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(text)))
    damaged = (
        text[:at]
        + data.draw(
            st.sampled_from(["", ",", "]", "}", '"', "0", "-", ".", "\\", "e", ":", "\x01"])
        )
        + text[at + 1 :]
    )
    try:
        json.loads(damaged, parse_int=Number, parse_float=Number, parse_constant=_refuse)
        valid = True
    except ValueError:
        valid = False
    assert _accepted(damaged.encode()) == valid
    assert _grammar(damaged.encode()) == valid


def _refuse(word: str) -> None:
    raise ValueError(word)


def _accepted(body: bytes) -> bool:
    try:
        check(body)
    except ValueError:
        return False
    return True


def _grammar(body: bytes) -> bool:
    try:
        for _ in scan(body):
            pass
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b"[1,]",
        b'{"a":1,}',
        b"{,}",
        b"[,1]",
        b"[1 2]",
        b'{"a" 1}',
        b"{1:2}",
        b"NaN",
        b"[Infinity]",
        b"-",
        b"01",
        b"1.",
        b".5",
        b"+1",
        b"1e",
        b'"\x01"',
        b'"\\x"',
        b'"\\u12g4"',
        b'"\\',
        b'"open',
        b"[1]x",
        b"[1][2]",
        b"tru",
        b"]",
        b"[}",
        b'{"a":1]',
        b"\xef\xbb\xbf[1]",
        b'["\xff"]',
        b'["\xed\xa0\x80"]',
        b"\x0b1",
        b'{"a":1 "b":2}',
        b"[1:2]",
        b"\xff",
    ],
)
def test_what_is_not_exactly_one_document_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"invalid JSON|codec"):
        parse(body)


def test_the_refusal_says_where() -> None:
    with pytest.raises(ValueError, match="invalid JSON: unexpected text at byte 3"):
        parse(b"[1]x")
    with pytest.raises(ValueError, match="invalid JSON: unexpected , at byte 1"):
        parse(b"[,1]")
    with pytest.raises(ValueError, match="invalid JSON: ends too early, at byte 1"):
        parse(b"[")


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":[', "]}]")])
def test_nesting_beyond_the_recursion_limit_is_read_and_written(opening: str, closing: str) -> None:
    text = opening * DEEP + "1" + closing * DEEP
    root = parse(text.encode())
    *_, (path, leaf) = root.walk()
    assert leaf.raw == b"1"
    assert path.count("/") == DEEP * sum(opening.count(mark) for mark in "[{")
    assert dumps(loads(text)) == text


def test_duplicate_keys_are_all_members_and_the_last_one_is_found() -> None:
    root = parse(b'{"a":1,"b":2,"a":3}')
    assert [(member.name, member.value.raw) for member in root.members] == [
        ("a", b"1"),
        ("b", b"2"),
        ("a", b"3"),
    ]
    found = root.find("/a")
    assert found is not None
    assert found.raw == b"3"
    assert loads('{"a":1,"b":2,"a":3}') == {"a": Number("3"), "b": Number("2")}


def test_a_pointer_that_names_nothing_finds_nothing() -> None:
    root = parse(b'{"a":[1,{"b":[]}],"":2}')
    assert [
        root.find(path)
        for path in ("/x", "/a/2", "/a/01", "/a/-1", "/a/0/b", "/a/999999999999999999999")
    ] == [None] * 6
    found = root.find("/")
    assert found is not None
    assert found.raw == b"2"


@given(st.lists(st.text(), max_size=4))
def test_pointer_tokens_survive_escaping(steps: list[str]) -> None:
    assert tokens(pointer(*steps)) == steps


def test_pointer_escapes_follow_the_standard() -> None:
    assert escape("a/b~c") == "a~1b~0c"
    assert pointer("a/b", 0) == "/a~1b/0"
    with pytest.raises(ValueError, match="not a JSON pointer"):
        tokens("a")


@given(st.text(st.characters(exclude_categories=[])))
def test_a_quoted_string_reads_back_with_its_surrogates(string: str) -> None:
    assert unquote(quote(string)) == unquote(json.dumps(string))
    assert json.loads(quote(string)) == json.loads(json.dumps(string))
    quote(string).encode()


@given(STRINGS)
def test_unquoting_equals_the_standard_library(raw: str) -> None:
    assert unquote(raw) == json.loads(raw)


def test_two_halves_of_a_pair_are_written_as_their_character() -> None:
    assert quote("\ud83d" + "\ude00") == '"😀"'
    assert quote("\ude00\ud83d") == '"\\ude00\\ud83d"'
