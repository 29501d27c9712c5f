import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector import wire
from inspector.diff import Change, Side, compare, diff
from inspector.segments import Prompt

MARK = {"type": "ephemeral"}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def body(messages: list[Any], **more: Any) -> dict[str, Any]:
    tools = [
        {"name": name, "input_schema": {"type": "object"}} for name in ("Bash", "Read", "Edit")
    ]
    return {"model": "m", "messages": messages, "system": [text("rules")], "tools": tools, **more}


def prompt(value: dict[str, Any]) -> Prompt:
    return wire.split(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


def changes(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[str, str | None, str | None]]:
    return [(item.verdict, item.path_a, item.path_b) for item in diff(prompt(a), prompt(b))]


TALK = [user(text(f"message {number}")) for number in range(6)]


def test_equal_bodies_have_no_difference() -> None:
    assert changes(body(TALK), body(TALK)) == []


def test_an_inserted_message_is_one_change() -> None:
    longer = [*TALK[:2], user(text("new")), *TALK[2:]]
    assert changes(body(TALK), body(longer)) == [("added", None, "/messages/2/content/0")]
    assert changes(body(longer), body(TALK)) == [("removed", "/messages/2/content/0", None)]


def test_a_moved_message_is_one_move() -> None:
    moved = [*TALK[1:], TALK[0]]
    assert changes(body(TALK), body(moved)) == [("moved", "/messages/0", "/messages/5")]


def test_a_message_of_several_blocks_that_came_is_one_change() -> None:
    longer = [*TALK[:2], user(text("new"), text("newer")), *TALK[2:]]
    assert changes(body(TALK), body(longer)) == [("added", None, "/messages/2")]
    grown = [*TALK[:2], user(text("message 2"), text("new"), text("newer")), *TALK[3:]]
    assert changes(body(TALK), body(grown)) == [
        ("added", None, "/messages/2/content/1"),
        ("added", None, "/messages/2/content/2"),
    ]


def test_a_changed_message_says_where_inside() -> None:
    other = [*TALK[:3], user(text("another")), *TALK[4:]]
    (change,) = diff(prompt(body(TALK)), prompt(body(other)))
    path = "/messages/3/content/0"
    assert change == Change("changed", "messages", path, path, 32, ("/text",))
    assert not change.benign


def test_a_cache_mark_that_moved_on_is_benign() -> None:
    before = [*TALK[:5], user(text("message 5", cache_control=MARK))]
    after = [*TALK[:6], user(text("next", cache_control=MARK))]
    found = diff(prompt(body(before)), prompt(body(after)))
    assert [(item.verdict, item.benign) for item in found] == [
        ("moved-mark", True),
        ("added", False),
    ]


def test_a_string_and_its_one_block_are_the_same_in_another_shape() -> None:
    bare = [*TALK[:5], {"role": "user", "content": "message 5"}]
    (change,) = diff(prompt(body(TALK)), prompt(body(bare)))
    assert (change.verdict, change.benign) == ("reshaped", True)


def test_reordered_tools_are_moves_and_reordered_keys_are_named() -> None:
    a, b = body(TALK), body(TALK)
    b["tools"] = [b["tools"][1], b["tools"][0], b["tools"][2]]
    assert [item[0] for item in changes(a, b)] == ["moved"]
    b["tools"] = [*a["tools"][:2], {"input_schema": {"type": "object"}, "name": "Edit"}]
    assert changes(a, b) == [("reordered-keys", "/tools/2", "/tools/2")]


def test_the_order_of_keys_is_told_beside_what_changed_in_a_schema() -> None:
    a, b = body(TALK), body(TALK)
    b["tools"] = [*a["tools"][:2], {"input_schema": {"type": "array"}, "name": "Edit"}]
    assert [(item.verdict, item.detail) for item in diff(prompt(a), prompt(b))] == [
        ("changed", ("/input_schema/type",)),
        ("reordered-keys", ("",)),
    ]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("Today's date is 2026-11-29.", "Today's date is 2026-11-30.", "volatile"),
        ("result of toolu_01AbCdEfGh", "result of toolu_02XyZ1234567", "volatile"),
        ("in 0b1f6a52-3c1c-4d5e-8f00-0123456789ab", "in 1b1f6a52-3c1c-4d5e-8f00-0123456789ab",
         "volatile"),
        ("on 2026-11-29 eat", "on 2026-11-30 drink", "changed"),
        ("version 2026-11-2", "version 2026-11-3", "changed"),
    ],
)  # fmt: skip
def test_days_and_ids_that_are_others_in_every_session_are_volatile(
    before: str, after: str, verdict: str
) -> None:
    (change,) = diff(
        prompt(body([*TALK, user(text(before))])), prompt(body([*TALK, user(text(after))]))
    )
    assert (change.verdict, change.detail) == (verdict, ("/text",))


