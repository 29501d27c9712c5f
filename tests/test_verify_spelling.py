"""What is equal in meaning is not yet equal: spellings, white space, ids that must be new."""

import pytest

from inspector.text import Built, Kind, Mask, Origin, Raw, Run, Value, encode, text
from inspector.verify import compare
from tests.test_verify import (
    DIGEST,
    FILE,
    ID,
    LONG,
    PROSE,
    SUFFIX,
    dumped,
    held,
    known,
    mask,
    verdicts,
)

REPLY = Origin(Kind.REPLY, "1")


@pytest.mark.parametrize(
    ("built", "captured", "path"),
    [
        ('"\\u00e9"', '"é"', "/a"),
        ('"é"', '"\\u00e9"', "/a"),
        ('"\\/"', '"/"', "/a"),
        ('{"b": 1}', '{"b":1}', "/a"),
        ('{"b":1 }', '{"b":1}', "/a"),
        ('{"b" :1}', '{"b":1}', "/a"),
        ("[1, 2]", "[1,2]", "/a"),
        ("[ ]", "[]", "/a"),
        ('{"\\u0062":1}', '{"b":1}', "/a/b"),
        ("1.0", "1", "/a"),
        ("1e1", "10", "/a"),
        ('{"b":["\\u0078"]}', '{"b":["x"]}', "/a/b/0"),
    ],
)
def test_a_built_value_in_another_spelling_is_no_equal_one(
    built: str, captured: str, path: str
) -> None:
    value: Value = {"a": Raw(built, REPLY)}
    body = f'{{"a":{captured}}}'.encode()
    assert [item.path for item in held(value, body).differences] == [path]
    both = held(value, f'{{"a":{built}}}'.encode())
    assert (both.equal, both.filled) == (True, encode(value))


def test_our_own_spelling_stays_beside_a_mask() -> None:
    origin = Origin(Kind.LITERAL, "escaped")
    body = b'["\\u00e9abc"]'
    mask_run = Run(8, 11, SUFFIX, 0)
    built = Built(b'["\\u00e9???"]', (Run(2, 8, origin, 0), mask_run))
    same = compare(built, body)
    assert (same.equal, same.filled.body) == (True, body)
    assert verdicts(compare(built, '["éabc"]'.encode())) == [("encoding", "/0")]


def test_white_space_around_a_built_body_is_compared() -> None:
    built = encode(Raw("1\n", REPLY))
    assert verdicts(compare(built, b"1")) == [("encoding", "")]
    assert compare(built, b"1\n").equal


def test_a_wrong_word_at_hand_is_not_put_right_by_the_capture() -> None:
    built = encode([known(PROSE)], {DIGEST: "wrong"})
    assert compare(built, dumped([LONG])).filled.body == dumped(["wrong"])


OTHER_ID = Mask(Kind.MASK, "prompt_id", "[0-9a-f]{8}", 8, recurs=True)
TIME = Mask(Kind.MASK, "time:1", "[0-9]{8}", 8, recurs=True, shared=True)
OTHER_TIME = Mask(Kind.MASK, "time:2", "[0-9]{8}", 8, recurs=True, shared=True)


def test_two_fresh_ids_must_not_be_equal() -> None:
    apart: Value = {"a": mask(ID), "b": mask(OTHER_ID)}
    assert held(apart, {"a": "0123abcd", "b": "0123abce"}).equal
    assert verdicts(held(apart, {"a": "0123abcd", "b": "0123abcd"})) == [("repeated-id", "/b")]
    within: Value = {"a": mask(ID) + text(" ", FILE) + mask(OTHER_ID)}
    assert verdicts(held(within, {"a": "0123abcd 0123abcd"})) == [("repeated-id", "/a")]


def test_an_id_of_an_earlier_request_is_no_fresh_one() -> None:
    value: Value = {"b": mask(OTHER_ID)}
    before = {"session_id": "0123abcd"}
    assert verdicts(held(value, {"b": "0123abcd"}, before)) == [("repeated-id", "/b")]
    number: Value = {"b": Raw("0", ID)}
    numeric = {"other": "12345678"}
    assert verdicts(held(number, b'{"b":12345678}', numeric)) == [("repeated-id", "/b")]


def test_two_moments_may_be_the_same_where_the_profile_says_so() -> None:
    value: Value = [mask(TIME), mask(OTHER_TIME)]
    assert held(value, ["12345678", "12345678"]).equal


@pytest.mark.parametrize("recurs", [False, True])
def test_a_mask_takes_no_more_than_its_limit(recurs: bool) -> None:
    short = Mask(Kind.MASK, "short", "[0-9]+", 4, recurs)
    assert held([mask(short)], ["1234"]).equal
    assert verdicts(held([mask(short)], ["12345"])) == [("changed", "/0")]
    inside: Value = [mask(short) + text(";", FILE)]
    assert held(inside, ["1234;"]).equal
    assert verdicts(held(inside, ["12345;"])) == [("changed", "/0")]
    two: Value = [mask(short) + known(PROSE)]
    assert verdicts(held(two, [f"12345{LONG}"])) == [("changed", "/0")]
    assert held([Raw("0", short)], b"[1234]").equal
    assert verdicts(held([Raw("0", short)], b"[12345]")) == [("changed", "/0")]
