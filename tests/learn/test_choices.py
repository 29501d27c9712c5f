from typing import Any

from inspector import profiles
from inspector.learn.choices import candidates


def test_whole_layouts_come_first_and_every_value_of_a_switch_that_profiles_differ_in() -> None:
    found = [*candidates("claude-code", set())]
    layouts = [choice for choice in found if len(choice) > 1]
    assert 1 < len(layouts) <= len(profiles.names("claude-code"))
    assert found[: len(layouts)] == layouts
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


def test_a_mechanism_may_move_into_the_prompt_at_any_place() -> None:
    slots: list[dict[str, Any]] = [
        {"part": "text:a", "when": []},
        {"part": "made:servers", "when": []},
    ]
    made = [choice for choice in candidates("claude-code", (), slots) if len(choice) == 2]
    found = {(choice[0][0][1], tuple(slot["part"] for slot in choice[1][1])) for choice in made}
    assert found == {
        (name, parts)
        for name in ("environment", "style", "language")
        for parts in (
            ("text:a", "made:servers", f"made:{name}"),
            ("text:a", f"made:{name}", "made:servers"),
        )
    }
