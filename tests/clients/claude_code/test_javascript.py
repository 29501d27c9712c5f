"""Strings as JavaScript sees them; the expected orders and lengths are node's."""

from inspector.clients.claude_code.columns import width
from inspector.clients.claude_code.javascript import cut, decode, locale_key, trim, units
from tests.clients.claude_code.place import literal


def test_names_sort_as_locale_compare_sorts_them() -> None:
    # node: [...].sort((a, b) => a.localeCompare(b))
    expected = [
        "_a",
        "-a",
        "a_b",
        "a-b",
        "a.b",
        "a/b",
        "a b1",
        "a$",
        "a1",
        "aa",
        "aA",
        "Ab",
        "B",
        "ba",
        "é",
        "z",
    ]
    shuffled = sorted(expected)
    assert sorted(shuffled, key=locale_key) == sorted(expected, key=locale_key)
    assert sorted(["zz", "Mm", "aa"], key=locale_key) == ["aa", "Mm", "zz"]
    assert sorted(["alpha", "__under__", "CamelCase", "annot"], key=locale_key) == [
        "__under__",
        "alpha",
        "annot",
        "CamelCase",
    ]
    assert sorted(["A", "a", "é", "e", "E"], key=locale_key) == ["a", "A", "e", "E", "é"]


def test_length_counts_utf16_units() -> None:
    assert [units(string) for string in ("", "abc", "é", "😀", "a😀b")] == [0, 3, 1, 2, 4]


def test_a_cut_leaves_out_a_pair_it_would_split() -> None:
    assert str(cut(literal("ab😀c"), 4)) == "ab😀"
    assert str(cut(literal("ab😀c"), 3)) == "ab"
    assert str(cut(literal("abc"), 3)) == "abc"


def test_trim_takes_the_byte_order_mark_but_not_the_next_line_character() -> None:
    assert str(trim(literal("\ufeff\u00a0\u2028 x\u0085 \t"))) == "x\u0085"


def test_decoding_drops_the_mark_and_replaces_what_is_no_utf8() -> None:
    assert decode(b"\xef\xbb\xbfa\xe9b\xf0\x9f\x98") == "a\ufffdb\ufffd"


def test_wide_characters_take_two_columns() -> None:
    assert [width(string) for string in ("abc", "漢字", "é", "e\u0301")] == [3, 4, 1, 1]
