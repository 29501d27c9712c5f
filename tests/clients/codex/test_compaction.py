"""Compactions and WebSockets of a Codex thread, on paper."""

import json
from typing import Any

from inspector.session import ExchangeKind
from inspector.text import Built
from inspector.turns import Connected, Failed, OtherBlock, Prompted, Replied
from tests.clients.codex.stage import CUSTOM, begin, items, said, texts, turn, world

BUILTIN = 'sandbox_mode = "danger-full-access"\n'
SEALED = json.dumps({"type": "compaction", "id": "cmp_1", "encrypted_content": "eA=="})


def body(built: Built) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(built.body)
    return found


def compacted(words: str) -> Replied:
    return said(words).model_copy(update={"id": "compaction"})


def answered(words: str, response: str) -> Replied:
    return said(words).model_copy(update={"id": response})


def test_a_summary_is_asked_for_in_the_users_words_and_stands_behind_the_last_prompt() -> None:
    of = world(config='model = "gpt-5.5"\ncompact_prompt = " Sum up. \\n"\n' + CUSTOM)
    conversation = begin(of)
    conversation.step(turn(Prompted(text="one")), of)
    built = conversation.step(turn(said("a"), compacted("what was done")), of)
    ((kind, asked),) = conversation.asides()
    assert (kind, body(asked)["tools"], body(asked)["parallel_tool_calls"]) == (
        ExchangeKind.COMPACTION,
        [],
        False,
    )
    assert items(asked)[-1] == {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "Sum up."}],
    }
    prompt, summary = items(built)[-2:]
    assert (texts(prompt), texts(summary)[0].endswith("\nwhat was done")) == (["one"], True)


def test_a_compaction_before_a_prompt_belongs_to_its_turn() -> None:
    of = world(config=BUILTIN)
    conversation = begin(of)
    conversation.step(turn(Prompted(text="one")), of)
    sealed = Replied(id="compaction", blocks=(OtherBlock(raw=SEALED),))
    built = conversation.step(turn(said("a"), sealed, Prompted(text="two")), of)
    ((_, asked),) = conversation.asides()
    told: str = body(asked)["client_metadata"]["x-codex-turn-metadata"]
    assert '"phase":"pre_turn"' in told
    assert [body(one)["client_metadata"]["turn_id"] for one in (asked, built)] == [
        "⟦mask turn_id:2⟧",
        "⟦mask turn_id:2⟧",
    ]
    assert items(asked)[-1] == {"type": "compaction_trigger"}
    assert [item["type"] for item in items(built)[-3:]] == ["message", "compaction", "message"]
    assert [texts(item) for item in (items(built)[-3], items(built)[-1])] == [["one"], ["two"]]


def test_what_was_said_has_a_budget_after_a_compaction_and_the_oldest_loses_its_middle() -> None:
    of = world(config=BUILTIN)
    conversation = begin(of)
    conversation.step(turn(Prompted(text="a" * 200_000)), of)
    conversation.step(turn(said("x"), Prompted(text="b" * 200_000)), of)
    sealed = Replied(id="compaction", blocks=(OtherBlock(raw=SEALED),))
    built = conversation.step(turn(said("y"), sealed), of)
    kept = [texts(item)[0] for item in items(built) if item.get("role") == "user"]
    left = 64_000 - 50_000
    assert kept[0] == "a" * (left * 2) + f"…{50_000 - left} tokens truncated…" + "a" * (left * 2)
    assert kept[-1] == "b" * 200_000


def test_on_a_websocket_only_what_is_new_is_sent_as_long_as_the_thread_goes_on() -> None:
    of = world(config=BUILTIN)
    conversation = begin(of)
    first = conversation.step(turn(Connected(response="resp_0"), Prompted(text="one")), of)
    ((kind, warm),) = conversation.asides()
    assert (kind, body(warm)["generate"], body(warm)["input"]) == (ExchangeKind.WARMUP, False, [])
    assert body(first)["previous_response_id"] == "resp_0"
    second = conversation.step(turn(answered("a", "resp_1"), Prompted(text="two")), of)
    assert body(second)["previous_response_id"] == "resp_1"
    assert [texts(item) for item in items(second)] == [["two"]]


def test_after_a_socket_broke_all_is_sent_again_and_no_response_named() -> None:
    of = world(config=BUILTIN)
    conversation = begin(of)
    whole = conversation.step(turn(Connected(response="resp_0"), Prompted(text="one")), of)
    again = conversation.step(turn(Failed(status=500), Connected()), of)
    assert "previous_response_id" not in body(again)
    assert items(again) == items(whole)


def test_where_no_socket_can_be_had_the_effort_is_told_anew() -> None:
    of = world(config=BUILTIN)
    conversation = begin(of)
    built = conversation.step(turn(Prompted(text="one"), Connected(transport="http")), of)
    assert items(built)[-1] == {"type": "configuration_update", "reasoning": {"effort": "low"}}
    assert "type" not in body(built)
