from inspector import profiles
from inspector.learn.choices import candidates


def test_whole_layouts_come_first_and_every_value_of_a_switch_that_profiles_differ_in() -> None:
    found = [*candidates("claude-code", set())]
    layouts = found[: len(profiles.names("claude-code"))]
    assert all(len(choice) > 1 for choice in layouts)
    single = [choice[0] for choice in found[len(layouts) :]]
    assert {value for key, value in single if key == ("switches", "skills.budget")} == {
        "greedy",
        "equal",
    }
    assert not [key for key, _ in single if key[0] == "literals"]


def test_a_literal_is_tried_where_what_differs_came_from_it() -> None:
    found = [choice[0] for choice in candidates("claude-code", {"memory"}) if len(choice) == 1]
    values = [value for key, value in found if key == ("literals", "memory")]
    assert len(values) == len(set(values)) > 1
