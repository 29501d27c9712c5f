from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from inspector.learn import Draft

BASE = {
    "base": {"lists": {"betas": ["a"]}, "texts": {"tail": "base"}},
    "overlays": [
        {"when": {"model": ["big", "large"]}, "set": {"texts": {"tail": "big"}}},
        {"when": {"host": ["default"]}, "set": {"lists": {"betas": ["a", "b"]}}},
    ],
}
BIG = {"host": "custom", "model": "big", "traffic": "all"}
OTHER = {"host": "custom", "model": "x", "traffic": "all"}
HOSTED = {"host": "default", "model": "x", "traffic": "all"}


def test_a_value_is_changed_in_the_layer_it_came_from() -> None:
    draft = Draft.of([BASE])
    draft.set([(BIG, "new")], ("texts", "tail"))
    assert draft.delta("1") == {
        "extends": "1",
        "base": {"texts": {"tail": "base"}},
        "overlays": [{"when": {"model": ["big", "large"]}, "set": {"texts": {"tail": "new"}}}],
    }
    assert (draft.get(BIG, ("texts", "tail")), draft.get(OTHER, ("texts", "tail"))) == (
        "new",
        "base",
    )


def test_points_of_one_layer_that_differ_get_an_overlay_with_the_axis_that_tells_them_apart() -> (
    None
):
    draft = Draft.of([{"base": {"texts": {"tail": "old"}}}])
    draft.set([(OTHER, "one"), (HOSTED, "two"), (BIG, "one")], ("texts", "tail"))
    assert draft.delta("1") == {
        "extends": "1",
        "base": {"texts": {"tail": "one"}},
        "overlays": [{"when": {"host": ["default"]}, "set": {"texts": {"tail": "two"}}}],
    }


def test_model_names_that_no_overlay_tells_apart_are_one_class() -> None:
    draft = Draft.of([BASE])
    assert draft.classes() == ["", "big"]
    assert sorted(draft.alike("large")) == ["big", "large"]


def test_a_draft_without_changes_extends_its_parent_with_nothing() -> None:
    assert Draft.of([BASE]).delta("1") == {"extends": "1", "base": {}, "overlays": []}


LATER = {
    "extends": "0",
    "base": {"texts": {"tail": "later"}},
    "overlays": [{"when": {"model": ["x"]}, "set": {"texts": {"tail": "x"}}}],
}
POINTS = (BIG, OTHER, HOSTED)


@given(
    st.lists(
        st.tuples(st.sampled_from(POINTS), st.sampled_from(["one", "two", "three"])), min_size=1
    ),
    st.sampled_from([[BASE], [BASE, LATER], [LATER, BASE]]),
)
def test_what_is_written_says_what_the_draft_says(
    learned: list[tuple[dict[str, str], str]], documents: list[dict[str, Any]]
) -> None:
    draft = Draft.of(documents)
    key = ("texts", "tail")
    draft.set(list({id(point): (point, value) for point, value in learned}.values()), key)
    written = Draft.of([*documents, draft.delta("1")])
    assert [written.get(point, key) for point in POINTS] == [
        draft.get(point, key) for point in POINTS
    ]


def test_a_new_overlay_leaves_the_points_of_other_layers_as_they_are() -> None:
    shared = {"when": {"host": ["custom"]}, "set": {"texts": {"tail": "custom"}}}
    draft = Draft.of([{"base": {"texts": {"tail": "default"}}, "overlays": [shared]}])
    hosts, traffics = ("custom", "default"), ("all", "essential")
    points = [{"host": h, "model": "x", "traffic": t} for h in hosts for t in traffics]
    values = ["custom", "new", "default", "default"]
    draft.set([*zip(points, values, strict=True)], ("texts", "tail"))
    assert [draft.get(point, ("texts", "tail")) for point in points] == values


def test_what_no_point_has_is_named_by_its_axis() -> None:
    more = {"when": {"mode": ["plan"], "traffic": ["essential", "all"]}, "set": {}}
    draft = Draft.of([BASE, {"base": {}, "overlays": [more]}])
    assert draft.unseen([BIG, OTHER]) == {
        "host": ["default"],
        "mode": ["plan"],
        "traffic": ["essential"],
    }
    assert draft.unseen([HOSTED, BIG, {"mode": "plan", "traffic": "essential"}]) == {}
