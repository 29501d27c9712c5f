import hashlib
import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.jsontext import Node
from inspector.text import (
    Built,
    Kind,
    Known,
    KnownJson,
    Mask,
    Member,
    Origin,
    Piece,
    Raw,
    Text,
    Value,
    encode,
    join,
    text,
)
from inspector.verify import Comparison, Counts, Difference, Place, compare, places
from inspector.verify.align import pairs

FILE = Origin(Kind.FILE, "/ws/CLAUDE.md")
PROMPT = Origin(Kind.PROMPT, "1")
ADOPTED = Origin(Kind.ADOPTED, "echo")
KEPT = Origin(Kind.FILE_NOT_KEPT, "/ws/gone.txt")

LONG = "You are a coding agent. " * 20
DIGEST = hashlib.sha256(LONG.encode()).hexdigest()
PROSE = Known(Kind.KNOWN, "system", DIGEST, len(LONG))
ID = Mask(Kind.MASK, "session_id", "[0-9a-f]{8}", 8, recurs=True)
SUFFIX = Mask(Kind.MASK, "suffix", "[0-9a-f]{3}", 3, recurs=False)


def mask(origin: Mask) -> Text:
    return Text((Piece(f"⟦mask {origin.name}⟧", origin),))


def known(origin: Known) -> Text:
    return Text((Piece(origin.placeholder, origin),))


def dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def verdicts(comparison: Comparison) -> list[tuple[str, str]]:
    return [(item.verdict, item.path) for item in comparison.differences]


def held(
    value: Value,
    captured: object,
    masks: Mapping[str, str] | None = None,
    words: Mapping[str, str] | None = None,
) -> Comparison:
    body = captured if isinstance(captured, bytes) else dumped(captured)
    comparison = compare(encode(value, words), body, masks)
    assert comparison.counts.total == len(body)
    return comparison


def test_equal_bytes_are_counted_by_the_origins_of_the_built_side() -> None:
    value: Value = {"text": text("rule\n", FILE) + text("hi", PROMPT) + text("x", KEPT), "n": 1}
    comparison = held(value, {"text": "rule\nhix", "n": 1})
    assert comparison.differences == ()
    assert comparison.counts == Counts(rebuilt=23, input=3, file_not_kept=1)
    assert comparison.filled == encode(value)


def test_a_changed_string_is_different_whole_and_names_place_and_origin() -> None:
    value: Value = {"a": text("hello ", PROMPT) + text("world", FILE)}
    comparison = held(value, {"a": "hello World"})
    assert comparison.differences == (Difference("/a", "changed", FILE, 6, "world", "World"),)
    assert comparison.counts == Counts(rebuilt=6, different=13)


@pytest.mark.parametrize(
    ("built", "captured", "expected"),
    [
        ({"a": 1}, {"a": 2}, [("changed", "/a")]),
        ({"a": True}, {"a": False}, [("changed", "/a")]),
        ({"a": None}, {"a": []}, [("changed", "/a")]),
        ({"a": 1}, {"a": 1, "b/c": 2}, [("missing", "/b~1c")]),
        ({"a": 1, "b": 2}, {"a": 1}, [("extra", "/b")]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, [("reordered-keys", "")]),
        ({"a": "é"}, b'{"a":"\\u00e9"}', [("encoding", "/a")]),
        ({"a": 1}, b'{"a": 1}', [("encoding", "")]),
        ({"a": 1}, b'{"a":1}\n', [("encoding", "")]),
        ({"aé": 1}, b'{"a\\u00e9":1}', [("encoding", "/aé")]),
        ({"a": 1}, b'{"a":1,"a":1}', [("missing", "/a")]),
        ({"a": 1}, b'{"a":', [("not-json", "")]),
        (["x", "y", "z"], ["x", "z"], [("extra", "/1")]),
        (["x", "z"], ["x", "y", "z"], [("missing", "/1")]),
        (["x", "y", "z"], ["y", "z", "x"], [("extra", "/0"), ("missing", "/2")]),
        (["x", "y"], ["x", "Y"], [("changed", "/1")]),
        ([], ["x"], [("missing", "/0")]),
        ([""], ["x"], [("changed", "/0")]),
        (["x"], [""], [("changed", "/0")]),
    ],
)
def test_a_difference_is_named_at_its_place(
    built: Value, captured: object, expected: list[tuple[str, str]]
) -> None:
    assert verdicts(held(built, captured)) == expected


def test_one_missing_message_among_many_is_one_difference() -> None:
    messages = [{"role": "user", "content": f"message {number}"} for number in range(40)]
    comparison = held({"messages": messages[:17] + messages[18:]}, {"messages": messages})
    assert verdicts(comparison) == [("missing", "/messages/17")]
    assert comparison.counts.different == len(dumped(messages[17])) + 1


