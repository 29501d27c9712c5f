"""A masked number: matched by its pattern, and the same again in the session."""

from inspector.text import Kind, Mask, Raw, encode
from inspector.verify import compare

_TIME = Mask(Kind.MASK, "time:1", r"[0-9]{10}\.[0-9]+", 20, recurs=True)
_BUILT = encode({"at": Raw("0", _TIME)})


def test_a_masked_number_takes_the_captured_value() -> None:
    found = compare(_BUILT, b'{"at":1795985329.7167225}')
    assert found.equal
    assert (found.counts.masked, found.filled.body) == (18, b'{"at":1795985329.7167225}')


def test_a_number_seen_before_must_come_again() -> None:
    before = compare(_BUILT, b'{"at":1795985329.7}').masks
    again = compare(_BUILT, b'{"at":1795985329.7}', before)
    other = compare(_BUILT, b'{"at":1795985329.8}', before)
    assert (again.equal, again.counts.masked, other.equal) == (True, 0, False)


def test_a_number_that_does_not_fit_the_pattern_differs() -> None:
    assert not compare(_BUILT, b'{"at":17}').equal
    assert not compare(_BUILT, b'{"at":"1795985329.7"}').equal
