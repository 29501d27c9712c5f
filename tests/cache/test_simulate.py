"""The rules of Anthropic's prompt cache, on made conversations; fact ids as in docs/cache.md."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from inspector import wire
from inspector.cache import Report, Sent, Usage, report

MARK = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}
LONG = "many words that make the prefix long enough to be cached at all; " * 60

type Body = dict[str, Any]


def text(words: str, **more: Any) -> Body:
    return {"type": "text", "text": words, **more}


def tool(name: str, **more: Any) -> Body:
    return {
        "name": name,
        "description": f"{name} does it",
        "input_schema": {"type": "object"},
        **more,
    }


def user(words: str, **more: Any) -> Body:
    return {"role": "user", "content": [text(words, **more)]}


def reply(number: int) -> Body:
    return {"role": "assistant", "content": [text(f"reply {number}")]}


def body(count: int, *, mark: Any = MARK, **more: Any) -> Body:
    """The request of turn `count` of a healthy conversation: its last message is marked."""
    messages = [user("question 0")]
    for number in range(1, count + 1):
        messages += [reply(number), user(f"question {number}")]
    messages[-1] = user(f"question {count}", cache_control=mark)
    system = [text("x-anthropic-billing-header: cch=0"), text(LONG, cache_control=mark)]
    return {
        "model": "claude-sonnet-4-6",
        "max_tokens": 1,
        "tools": [tool("Bash"), tool("Read")],
        "system": system,
        "messages": messages,
        **more,
    }


def judged(*bodies: Body, at: tuple[str, ...] = (), usage: tuple[Usage, ...] = ()) -> Report:
    """What is said of requests; `at`: when each started."""
    sent = [
        Sent(
            f"e{number}",
            wire.split(json.dumps(body).encode()),
            at[number] if at else "",
            usage[number] if usage else None,
        )
        for number, body in enumerate(bodies)
    ]
    return report(sent)


def verdicts(*bodies: Body, at: tuple[str, ...] = ()) -> list[str]:
    return [turn.verdict for turn in judged(*bodies, at=at).turns]


def test_a_healthy_conversation_has_no_finding() -> None:
    found = judged(*(body(count) for count in range(6)))
    assert [turn.verdict for turn in found.turns] == ["first write", *["extended"] * 5]
    assert found.findings == ()
    last, before = found.turns[-1], found.turns[-2]
    # What is read is what was read and written before (`whole-entry`).
    assert last.predicted.read >= before.predicted.read + before.predicted.write - 40
    assert last.predicted.uncached == 0


def test_the_same_request_again_is_a_hit() -> None:
    assert verdicts(body(2), body(2)) == ["first write", "hit"]


@pytest.mark.parametrize(("new", "verdict"), [(19, "extended"), (20, "prefix changed")])
def test_a_mark_looks_back_twenty_positions_its_own_being_the_first(new: int, verdict: str) -> None:
    before, after = body(0), body(0)
    blocks = [text(f"result {number}") for number in range(new)]
    blocks[-1]["cache_control"] = MARK
    after["messages"] = [user("question 0"), {"role": "user", "content": blocks}]
    found = judged(before, after)
    assert [turn.verdict for turn in found.turns] == ["first write", verdict]
    rules = [finding.rule for finding in found.findings]
    assert rules == ([] if verdict == "extended" else ["LOOKBACK"])


def test_a_marked_system_prompt_is_still_read_where_the_messages_are_out_of_reach() -> None:
    after = body(0)
    blocks = [text(f"result {number}") for number in range(30)]
    blocks[-1]["cache_control"] = MARK
    after["messages"] = [user("question 0"), {"role": "user", "content": blocks}]
    turn = judged(body(0), after).turns[1]
    assert (turn.prefix_positions, turn.predicted.write > 0) == (4, True)


def test_five_minutes_from_the_start_of_the_last_read_an_entry_is_gone() -> None:
    day = "2026-01-01T10:{}:00+00:00"
    at = tuple(day.format(minute) for minute in ("00", "04", "08", "12", "18"))
    found = judged(*(body(count) for count in range(5)), at=at)
    assert [turn.verdict for turn in found.turns] == [
        *("first write", "extended", "extended", "extended"),
        "expired",
    ]
    assert found.turns[-1].reason == "360 s since its last use, of 300 s"
    assert found.findings == ()


def test_an_hour_is_an_hour() -> None:
    at = ("2026-01-01T10:00:00Z", "2026-01-01T10:50:00Z", "2026-01-01T12:00:00Z")
    assert verdicts(*(body(count, mark=HOUR) for count in range(3)), at=at) == [
        "first write",
        "extended",
        "expired",
    ]


def test_what_is_too_short_for_the_model_is_not_cached() -> None:
    small = [body(count, model="claude-opus-4-6") for count in range(2)]
    found = judged(*small)
    assert [turn.verdict for turn in found.turns] == ["first write", "first write"]
    assert found.turns[1].reason == "below the 4,096 tokens that claude-opus-4-6 caches"
    assert found.findings == ()


# --- what changes nothing -----------------------------------------------------------------------


def listed(found: Body) -> None:
    """The first message as a text in place of a list."""
    found["messages"][0]["content"] = "question 0"


def billed(found: Body) -> None:
    found["system"][0]["text"] = "x-anthropic-billing-header: cch=1"


def unmarked(found: Body) -> None:
    del found["system"][1]["cache_control"]


def deferred(found: Body) -> None:
    found["tools"].append(tool("Late", defer_loading=True))


def named(found: Body) -> None:
    found["metadata"] = {"user_id": "another"}
    found["max_tokens"] = 9


@pytest.mark.parametrize("change", [listed, billed, unmarked, deferred, named])
def test_what_is_no_part_of_the_prefix_breaks_nothing(change: Callable[[Body], None]) -> None:
    after = body(2)
    change(after)
    found = judged(body(1), after)
    assert ([turn.verdict for turn in found.turns], found.findings) == (
        ["first write", "extended"],
        (),
    )


# --- what breaks it -----------------------------------------------------------------------------


def tools_more(found: Body) -> None:
    found["tools"].append(tool("More"))


def tools_turned(found: Body) -> None:
    found["tools"].reverse()


def tool_said(found: Body) -> None:
    found["tools"][0]["description"] = "another"


def schema_turned(found: Body) -> None:
    schema = found["tools"][1]["input_schema"]
    found["tools"][1]["input_schema"] = dict(reversed(schema.items()))


def system_said(found: Body) -> None:
    found["system"][1]["text"] = f"{LONG} and more"


def dated(found: Body) -> None:
    found["system"][1]["text"] = f"{LONG} Today is 2026-01-02."


def timed(found: Body) -> None:
    found["system"][1]["text"] = f"{LONG} It is 10:31:07."


def committed(found: Body) -> None:
    found["system"][1]["text"] = f"{LONG} gitStatus: Current branch: main M a.txt"


def modelled(found: Body) -> None:
    found["model"] = "claude-sonnet-5"


def chosen(found: Body) -> None:
    found["tool_choice"] = {"type": "any"}


def edited(found: Body) -> None:
    found["messages"][0]["content"][0]["text"] = "another question"


def moved(found: Body) -> None:
    first = found["messages"][0]
    found["messages"][0] = user("reminded")
    found["messages"].insert(2, first)


def summed(found: Body) -> None:
    found["messages"] = [user("a summary", cache_control=MARK)]


def bare(found: Body) -> None:
    del found["system"][1]["cache_control"]
    del found["messages"][-1]["content"][0]["cache_control"]


@pytest.mark.parametrize(
    ("change", "rule", "path"),
    [
        (tools_more, "TOOLS-CHANGED", "/tools/3"),
        (tools_turned, "TOOLS-REORDERED", "/tools/0"),
        (tool_said, "TOOLS-CHANGED", "/tools/0"),
        (schema_turned, "SCHEMA-KEY-ORDER", "/tools/1"),
        (system_said, "SYSTEM-CHANGED", "/system/1"),
        (dated, "DATE", "/system/1"),
        (timed, "VOLATILE-TEXT", "/system/1"),
        (committed, "GITSTATUS", "/system/1"),
        (modelled, "MODEL-CHANGED", "/model"),
        (chosen, "PARAMS-CHANGED", "/tool_choice"),
        (edited, "HISTORY-EDITED", "/messages/0/content/0"),
        (moved, "REMINDER-MOVED", "/messages/0/content/0"),
        (summed, "COMPACTION", "/messages/0/content/0"),
        (bare, "BREAKPOINT-MISSING", ""),
    ],
)
def test_a_break_has_its_cause_and_place(
    change: Callable[[Body], None], rule: str, path: str
) -> None:
    words: dict[Callable[[Body], None], str] = {
        dated: "Today is 2026-01-01.",
        timed: "It is 10:30:00.",
        committed: "gitStatus: Current branch: main",
    }

    def made(count: int) -> Body:
        found = body(count)
        found["system"][1]["text"] = f"{LONG} {words[change]}" if change in words else LONG
        found["tools"].append(tool("Two", input_schema={"type": "object", "properties": {}}))
        found["tools"][1]["input_schema"] = {"type": "object", "properties": {}}
        return found

    after = made(5)
    change(after)
    found = judged(made(3), made(4), after)
    (finding,) = found.findings
    assert [turn.verdict for turn in found.turns][:2] == ["first write", "extended"]
    assert (finding.rule, finding.path, finding.exchange) == (rule, path, "e2")
    assert finding.severity == ("info" if rule == "COMPACTION" else "warning")


def test_a_break_is_told_once_and_the_new_prefix_goes_on() -> None:
    later = [body(count) for count in range(2, 5)]
    for one in later:
        tools_more(one)
    found = judged(body(0), body(1), *later)
    assert [finding.exchange for finding in found.findings] == ["e2"]
    assert [turn.verdict for turn in found.turns][3:] == ["extended", "extended"]


def test_tools_that_go_and_come_back_are_told_as_one_thing() -> None:
    gone = body(2)
    del gone["tools"][1]
    rules = [item.rule for item in judged(body(0), body(1), gone, body(3)).findings]
    assert rules == ["TOOLS-FLAP", "TOOLS-FLAP"]


def test_a_conversation_without_marks_is_told_once() -> None:
    def unmarked_body(count: int) -> Body:
        found = body(count)
        bare(found)
        return found

    found = judged(*(unmarked_body(count) for count in range(4)))
    assert [finding.rule for finding in found.findings] == ["BREAKPOINT-MISSING"]


# --- the API's own word ---------------------------------------------------------------------------


def test_a_read_that_stands_still_while_the_prompt_grows_is_a_plateau() -> None:
    usage = tuple(
        Usage(5327, write, 2) for write in (11682, 12517, 22698, 50688)
    )  # a sub-agent's frozen read, as reported for client 2.1.270
    rules = [item.rule for item in judged(*map(body, range(4)), usage=usage).findings]
    assert rules == ["PLATEAU", "USAGE-DISAGREES"]


def test_one_miss_of_an_equal_prefix_is_unknown_and_no_finding() -> None:
    usage = (Usage(0, 900, 2), Usage(900, 40, 2), Usage(0, 990, 2), Usage(990, 40, 2))
    found = judged(*map(body, range(4)), usage=usage)
    assert [turn.verdict for turn in found.turns] == [
        *("first write", "extended", "unknown", "extended"),
    ]
    assert found.findings == ()


def test_usage_that_never_has_a_read_is_not_held_against_the_rules() -> None:
    found = judged(*map(body, range(3)), usage=(Usage(0, 100, 10),) * 3)
    assert [turn.verdict for turn in found.turns] == ["first write", "extended", "extended"]
    assert found.notes == ("no request's usage reports a read; it is not held against the rules",)
    assert found.turns[1].usage == Usage(0, 100, 10)


def test_requests_of_no_known_dialect_are_said_to_be_none() -> None:
    found = report([Sent("e", wire.split(b'{"a":1}'))])
    assert (found.turns, found.notes) == ((), ("no request of a dialect whose cache is known",))