def test_an_object_of_random_order_is_masked_in_order_and_compared_in_content() -> None:
    built = encode({"m": {"a": 1, "b": 2}}, unordered=["/m"])
    comparison = compare(built, b'{"m":{"b":2,"a":1}}')
    assert comparison.differences == ()
    assert comparison.counts == Counts(rebuilt=13, masked=6)
    assert comparison.filled.body == b'{"m":{"b":2,"a":1}}'
    assert verdicts(compare(built, b'{"m":{"b":3,"a":1}}')) == [("changed", "/m/b")]


def test_a_mask_fits_its_pattern_only() -> None:
    value: Value = {"v": text("cc=", FILE) + mask(SUFFIX) + text(";", FILE)}
    comparison = held(value, {"v": "cc=0af;"})
    assert comparison.differences == ()
    assert comparison.counts == Counts(rebuilt=12, masked=3)
    assert comparison.filled.body == b'{"v":"cc=0af;"}'
    failed = held(value, {"v": "cc=0ag;"})
    assert failed.differences == (Difference("/v", "changed", SUFFIX, 3, "⟦mask suffix⟧", "0ag;"),)


@pytest.mark.parametrize(
    ("captured", "fits"), [("a-1-b", True), ("a-1-b-2-b", True), ("a-b", False), ("a-1-c", False)]
)
def test_a_mask_of_any_length_takes_what_lets_the_rest_fit(captured: str, fits: bool) -> None:
    loose = Mask(Kind.MASK, "loose", "[^c]+", 9, recurs=False)
    value: Value = {"v": text("a-", FILE) + mask(loose) + text("-b", FILE)}
    assert held(value, {"v": captured}).equal == fits


def test_a_recurring_mask_must_come_again_and_is_then_rebuilt() -> None:
    value: Value = {"id": mask(ID)}
    first = held(value, {"id": "0123abcd"})
    assert (first.counts, first.masks) == (
        Counts(rebuilt=9, masked=8),
        {"session_id": "0123abcd"},
    )
    again = held(value, {"id": "0123abcd"}, first.masks)
    assert (again.counts, again.differences) == (Counts(rebuilt=17), ())
    assert verdicts(held(value, {"id": "ffffffff"}, first.masks)) == [("changed", "/id")]


def test_a_recurring_mask_is_equal_to_itself_within_one_request() -> None:
    inside: Value = {"a": mask(ID) + text(" ", FILE) + mask(ID)}
    assert held(inside, {"a": "0123abcd 0123abcd"}).differences == ()
    assert verdicts(held(inside, {"a": "0123abcd 0123abce"})) == [("changed", "/a")]
    across: Value = {"a": mask(ID), "b": mask(ID)}
    assert verdicts(held(across, {"a": "0123abcd", "b": "0123abce"})) == [("changed", "/b")]


def test_more_than_four_kilobytes_newly_masked_proves_nothing() -> None:
    wide = Mask(Kind.MASK, "blob", "x+", 10_000, recurs=False)
    assert held([mask(wide)], ["x" * 4096]).differences == ()
    comparison = held([mask(wide)], ["x" * 4097])
    assert verdicts(comparison) == [("masked-too-much", "")]
    assert comparison.counts == Counts(rebuilt=4, different=4097)


@pytest.mark.parametrize("words", [{}, {DIGEST: LONG}], ids=["without words", "with words"])
def test_a_known_text_is_equal_by_digest_raw_or_sealed(words: Mapping[str, str]) -> None:
    value: Value = [text("# ", FILE) + known(PROSE) + text("\n", FILE)]
    raw = held(value, [f"# {LONG}\n"], words=words)
    assert raw.differences == ()
    assert raw.counts == Counts(rebuilt=8, known=len(LONG))
    assert raw.filled.body == dumped([f"# {LONG}\n"])
    assert raw.unfilled == ()
    sealed = held(value, [f"# {PROSE.placeholder}\n"], words=words)
    assert sealed.differences == ()
    assert sealed.counts == Counts(rebuilt=8, known=len(PROSE.placeholder.encode()))
    assert sealed.unfilled == (() if words else ("system",))
    assert [span.sealed for span in (*raw.known_spans, *sealed.known_spans)] == [False, True]
    changed = held(value, [f"# {LONG[:-1]}!\n"], words=words)
    assert changed.differences[0].origin == PROSE


