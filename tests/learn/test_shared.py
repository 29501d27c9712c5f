from typing import Any

from inspector.learn import shared

WELL, THIN = {"sha256": "a", "chars": 9}, {"sha256": "b", "chars": 9}


def profile(**sections: Any) -> dict[str, Any]:
    return {"extends": "1", "base": sections, "overlays": []}


def test_a_text_seen_on_too_few_workspaces_is_left_to_the_parent() -> None:
    whole = profile(texts={"tail": THIN, "head": WELL}, switches={"effort": "low"})
    left = profile(texts={"head": WELL}, switches={"effort": "low"})
    assert shared(whole, {"b"}, {"tail", "head"}) == left


def test_slots_that_name_a_text_nobody_has_then_go_with_it() -> None:
    slots: dict[str, Any] = {
        "static": [{"part": "text:new", "when": []}],
        "dynamic": [{"part": "text:head"}],
    }
    whole = profile(texts={"new": THIN, "head": WELL}, slots=slots)
    left = profile(texts={"head": WELL}, slots={"dynamic": [{"part": "text:head"}]})
    assert shared(whole, {"b"}, {"head"}) == left


def test_an_overlay_with_nothing_left_goes() -> None:
    over = {"when": {"model": ["big"]}, "set": {"texts": {"tail": THIN}}}
    whole: dict[str, Any] = {"extends": "1", "base": {}, "overlays": [over]}
    assert shared(whole, {"b"}, {"tail"}) == {"extends": "1", "base": {}, "overlays": []}
