"""What a whole conversation shows, and where the API's own word is another than its rules'."""

import json
from dataclasses import replace
from typing import Any

import pytest

from inspector import wire
from inspector.cache import Report, Sent, Usage, report
from inspector.cache.heads import heads
from inspector.wire.diagnosis import diagnosis

MARK = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}
WORDS = "many words that make the prefix long enough to be cached at all; " * 80
HEADS = heads("claude-code", "2.1.332")
RULES = "<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere.\n{}"
SKILLS = "The following skills are available for use with the Skill tool:\n\n- {}: does it"
SERVERS = "# MCP Server Instructions\n\nThe following MCP servers have provided {}"

type Body = dict[str, Any]


def text(words: str, **more: Any) -> Body:
    return {"type": "text", "text": words, **more}


def conversation(turns: int, *, opening: tuple[str, ...] = (), mark: Any = MARK) -> list[Body]:
    """The bodies of a healthy conversation; its first message has `opening` before the prompt."""
    bodies: list[Body] = []
    messages: list[Body] = []
    for number in range(turns):
        told = [text(words) for words in (opening if not number else ())]
        messages.append({"role": "user", "content": [*told, text(f"question {number} of them")]})
        found = json.loads(json.dumps(messages))
        found[-1]["content"][-1]["cache_control"] = mark
        bodies.append(
            {
                "model": "claude-sonnet-4-6",
                "tools": [{"name": "Bash", "input_schema": {"type": "object"}}],
                "system": [text(WORDS, cache_control=mark)],
                "messages": found,
            }
        )
        messages.append({"role": "assistant", "content": [text(f"answer {number}")]})
    return bodies


def judged(bodies: list[Body], usage: tuple[Usage, ...] = (), **more: Any) -> Report:
    sent = [
        Sent(f"e{at}", wire.split(json.dumps(body).encode()), usage=usage[at] if usage else None)
        for at, body in enumerate(bodies)
    ]
    return report([replace(item, **more) for item in sent], HEADS)


def told(found: Report) -> list[tuple[str, str, str, str]]:
    return [(item.rule, item.severity, item.path, item.exchange) for item in found.findings]


# --- the client's own texts ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "rule"),
    [(RULES, "RULE-CHANGED"), (SKILLS, "SKILL-LISTING"), (SERVERS, "MCP-INSTRUCTIONS")],
)
@pytest.mark.parametrize("way", ["changed", "gone", "come"])
def test_a_text_of_the_clients_is_told_by_how_it_begins(head: str, rule: str, way: str) -> None:
    first, second = head.format("one"), head.format("two")
    before = (first, "a reminder of something else") if way != "come" else ("a reminder of it",)
    after = {
        "changed": (second, *before[1:]),
        "gone": before[1:],
        "come": (first, *before),
    }[way]
    bodies = [*conversation(3, opening=before)[:2], conversation(3, opening=after)[2]]
    assert told(judged(bodies)) == [(rule, "warning", "/messages/0/content/0", "e2")]


def test_a_text_that_stands_in_the_request_and_is_put_in_again_is_reinjected() -> None:
    bodies = conversation(3, opening=("a reminder of some length", "another one, also long"))
    last = bodies[2]["messages"]
    last[2]["content"].insert(0, text("a reminder of some length"))
    assert told(judged(bodies)) == [("REINJECTED", "warning", "/messages/2/content/0", "e2")]


def test_a_long_text_that_stands_three_times_is_information() -> None:
    bodies = conversation(3)
    for body in bodies:
        for message in body["messages"]:
            if message["role"] == "user":
                message["content"].insert(0, text("rule of the house; " * 80))
    assert told(judged(bodies)) == [("REINJECTED", "info", "/messages/4/content/0", "e2")]


# --- marks ----------------------------------------------------------------------------------------


def test_marks_that_ask_for_a_shorter_life_are_told_and_longer_ones_are_information() -> None:
    short, long = conversation(3), conversation(3, mark=HOUR)
    assert told(judged([*long[:2], short[2]])) == [("TTL-CHANGED", "warning", "", "e2")]
    assert told(judged([*short[:2], long[2]])) == [("TTL-CHANGED", "info", "", "e2")]


