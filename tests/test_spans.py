"""Which words changed between two texts."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.diff import Edit, edits

_TEXTS = st.lists(st.sampled_from(["be ", "brief", "é", "\n", ", ", "kind", "er", "  "])).map(
    "".join
)


def told(a: str, b: str) -> list[tuple[str, str]]:
    return [(a[e.start_a : e.end_a], b[e.start_b : e.end_b]) for e in edits(a, b)]


def test_an_edit_holds_whole_words() -> None:
    assert told("be brief and kind", "be very brief and kinder") == [
        ("", "very "),
        ("kind", "kinder"),
    ]


def test_edits_that_next_to_nothing_stands_between_are_one() -> None:
    assert told("a b c d e f g", "a x c y e f g") == [("b c d", "x c y")]


def test_lines_that_came_or_went_are_told_from_their_start() -> None:
    listing = "- easy: x\n- hard: y\n- last: z"
    assert told(listing, "- easy: x\n- last: z") == [("- hard: y\n", "")]
    assert told("- easy: x\n- last: z", listing) == [("", "- hard: y\n")]


def test_equal_texts_have_none_and_an_empty_one_is_one_whole_edit() -> None:
    assert edits("same", "same") == []
    assert edits("", "new") == [Edit(0, 0, 0, 3)]
    assert edits("old", "") == [Edit(0, 3, 0, 0)]


@given(_TEXTS, _TEXTS)
def test_the_edits_turn_one_text_into_the_other(a: str, b: str) -> None:
    made, at = "", 0
    for edit in edits(a, b):
        assert a[at : edit.start_a] == b[len(made) : edit.start_b]
        made += a[at : edit.start_a] + b[edit.start_b : edit.end_b]
        at = edit.end_a
    assert made + a[at:] == b
