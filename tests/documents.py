"""Generated JSON text with all that parsers lose: spellings, duplicates, white space, escapes."""

from hypothesis import strategies as st

BLANKS = st.sampled_from(["", "", "", "", " ", "\n", "\t ", "\r\n"])
NUMBERS = st.one_of(
    st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers().map(str),
    st.integers(-400, 400).map(lambda power: f"1e{power}"),
    st.sampled_from(
        [
            "0",
            "-0",
            "-0.0",
            "1.50",
            "1e3",
            "1E+21",
            "1e-7",
            "0.000001",
            "5e-324",
            "1e400",
            "123456789012345678901234",
            "9007199254740993",
        ]
    ),
)
_ESCAPES = st.sampled_from(
    [
        "\\n",
        "\\t",
        "\\b",
        "\\f",
        "\\r",
        '\\"',
        "\\\\",
        "\\/",
        "\\u0041",
        "\\u00e9",
        "\\u00E9",
        "\\u001f",
        "\\ud83d",
        "\\uDE00",
        "\\ud83d\\ude00",
        "\\u2028",
        "\\u0000",
    ]
)
_RUNS = st.text(
    st.characters(exclude_characters='"\\', exclude_categories=["Cc", "Cs"]), max_size=6
)
STRINGS = st.lists(st.one_of(_RUNS, _ESCAPES), max_size=4).map(lambda parts: f'"{"".join(parts)}"')
KEYS = st.one_of(
    st.sampled_from(
        [
            '"0"',
            '"10"',
            '"2"',
            '"01"',
            '"-1"',
            '"a"',
            '"b"',
            '"__proto__"',
            '"constructor"',
            '"4294967294"',
            '"4294967295"',
            '"\\u0061"',
            '"1.5"',
            '"1e3"',
            '""',
        ]
    ),
    STRINGS,
)
WORDS = st.sampled_from(["true", "false", "null"])


def _array(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    padded = st.tuples(BLANKS, values, BLANKS).map("".join)
    return st.one_of(BLANKS, st.lists(padded, min_size=1, max_size=5).map(",".join)).map(
        lambda inner: f"[{inner}]"
    )


def _object(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    member = st.tuples(BLANKS, KEYS, BLANKS, st.just(":"), BLANKS, values, BLANKS).map("".join)
    return st.one_of(BLANKS, st.lists(member, min_size=1, max_size=6).map(",".join)).map(
        lambda inner: f"{{{inner}}}"
    )


VALUES = st.recursive(
    st.one_of(NUMBERS, STRINGS, WORDS),
    lambda below: st.one_of(_array(below), _object(below)),
    max_leaves=25,
)
DOCUMENTS = st.tuples(BLANKS, VALUES, BLANKS).map("".join)
