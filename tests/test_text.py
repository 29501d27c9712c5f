"""Laws of text with origins: every transform commutes with plain strings, origins stay true."""

import json
import re
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.text import (
    EMPTY,
    Built,
    Growing,
    Kept,
    Kind,
    Known,
    KnownJson,
    Member,
    Memory,
    Origin,
    Piece,
    Raw,
    Run,
    Text,
    Value,
    encode,
    join,
    text,
)

A = Origin(Kind.FILE, "/a")
B = Origin(Kind.PROMPT, "b")
_CHARS = st.text(st.sampled_from('ab \n\t\r,é😀"\\\x00\ud83d\ude00'), max_size=6)
PIECES = st.builds(Piece, _CHARS, st.sampled_from([A, B]), st.integers(0, 9))
TEXTS = st.lists(PIECES, max_size=5).map(Text)


@given(TEXTS, st.integers(-9, 20), st.integers(-9, 20))
def test_cutting_commutes_with_the_string(whole: Text, start: int, end: int) -> None:
    assert str(whole[start:end]) == str(whole)[start:end]
    assert str(whole[start:]) == str(whole)[start:]
    assert str(whole[:end]) == str(whole)[:end]


@given(TEXTS)
def test_every_character_has_its_place(whole: Text) -> None:
    assert [str(whole[number]) for number in range(len(whole))] == list(str(whole))
    with pytest.raises(IndexError):
        whole[len(whole)]


@given(TEXTS, st.one_of(st.none(), st.text("ab ", max_size=2)))
def test_trimming_commutes_with_the_string(whole: Text, chars: str | None) -> None:
    assert str(whole.strip(chars)) == str(whole).strip(chars)
    assert str(whole.lstrip(chars)) == str(whole).lstrip(chars)
    assert str(whole.rstrip(chars)) == str(whole).rstrip(chars)


@given(TEXTS, st.sampled_from(["a", "a*", "b|", r"\s+", ",", "$"]), _CHARS)
def test_substituting_commutes_with_the_string(whole: Text, pattern: str, new: str) -> None:
    compiled = re.compile(pattern)
    expected = compiled.sub(lambda _: new, str(whole))
    assert str(whole.sub(compiled, lambda _: new, origin=A)) == expected
    assert str(whole.sub(compiled, lambda _: text(new, B))) == expected


@given(TEXTS, st.sampled_from(["a", "ab", ",", " "]), _CHARS)
def test_replacing_and_splitting_commute_with_the_string(whole: Text, old: str, new: str) -> None:
    assert str(whole.replace(old, new)) == str(whole).replace(old, new)
    assert [str(part) for part in whole.split(old)] == str(whole).split(old)
    assert str(join(text(old, A), whole.split(old))) == str(whole)


@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_joining_and_adding_commute_with_the_string(parts: list[Text], separator: Text) -> None:
    assert str(join(separator, parts)) == str(separator).join(map(str, parts))
    assert str(sum(parts, EMPTY)) == "".join(map(str, parts))


@given(TEXTS, st.integers(0, 20), st.integers(0, 20))
def test_a_cut_keeps_the_source_of_every_character(whole: Text, start: int, end: int) -> None:
    def sources(part: Text) -> list[tuple[Origin, int, str]]:
        return [
            (piece.origin, piece.at + n, char)
            for piece in part.pieces
            for n, char in enumerate(piece.text)
        ]

    assert sources(whole[start:end]) == sources(whole)[start:end]


def test_a_plain_replacement_takes_the_origin_of_what_it_replaces() -> None:
    whole = text("ab", A) + text("cd", B)
    assert whole.replace("c", "XY").pieces == (
        Piece("ab", A, 0),
        Piece("XY", B, 0),
        Piece("d", B, 1),
    )
    named = whole.sub(re.compile("b"), lambda _: "-", origin=B)
    assert named.pieces == (Piece("a", A, 0), Piece("-", B, 0), Piece("cd", B, 0))


def test_an_empty_text_has_no_origin_to_give() -> None:
    with pytest.raises(ValueError, match="no origin"):
        EMPTY.sub(re.compile("$"), lambda _: "x")
    assert str(EMPTY.sub(re.compile("$"), lambda _: "x", origin=A)) == "x"


@given(TEXTS)
def test_an_encoded_text_reads_back_as_its_string_and_every_byte_has_its_run(whole: Text) -> None:
    built = encode(whole)
    assert json.loads(built.body) == json.loads(json.dumps(str(whole)))
    covered = b"".join(built.body[run.start : run.end] for run in built.runs)
    assert covered == built.body[1:-1]


def _nested(leaves: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.recursive(
        leaves,
        lambda below: st.one_of(
            st.lists(below, max_size=4), st.dictionaries(st.text(max_size=3), below, max_size=4)
        ),
        max_leaves=12,
    )


_CONSTANTS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5))
PLAIN = _nested(_CONSTANTS)
_VALUES = _nested(st.one_of(_CONSTANTS, TEXTS, st.just(Raw("1e2", A))))


