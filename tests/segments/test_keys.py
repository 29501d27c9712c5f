"""Keys: what segments mean."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.segments import Segment, canonical
from inspector.wire import split
from tests.documents import DOCUMENTS, VALUES
from tests.segments.requests import (
    ANTHROPIC,
    MARK,
    key,
    messages,
)


def test_a_bare_string_means_its_one_text_block() -> None:
    assert (
        key(messages("hi"))
        == key(messages([{"type": "text", "text": "hi"}]))
        == key(messages([{"type": "text", "text": "hi", "cache_control": MARK}]))
    )
    assert key(messages("")) == key(messages([{"type": "text", "text": ""}]))
    one, two = (
        messages(system="s").segments,
        messages(system=[{"type": "text", "text": "s", "cache_control": MARK}]).segments,
    )
    assert [segment.key for segment in one] == [segment.key for segment in two]


def test_a_tool_results_string_means_its_one_text_block() -> None:
    block = {"type": "tool_result", "tool_use_id": "t"}
    listed_text = [{"type": "text", "text": "r", "cache_control": MARK}]
    assert key(messages([{**block, "content": "r"}])) == key(
        messages([{**block, "content": listed_text}])
    )


def test_a_cache_mark_is_no_part_of_the_meaning_but_is_seen() -> None:
    bare = {"type": "tool_use", "id": "t", "name": "n", "input": {"cache_control": 1}}
    plain = messages([bare])
    marked = messages([{**bare, "cache_control": MARK}])
    assert key(plain) == key(marked)
    assert [one.segments[0].breakpoint for one in (plain, marked)] == [
        None,
        b'{"type":"ephemeral"}',
    ]
    assert key(plain) != key(messages([{**bare, "input": {}}]))


def test_a_mark_on_the_last_block_of_a_tool_result_is_the_results_mark() -> None:
    content = [{"type": "text", "text": "r", "cache_control": MARK}]
    (segment,) = messages(
        [{"type": "tool_result", "tool_use_id": "t", "content": content}]
    ).segments
    assert segment.breakpoint == b'{"type":"ephemeral"}'


def test_a_tools_property_called_cache_control_is_no_mark() -> None:
    schema = {"type": "object", "properties": {"cache_control": {"type": "string"}}}
    tool = {"name": "n", "input_schema": schema}
    plain, other = (
        messages(tools=[tool]),
        messages(tools=[{"name": "n", "input_schema": {"type": "object", "properties": {}}}]),
    )
    assert plain.segments[0].breakpoint is None
    assert key(plain) != key(other)


@pytest.mark.parametrize(
    "other",
    [
        b'{"max_tokens":1,"messages":[{"role":"assistant","content":[{"type":"text","text":"a"}]}]}',
        b'{"max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"b"}]}]}',
        b'{"max_tokens":1,"messages":[{"role":"user","content":[{"text":"a","type":"text"}]}]}',
        b'{"max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"a"}],"output_config":{"effort":"low"}}]}',
        b'{"max_tokens":1,"messages":[{"role":"user","content":[]}]}',
        b'{"max_tokens":1,"messages":[],"system":"a"}',
    ],
)
def test_role_words_key_order_and_message_members_are_part_of_the_meaning(other: bytes) -> None:
    assert key(split(other)) != key(messages([{"type": "text", "text": "a"}]))


def test_whether_a_segment_opens_its_message_is_part_of_the_meaning() -> None:
    first, second = messages(
        [{"type": "text", "text": "a"}, {"type": "text", "text": "a"}]
    ).segments
    assert (first.opens_message, second.opens_message) == (True, False)
    assert first.key != second.key


def test_spelling_and_white_space_are_no_part_of_the_meaning() -> None:
    loose = b'{ "max_tokens" : 1, "messages" : [ { "role" : "user" , "content" : [ { "type" : "te\\u0078t", "text" : "\\u0061\\/" } ] } ] }'
    tight = b'{"max_tokens":1,"messages":[{"content":"a/","role":"user"}]}'
    assert key(split(loose)) == key(split(tight))


@given(DOCUMENTS)
def test_canonical_text_is_the_same_value_written_in_one_way(text: str) -> None:
    once = canonical(text.encode())
    assert canonical(once) == once
    assert json.loads(once, parse_int=str, parse_float=str, object_pairs_hook=list) == json.loads(
        text, parse_int=str, parse_float=str, object_pairs_hook=list
    )


@given(VALUES, VALUES, st.sampled_from(["tools", "system", "messages"]))
def test_equal_keys_mean_equal_values(one: str, other: str, section: str) -> None:
    def split_one(raw: str) -> Segment:
        inner = f'{{"role":"user","content":[{raw}]}}' if section == "messages" else raw
        return split(f'{{"messages":[],"{section}":[{inner}]}}'.encode(), ANTHROPIC).segments[-1]

    first, second = split_one(one), split_one(other)
    same = canonical(first.raw) == canonical(second.raw)
    unmarked = not any(word in one + other for word in ("cache_control", "tool_result", '"text"'))
    assert (first.key == second.key) == same or not unmarked
