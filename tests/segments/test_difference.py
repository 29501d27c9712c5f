"""What two byte strings share at both ends."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.segments.difference import common_end, first_difference

_BYTES = st.one_of(
    st.binary(max_size=12),
    st.lists(st.sampled_from([b"a", b"b" * 70_000, b"c" * 300_000, b"d"]), max_size=5).map(
        b"".join
    ),
)


@given(_BYTES, _BYTES, _BYTES)
def test_the_first_difference_ends_the_common_beginning(
    same: bytes, one: bytes, other: bytes
) -> None:
    left, right = same + one, same + other
    at = first_difference(left, right)
    assert left[:at] == right[:at]
    assert at >= len(same)
    assert at == min(len(left), len(right)) or left[at] != right[at]


@given(_BYTES, _BYTES, _BYTES, st.integers(0, 10**6))
def test_the_common_end_is_as_long_as_it_can_be(
    same: bytes, one: bytes, other: bytes, most: int
) -> None:
    left, right = one + same, other + same
    most = min(most, len(left), len(right))
    size = common_end(left, right, most)
    assert left[len(left) - size :] == right[len(right) - size :]
    assert min(most, len(same)) <= size <= most
    assert size == most or left[-size - 1] != right[-size - 1]
