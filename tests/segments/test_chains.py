"""Chains: bodies that share segments with the body before."""

import tracemalloc
from typing import Any

import pytest

from inspector.segments import Prompt
from inspector.wire import DIALECTS, split
from tests.segments.requests import ANTHROPIC, MARK, OPENAI, dump


def conversation(turns: int) -> list[bytes]:
    """Bodies that grow by a message with a moving cache mark, as Claude Code's do."""
    bodies: list[bytes] = []
    for turn in range(1, turns + 1):
        said: list[dict[str, Any]] = [
            {"role": "user", "content": f"{number} " + "x" * 2000} for number in range(turn)
        ]
        said[-1]["content"] = [{"type": "text", "text": said[-1]["content"], "cache_control": MARK}]
        bodies.append(dump({"model": "m", "system": "s" * 2000, "messages": said, "max_tokens": 1}))
    return bodies


def test_a_chain_shares_all_but_the_last_messages_with_its_parent() -> None:
    prompt: Prompt | None = None
    for turn, body in enumerate(conversation(12), 1):
        prompt = split(body, parent=prompt)
        assert prompt == split(body)
        assert prompt.shared == max(0, turn - 1)
        assert len(prompt) == turn + 1


@pytest.mark.parametrize("change", ["edited", "inserted", "deleted", "emptied"])
def test_one_changed_message_leaves_the_segments_around_it_shared(change: str) -> None:
    said: list[Any] = [{"role": "user", "content": str(number), "x": 1} for number in range(20)]
    body: Any = {"model": "m", "messages": said, "max_tokens": 1}
    parent = split(dump(body))
    said[7:8] = {
        "edited": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "new"}, {"type": "text", "text": "two"}],
            }
        ],
        "inserted": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "two"},
            said[7],
        ],
        "deleted": [],
        "emptied": [{"role": "user", "content": []}],
    }[change]
    child = split(dump(body), parent=parent)
    assert child == split(dump(body))
    assert child.unknown == split(dump(body)).unknown
    assert child.shared in {6, 7}
    kept = {segment.raw for segment in parent.segments} & {
        segment.raw for segment in child.segments
    }
    raws = {id(segment.raw) for segment in parent.segments}
    assert sum(id(segment.raw) in raws for segment in child.segments) >= len(kept) - 2


def test_a_chain_holds_memory_for_its_distinct_bytes() -> None:
    bodies = conversation(150)
    prompts: list[Prompt] = []
    tracemalloc.start()
    for number in range(len(bodies)):
        prompts.append(split(bodies[number], parent=prompts[-1] if prompts else None))
        bodies[number] = b""
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    last = len(prompts[-1].body)
    assert held < 3 * last
    assert sum(len(prompt.body) for prompt in prompts) > 60 * last


def test_a_body_in_another_dialect_shares_nothing() -> None:
    parent = split(
        b'{"model":"m","tools":[{"name":"a"},{"name":"b"}],"messages":[],"max_tokens":1}'
    )
    child = split(b'{"model":"m","tools":[{"name":"a"},{"name":"b"}],"input":[]}', parent=parent)
    assert (child.dialect, child.shared) == (OPENAI, 0)
    assert child == split(child.body)


def test_a_given_dialect_is_taken_whatever_the_shape() -> None:
    assert (
        split(b'{"model":"m","input":[]}', ANTHROPIC).problem
        == "no model request: a JSON object of model, input"
    )
    assert {dialect.name for dialect in DIALECTS} == {"anthropic", "openai"}