def test_a_known_json_value_is_equal_by_the_digest_of_its_raw_text() -> None:
    raw = '[{"name":"Bash"}]'
    tools = Known(Kind.KNOWN, "tools", hashlib.sha256(raw.encode()).hexdigest(), len(raw))
    value: Value = {"tools": KnownJson(tools)}
    for words in ({}, {tools.sha256: raw}):
        comparison = held(value, b'{"tools":' + raw.encode() + b"}", words=words)
        assert comparison.counts == Counts(rebuilt=10, known=len(raw))
        assert comparison.filled.body == b'{"tools":' + raw.encode() + b"}"
        assert held(value, {"tools": tools.placeholder}, words=words).differences == ()
        assert verdicts(held(value, {"tools": []}, words=words)) == [("changed", "/tools")]


def test_adopted_bytes_count_against_us_and_are_never_copied() -> None:
    value: Value = {"a": text("kept ", FILE) + text("?", ADOPTED), "b": Raw("0", ADOPTED)}
    comparison = held(value, {"a": "kept secret", "b": {"c": 1}})
    assert verdicts(comparison) == [("adopted", "/a"), ("adopted", "/b")]
    assert comparison.counts == Counts(rebuilt=18, adopted=13)
    assert comparison.filled.body == '{"a":"kept ⟦adopted 6⟧","b":"⟦adopted 7⟧"}'.encode()


def test_a_raw_value_that_differs_inside_is_compared_inside() -> None:
    listing = Origin(Kind.LISTING, "fixture/echo")
    comparison = held(
        {"t": Raw('{"d":"one","e":[1,2]}', listing)}, {"t": {"d": "two", "e": [1, 2]}}
    )
    assert verdicts(comparison) == [("changed", "/t/d")]
    assert comparison.differences[0].origin == listing
    assert comparison.counts.different == 5


def test_places_name_every_run_in_code_points_of_the_decoded_string() -> None:
    value: Value = {
        "a": text('é"\n', FILE) + text("end", PROMPT),
        "k": [Member(text("key", FILE), text("v", FILE))],
        "n": Raw("12", PROMPT),
    }
    assert list(places(encode(value))) == [
        Place("/a", 0, 3, FILE, 0),
        Place("/a", 3, 6, PROMPT, 0),
        Place("/k/key", 0, 1, FILE, 0),
        Place("/n", 0, 2, PROMPT, 0),
    ]


def test_pairing_keeps_the_order_and_every_item_of_both_sides() -> None:
    left, right = "abcdef", "axcdzef"
    found = pairs(len(left), len(right), lambda a, b: left[a] == right[b])
    assert found == [(0, 0), (1, 1), (2, 2), (3, 3), (None, 4), (4, 5), (5, 6)]


@given(st.lists(st.integers(0, 3), max_size=7), st.lists(st.integers(0, 3), max_size=7))
def test_pairing_loses_and_crosses_nothing(left: list[int], right: list[int]) -> None:
    found = pairs(len(left), len(right), lambda a, b: left[a] == right[b])
    assert [a for a, _ in found if a is not None] == list(range(len(left)))
    assert [b for _, b in found if b is not None] == list(range(len(right)))
    assert all(pair != (None, None) for pair in found)
    if left == right:
        assert found == [(number, number) for number in range(len(left))]


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=6),
    lambda below: (
        st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=2), below, max_size=4)
    ),
    max_leaves=12,
)


@given(JSONS, JSONS)
def test_every_captured_byte_is_counted_once_and_equal_means_equal(
    left: Value, right: Value
) -> None:
    built, body = encode(left), dumped(right)
    comparison = compare(built, body)
    assert comparison.counts.total == len(body)
    assert comparison.equal == (built.body == body)
    assert comparison.filled.body == built.body


@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=5))
def test_a_body_of_pieces_is_filled_with_what_was_built(words: list[str]) -> None:
    pieces = [text(word, FILE if number % 2 else PROMPT) for number, word in enumerate(words)]
    whole = join(text(" ", FILE), pieces)
    built = encode([whole])
    comparison = compare(built, dumped([str(whole)]))
    assert (comparison.equal, comparison.filled) == (True, built)


def test_a_comparison_that_is_watched_reports_every_value_and_the_same_counts() -> None:
    value: Value = {"a": [text("x", FILE), {"b": 1}]}
    built, body = encode(value), dumped({"a": ["x", {"b": 1}]})
    seen: list[str] = []

    def note(path: str, _built: Node, _captured: Node, counts: Counts) -> None:
        assert path or counts.total == len(body)
        seen.append(path)

    watched = compare(built, body, seen=note)
    assert seen == ["/a/0", "/a/1/b", "/a/1", "/a", ""]
    assert watched == compare(built, body)


def test_a_built_body_with_a_hidden_text_can_stand_where_nothing_matches() -> None:
    comparison = held([known(PROSE)], ["short"])
    assert verdicts(comparison) == [("changed", "/0")]
    assert isinstance(comparison.filled, Built)
