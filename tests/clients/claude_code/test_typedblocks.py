"""Prompts of several texts: told apart in a request, and put together again."""

from collections.abc import Sequence

import pytest

from inspector.clients.claude_code import typedblocks
from inspector.clients.claude_code.message import joined
from inspector.jsontext import JSON
from inspector.turns import Prompted, TextPart

MARK = '{"type":"ephemeral"}'


def _texts(*said: str) -> list[dict[str, JSON]]:
    return [{"type": "text", "text": one} for one in said]


@pytest.mark.parametrize(
    ("found", "prompts"),
    [
        (_texts("a"), [Prompted(text="a")]),
        (_texts("a", "b"), [Prompted(text="b", ahead=(TextPart(text="a"),))]),
        (_texts("a\n", "b"), [Prompted(text="a"), Prompted(text="b")]),
        (_texts("", "b"), [Prompted(text="b")]),
        (_texts("a", ""), [Prompted(text="a")]),
        (
            [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}, *_texts("b")],
            [Prompted(text="b", ahead=(TextPart(text="a", cache_control=MARK),))],
        ),
    ],
)
def test_texts_within_one_message_are_one_prompt_and_a_newline_ends_it(
    found: list[dict[str, JSON]], prompts: list[Prompted]
) -> None:
    assert typedblocks.prompts(found) == prompts


@pytest.mark.parametrize("said", [("a", "b"), ("a\n", "b"), ("a", "b\n", "c", "d")])
def test_prompts_told_apart_make_the_same_blocks_again(said: Sequence[str]) -> None:
    groups = [typedblocks.blocks(one) for one in typedblocks.prompts(_texts(*said))]
    assert [str(block["text"]) for block in joined(groups)] == list(said)


def test_the_clients_own_mark_is_the_last_one_and_those_before_it_are_the_senders() -> None:
    mark: dict[str, JSON] = {"type": "ephemeral"}
    sent: list[dict[str, JSON]] = [{"type": "text", "text": "a", "cache_control": mark}]
    messages: list[dict[str, JSON]] = [
        {"role": "user", "content": [*sent]},
        {"role": "system", "content": [{"type": "text", "text": "b", "cache_control": mark}]},
    ]
    bare: list[JSON] = [{"type": "text", "text": "b"}]
    assert typedblocks.unmarked(messages) == [messages[0], {"role": "system", "content": bare}]


def test_texts_before_a_typed_command_are_ahead_of_its_body_but_not_of_a_servers() -> None:
    asked = typedblocks.command("/greet Ann", _texts("first", "body"))
    assert asked == Prompted(text="/greet Ann", ahead=(TextPart(text="first"),))
    served = typedblocks.command("/mcp__bee__ask", _texts("one", "two"))
    assert served == Prompted(text="/mcp__bee__ask")