def test_what_always_stands_behind_the_last_mark_is_told_once() -> None:
    bodies = conversation(5)
    for body in bodies:
        del body["messages"][-1]["content"][-1]["cache_control"]
        body["messages"][-1]["content"].append(text("a state of things that changes; " * 200))
    assert told(judged(bodies)) == [("TAIL-UNCACHED", "warning", "", "e2")]


# --- the API's own word ---------------------------------------------------------------------------


def test_entries_that_are_written_and_never_read_are_told() -> None:
    usage = tuple(Usage(0, 1000 + at, 3) for at in range(5))
    found = judged(conversation(5), usage)
    assert told(found)[0] == ("WRITE-ONLY", "warning", "", "e4")
    assert found.findings[0].message.startswith("5 requests wrote 5,010 tokens")


def test_a_mocks_numbers_are_not_held_against_the_rules() -> None:
    assert judged(conversation(5), (Usage(0, 100, 10),) * 5).findings == ()


def test_a_read_of_what_the_rules_say_is_lost_names_both() -> None:
    bodies = conversation(3)
    bodies[2]["tools"][0]["description"] = "another"
    usage = Usage(0, 1000, 3), Usage(1000, 20, 3), Usage(1020, 20, 3)
    broken, disagreed = judged(bodies, usage).findings
    assert (broken.rule, disagreed.rule, disagreed.severity) == (
        *("TOOLS-CHANGED", "USAGE-DISAGREES"),
        "info",
    )
    assert disagreed.message == (
        "the rules say that 0% of the request can be read; the API reports 1,020 tokens, 98%"
    )


@pytest.mark.parametrize(
    ("said", "broken", "message"),
    [
        ("tools_changed", True, None),
        ("tools_changed", False, "the API says tools_changed; the rules see nothing changed"),
        (
            "system_changed",
            True,
            "the API says system_changed; the rules say TOOLS-CHANGED in the tools",
        ),
        ("unavailable", True, None),
    ],
)
def test_the_apis_diagnosis_stands_beside_ours(
    said: str, broken: bool, message: str | None
) -> None:
    bodies = conversation(2)
    if broken:
        bodies[1]["tools"][0]["description"] = "another"
    sent = [
        Sent(f"e{at}", wire.split(json.dumps(body).encode()), diagnosis=said if at else "")
        for at, body in enumerate(bodies)
    ]
    found = [item.message for item in report(sent).findings if item.rule == "USAGE-DISAGREES"]
    assert found == ([] if message is None else [message])


def _event(kind: str, value: Body) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **value})}\n\n".encode()


ANTHROPIC: Body = {"diagnostics": {"cache_miss_reason": {"type": "system_changed"}}}
OPENAI: Body = {"prompt_cache_diagnostics": {"type": "cache_miss", "reason": "tools_changed"}}


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (json.dumps(ANTHROPIC).encode(), "application/json", "system_changed"),
        (_event("message_start", {"message": ANTHROPIC}), "text/event-stream", "system_changed"),
        (_event("response.completed", {"response": OPENAI}), "text/event-stream", "tools_changed"),
        (b'{"diagnostics": null}', "application/json", ""),
        (b'{"diagnostics": {"cache_miss_reason": null}}', "application/json", ""),
        (b"no json", "text/plain", ""),
    ],
)
def test_both_vendors_diagnoses_are_read(body: bytes, kind: str, said: str) -> None:
    assert diagnosis(body, kind) == said


def test_a_break_has_a_cost() -> None:
    bodies = conversation(2)
    bodies[1]["tools"][0]["description"] = "another"
    (found,) = judged(bodies, started="2026-06-01T10:00:00Z").findings
    assert found.cost is not None
    size = len(json.dumps(bodies[1]))
    assert 0 < found.cost.low < found.cost.high < size / 3 * 3.45 / 1e6
    assert (found.cost.counted, found.cost.strength) == (False, "official")
