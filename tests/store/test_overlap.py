"""What two bodies share is found exactly, at any size."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.store.overlap import nearest, overlap

few = st.binary(max_size=40) | st.text("ab", max_size=12).map(str.encode)


@given(few, few, few, few, st.sampled_from([1, 3000, 70_000]))
def test_shared_starts_and_ends_are_as_long_as_they_can_be(
    start: bytes, one: bytes, other: bytes, end: bytes, times: int
) -> None:
    left, right = start * times + one + end * times, start * times + other + end * times
    found = overlap(left, right)
    shorter = min(len(left), len(right))
    assert left[: found.head] == right[: found.head]
    assert left[len(left) - found.tail :] == right[len(right) - found.tail :]
    assert found.head + found.tail <= shorter
    assert found.head == shorter or left[found.head] != right[found.head]
    if found.head + found.tail < shorter:
        assert left[-1 - found.tail] != right[-1 - found.tail]


def test_the_body_that_shares_most_is_chosen() -> None:
    others = [b"x" * 50, b"a" * 90 + b"z" * 10, b"a" * 10 + b"y" * 90]
    place, found = nearest(b"a" * 95 + b"z" * 10, others)
    assert (place, found.head, found.tail) == (1, 90, 10)
    assert nearest(b"q", [])[0] == -1