def test_what_both_bodies_share_is_not_looked_into() -> None:
    a, b = (
        b'{"model":"m","messages":[{"role":"user","content":"\\ud800"},{"role":"user","content":"'
        + words
        + b'"}]}'
        for words in (b"one", b"two")
    )
    (change,) = diff(wire.split(a), wire.split(b))
    assert (change.verdict, change.path_b) == ("changed", "/messages/1/content")


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"model": "n"}, [("changed", "/model", "/model")]),
        ({"metadata": {"user_id": "x"}}, [("added", None, "/metadata")]),
        ({"max_tokens": 3}, [("added", None, "/max_tokens")]),
    ],
)
def test_params_are_compared_by_name(params: dict[str, Any], expected: list[Any]) -> None:
    assert changes(body(TALK), body(TALK, **params)) == expected


def test_what_names_the_session_is_volatile() -> None:
    a = body(TALK, metadata={"user_id": "one"})
    b = body(TALK, metadata={"user_id": "two"})
    assert changes(a, b) == [("volatile", "/metadata", "/metadata")]
    a["system"] = [text("x-anthropic-billing-header: cch=1;"), text("rules")]
    b["system"] = [text("x-anthropic-billing-header: cch=2;"), text("rules")]
    assert [item[0] for item in changes(a, b)] == ["volatile", "volatile"]


def test_numbers_are_compared_as_they_are_written() -> None:
    one = wire.split(b'{"model":"m","messages":[],"temperature":1.0}')
    other = wire.split(b'{"model":"m","messages":[],"temperature":1}')
    assert [item.verdict for item in diff(one, other)] == ["changed"]


def test_a_body_that_is_no_model_request_is_changed_whole() -> None:
    assert diff(wire.split(b"{}"), wire.split(b"[]")) == (Change("changed", "params", "", "", 2),)


def test_a_change_that_later_requests_show_too_is_told_with_the_first() -> None:
    talks = [body(TALK[:count]) for count in (2, 4, 6)]
    others = [body([user(text("message none")), *TALK[1:count]]) for count in (2, 4, 6)]
    pairs = compare(*([Side("", prompt(one)) for one in side] for side in (talks, others)))
    assert [[(item.verdict, item.requests) for item in pair.changes] for pair in pairs] == [
        [("changed", 3)],
        [],
        [],
    ]


def test_sessions_are_compared_request_by_request() -> None:
    a, b = prompt(body(TALK)), prompt(body(TALK[:5]))
    pairs = compare([Side("a1", a)], [Side("b1", a), Side("b2", b)])
    assert [[item.verdict for item in pair.changes] for pair in pairs] == [[], ["added"]]
    assert (pairs[1].a, pairs[1].changes[0].section) == (None, "request")


def _talk(*said: str) -> list[Side]:
    """A session whose requests each have one prompt more, answered with ids of their own."""
    made: list[Side] = []
    messages: list[Any] = []
    for number, words in enumerate(said):
        messages.append(user(text(words)))
        made.append(Side(words, prompt(body(messages))))
        messages.append({"role": "assistant", "content": [text(f"answer {number} {said[-1]}")]})
    return made


def test_sessions_are_aligned_by_what_was_said_and_not_by_number() -> None:
    one, other = _talk("one", "two", "three", "end"), _talk("one", "three", "four", "end")
    pairs = compare(one, other)
    assert [(pair.a and pair.a.name, pair.b and pair.b.name) for pair in pairs] == [
        ("one", "one"),
        ("two", None),
        ("three", "three"),
        (None, "four"),
        ("end", "end"),
    ]
    assert [change.verdict for change in pairs[1].changes] == ["removed"]


BLOCKS = st.lists(st.sampled_from("abcd"), max_size=6)


@given(BLOCKS, BLOCKS)
def test_diff_is_empty_for_equal_prompts_alone(left: list[str], right: list[str]) -> None:
    a = prompt(body([user(text(word)) for word in left]))
    b = prompt(body([user(text(word)) for word in right]))
    assert (diff(a, b) == ()) == (left == right)
    assert diff(a, a) == ()
    counted = [item.verdict for item in diff(a, b)]
    grown = counted.count("added") - counted.count("removed")
    assert grown == len(right) - len(left)


def _codex(prompt_text: str, mark: str) -> Prompt:
    """A request of Codex whose items have ids of their own."""
    tools: list[dict[str, Any]] = [
        {"type": "function", "name": name, "parameters": {}} for name in ("exec", "wait")
    ]
    words = [{"type": "input_text", "text": prompt_text}]
    items = [
        {"type": "additional_tools", "id": f"at_{mark}", "role": "developer", "tools": tools},
        {"type": "message", "id": f"msg_{mark}", "role": "user", "content": words},
        {"type": "function_call", "id": f"fc_{mark}", "call_id": "c", "name": "n"},
    ]
    return wire.split(json.dumps({"model": "m", "input": items}).encode())


def test_ids_of_items_are_volatile_and_only_the_prompt_changed() -> None:
    found = diff(_codex("hello", "1"), _codex("hello you", "2"))
    assert [(item.verdict, item.path_b) for item in found] == [
        ("volatile", "/input/0/id"),
        ("volatile", "/input/2/id"),
        ("changed", "/input/1/content/0"),
    ]
    assert all(item.benign for item in diff(_codex("hello", "1"), _codex("hello", "2")))
