from inspector.learn.noted import Reads
from inspector.profiles import Profile

PROFILE = Profile(
    client="claude-code",
    version="1",
    switches={"a": "yes", "b": "no"},
    params={"x": 1},
)


def changed(**sections: dict[str, object]) -> Profile:
    return PROFILE.model_copy(update=sections)


def test_a_value_that_was_not_read_may_change() -> None:
    reads = Reads(PROFILE)
    assert reads.profile.switches["a"] == "yes"
    assert reads.same(changed(switches={"a": "yes", "b": "other", "c": "new"}))
    assert not reads.same(changed(switches={"a": "other", "b": "no"}))


def test_a_name_that_is_not_there_was_read_too() -> None:
    reads = Reads(PROFILE)
    assert "c" not in reads.profile.switches
    assert not reads.same(changed(switches={"a": "yes", "b": "no", "c": "new"}))


def test_a_section_that_was_walked_was_read_whole() -> None:
    reads = Reads(PROFILE)
    assert {**reads.profile.params} == {"x": 1}
    assert not reads.same(changed(params={"x": 1, "y": 2}))
    assert reads.any_of([("params", "y")])
    assert not reads.any_of([("switches", "a")])
