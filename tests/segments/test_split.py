"""Splitting bodies: lossless, and equal with or without a parent."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.wire import split
from tests.segments.requests import BODIES, CLAUDE_BODIES, CODEX_BODIES, lossless


@given(BODIES)
def test_splitting_loses_nothing(body: bytes) -> None:
    prompt = split(body)
    lossless(prompt, body)
    assert bool(prompt.problem) == (prompt.dialect is None)
    for segment in prompt.segments:
        found = prompt.root.find(segment.path)
        names = [member.name for member in prompt.root.members]
        if len(set(names)) == len(names):
            assert found is not None
            assert found.raw == segment.raw
        assert len(segment.key) == 64
        assert segment.value.raw == segment.raw


def edited(body: bytes, data: st.DataObject) -> bytes:
    start = data.draw(st.integers(0, len(body)))
    end = data.draw(st.integers(start, min(len(body), start + 8)))
    pieces = [
        b"",
        b"x",
        b'"',
        b"]",
        b"}",
        b",",
        b" ",
        b"{}",
        b'"a",',
        b'],"model":"n","input":[',
        body[start:end] * 2,
        b'{"role":"user","content":"new"},',
    ]
    return body[:start] + data.draw(st.sampled_from(pieces)) + body[end:]


@given(BODIES, st.data())
def test_splitting_with_a_parent_gives_the_same_prompt_for_any_edit(
    body: bytes, data: st.DataObject
) -> None:
    for _ in range(3):
        parent, parents_body = split(body), body
        body = edited(body, data)
        chained = split(body, parent=parent)
        alone = split(body)
        assert chained == alone
        assert [one.key for one in chained.segments] == [one.key for one in alone.segments]
        assert (chained.tail, chained.unknown, chained.dialect) == (
            alone.tail,
            alone.unknown,
            alone.dialect,
        )
        lossless(chained, body)
        lossless(parent, parents_body)


@given(st.one_of(CLAUDE_BODIES, CODEX_BODIES), st.lists(st.integers(0, 200), max_size=6))
def test_a_long_chain_of_cuts_and_growth_stays_exact(body: bytes, cuts: list[int]) -> None:
    parent = split(body)
    for cut in cuts:
        grown = body.replace(b'"role":"user"', b'"role":"assistant"', cut % 7) if cut % 2 else body
        parent = split(grown, parent=parent)
        assert parent == split(grown)
