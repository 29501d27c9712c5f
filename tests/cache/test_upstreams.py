"""Upstreams that are no vendor's API: plain prefixes, and system messages joined to the top."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector import wire
from inspector.cache import Report, Sent, report
from tests.commands import Run

type Body = dict[str, Any]


def body(turns: int, *, line: str = "", told: str = "") -> Body:
    """The request of a turn; `line`: a billing line at the front, `told`: a system message each turn."""
    messages: list[Body] = []
    for number in range(turns):
        messages.append({"role": "user", "content": f"question {number}"})
        if told:
            messages.append({"role": "system", "content": f"{told} {number}"})
        messages.append({"role": "assistant", "content": f"answer {number}"})
    return {
        "model": "some-model",
        "max_tokens": 1,
        "system": [
            *([{"type": "text", "text": f"x-anthropic-billing-header: {line}"}] if line else []),
            {"type": "text", "text": "be kind"},
        ],
        "messages": [*messages, {"role": "user", "content": "the last"}],
    }


def judged(name: str, *bodies: Body) -> Report:
    sent = [Sent(f"e{at}", wire.split(json.dumps(one).encode())) for at, one in enumerate(bodies)]
    return report(sent, name=name)


def test_a_plain_prefix_needs_no_marks_and_no_length() -> None:
    bodies = [body(1), body(2), body(3)]
    # The prompt of before has an answer behind it now, so it stays and what follows is new.
    bodies[0]["messages"].pop()
    found = judged("generic-prefix", bodies[0], bodies[0], {**bodies[0], "max_tokens": 2})
    assert [turn.verdict for turn in found.turns] == ["first write", "hit", "hit"]


def test_a_line_that_is_another_each_time_breaks_a_plain_prefix_and_not_the_vendors() -> None:
    bodies = body(1, line="cch=1"), body(1, line="cch=2")
    (found,) = judged("generic-prefix", *bodies).findings
    assert (found.rule, found.severity, found.path) == ("SYSTEM-CHANGED", "warning", "/system/0")
    # The bodies have no marks: of that alone the vendor's rules speak.
    assert [item.rule for item in judged("anthropic", *bodies).findings] == ["BREAKPOINT-MISSING"]


@pytest.mark.parametrize(
    ("name", "rules"), [("hoist-system", ["SYSTEM-CHANGED"]), ("generic-prefix", [])]
)
def test_a_system_message_behind_the_history_breaks_where_it_is_joined_to_the_top(
    name: str, rules: list[str]
) -> None:
    before = body(1)
    after = body(1)
    after["messages"] += [
        {"role": "system", "content": "14000 tokens left"},
        {"role": "user", "content": "and now"},
    ]
    assert [item.rule for item in judged(name, before, after).findings] == rules


def test_the_command_judges_by_the_upstream_that_is_named(run: Run, root: Path) -> None:
    session = root / "captures/claude-code/2.1.332/cache_6turn/r0"
    code, out, _ = run("cache", session, "--upstream", "generic-prefix", "--json")
    document = json.loads(out)
    assert (code, document["upstream"]) == (0, "generic-prefix")
    verdicts = [turn["verdict"] for turn in document["turns"]]
    assert verdicts == ["first write", *["extended"] * (len(verdicts) - 1)]
    assert all(not turn["predicted"]["uncached"] for turn in document["turns"])