def plain(value: Any) -> Any:
    """The value with origins forgotten."""
    match value:
        case Text():
            return json.loads(json.dumps(str(value)))
        case Raw():
            return json.loads(value.json)
        case list():
            items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
            return [plain(item) for item in items]
        case dict():
            members: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
            return {key: plain(item) for key, item in members.items()}
        case _:
            return value


@given(_VALUES)
def test_an_encoded_value_is_compact_json_of_the_same_value(value: Value) -> None:
    assert json.loads(encode(value).body) == plain(value)


@given(PLAIN)
def test_a_value_without_origins_is_written_as_the_standard_library_writes_it(value: Value) -> None:
    written = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    assert encode(value) == Built(written.encode(), ())


def test_runs_point_at_bytes_and_at_the_source() -> None:
    value: Value = {
        "é": Text((Piece('q"', A, 3), Piece("ö", B, 0))),
        "n": Raw("1e2", B),
        "x": [True, None, 7, "s"],
    }
    built = encode(value)
    assert built == Built(
        '{"é":"q\\"ö","n":1e2,"x":[true,null,7,"s"]}'.encode(),
        (Run(7, 10, A, 3), Run(10, 12, B, 0), Run(18, 21, B, 0)),
    )


def test_members_make_an_object_with_keys_that_have_origins() -> None:
    value = [Member(text("k", A), 1), Member(text("l", B), [Member(text("m", A), "v")])]
    built = encode(value)
    assert built.body == b'{"k":1,"l":{"m":"v"}}'
    assert built.runs == (Run(2, 3, A, 0), Run(8, 9, B, 0), Run(13, 14, A, 0))
    assert encode([]).body == b"[]"
    with pytest.raises(TypeError, match="mixed"):
        encode([Member(text("k", A), 1), 2])


def test_a_surrogate_pair_shared_by_two_pieces_is_one_character_of_the_first() -> None:
    built = encode(Text((Piece("a\ud83d", A, 5), Piece("\ude00b", B, 0))))
    assert built == Built('"a😀b"'.encode(), (Run(1, 6, A, 5), Run(6, 7, B, 1)))
    alone = encode(Text((Piece("a\ud83d", A, 5), Piece("b", B, 0))))
    assert alone == Built(b'"a\\ud83db"', (Run(1, 8, A, 5), Run(8, 9, B, 0)))
    both = encode(Text((Piece("\ud83d", A, 0), Piece("\ude00", B, 0))))
    assert both == Built('"😀"'.encode(), (Run(1, 5, A, 0),))


def test_raw_json_with_a_lone_surrogate_is_written_with_an_escape() -> None:
    assert encode(Raw('"\ud83d"', A)) == Built(b'"\\ud83d"', (Run(0, 8, A, 0),))


def test_known_texts_are_placeholders_until_the_words_are_at_hand() -> None:
    words = "the client's own words\n"
    known = Known(Kind.KNOWN, "greeting", sha256(words.encode()).hexdigest(), len(words))
    value: Value = [text("x", known), KnownJson(known)]
    sealed = f'"{known.placeholder}"'
    size = len(sealed.encode())
    hidden = encode(value)
    assert hidden.body == f"[{sealed},{sealed}]".encode()
    assert [run.sealed for run in hidden.runs] == [True, True]
    assert hidden.runs[1] == Run(size + 2, 2 * size + 2, known, 0, sealed=True)
    shown = encode(value, {known.sha256: words})
    assert shown.body.startswith(b'["the client\'s own words\\n",')
    assert [run.sealed for run in shown.runs] == [False, False]


@given(
    words=st.lists(st.text(max_size=5), min_size=1, max_size=12),
    cuts=st.lists(st.integers(0, 12), max_size=4),
)
def test_a_growing_array_is_written_as_a_plain_one(words: list[str], cuts: list[int]) -> None:
    memory = Memory()
    values: list[Value] = [{"text": text(word, A), "more": [text(word, B), "x"]} for word in words]
    items = tuple(Kept(value) for value in values)
    for cut in [*cuts, len(items)]:
        growing = Growing(items[:cut], tuple(values[cut:]), memory)
        assert encode({"a": growing, "b": text("z", A)}) == encode({"a": values, "b": text("z", A)})
    other = Growing((Kept("new"), *items[1:]), (), memory)
    assert encode(other) == encode(["new", *values[1:]])


def test_a_kept_value_is_written_anew_when_other_words_are_at_hand() -> None:
    known = Known(Kind.KNOWN, "long", "0" * 64, 4)
    kept = Kept([text("a", A), Text((Piece(known.placeholder, known),)), KnownJson(known)])
    plain = kept.value
    for words in ({}, {"0" * 64: '"word"'}, {}):
        assert encode(kept, words) == encode(plain, words)
