"""Edits of a recorded request: spliced bytes, everything else as it was."""

import pytest

from inspector.errors import BadInput
from inspector.replay.edits import Edits, counted, edited

BODY = (
    b'{"model":"m", "max_tokens": 1e3,"system":[{"type":"text","text":"x-anthropic-billing-header: a"},'
    b'{"type":"text","text":"\\u0041"}],"tools":[{"name":"A"},{"name":"B"},{"name":"C"}],'
    b'"messages":[{"role":"user","content":"hi"}],"metadata":{"user_id":"u"},"stream":true}'
)
PLAIN = (
    b'{"model":"m", "max_tokens": 1e3,"system":[{"type":"text","text":"\\u0041"}],'
    b'"tools":[{"name":"A"},{"name":"B"},{"name":"C"}],'
    b'"messages":[{"role":"user","content":"hi"}],"stream":true}'
)


def test_attestations_are_left_out_and_the_rest_stays_byte_for_byte() -> None:
    assert edited(BODY, Edits()) == PLAIN


@pytest.mark.parametrize(
    ("edits", "old", "new"),
    [
        (Edits(model="other"), b'"model":"m"', b'"model":"other"'),
        (Edits(sets=("/max_tokens=7",)), b"1e3", b"7"),
        (Edits(sets=("/messages/0/content=a=b",)), b'"hi"', b'"a=b"'),
        (Edits(sets=("/temperature=0.5",)), b'"stream":true', b'"stream":true,"temperature":0.5'),
        (Edits(sets=("/tools/-={}",)), b'{"name":"C"}', b'{"name":"C"},{}'),
        (Edits(without=("/tools/0", "/tools/2")), b'{"name":"A"},{"name":"B"},{"name":"C"}',
         b'{"name":"B"}'),
        (Edits(without=("/stream",)), b',"stream":true', b""),
        (Edits(without=("/model",)), b'"model":"m", ', b""),
    ],
)  # fmt: skip
def test_only_what_is_named_changes(edits: Edits, old: bytes, new: bytes) -> None:
    assert edited(BODY, edits) == PLAIN.replace(old, new)


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        (Edits(without=("/tools/9",)), "/tools/9: nothing stands there"),
        (Edits(without=("",)), ": nothing stands there"),
        (Edits(sets=("/a/b=1",)), "--set /a/b: nothing it could stand in"),
        (Edits(sets=("model",)), "--set model: write it as /pointer=value"),
    ],
)
def test_what_cannot_be_edited_is_one_line(edits: Edits, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        edited(BODY, edits)
    assert str(caught.value).startswith(said)


def test_a_count_takes_no_params_of_an_answer() -> None:
    assert counted(PLAIN) == PLAIN.replace(b'"max_tokens": 1e3,', b"").replace(
        b',"stream":true', b""
    )
