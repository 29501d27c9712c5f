"""Hook output in a golden's turns comes from the hooks' own log."""

from typing import Any

import pytest

from inspector.errors import BadInput
from inspector.turns import Event, Hooked, Prompted, Returned, Told, Turn, Turns
from tests.golden.hooks import logged, supplied


def _run(event: str, **facts: Any) -> dict[str, Any]:
    start = {"event": event, "about": "", "call": None, "stdout": "", "stderr": "", "code": 0}
    return {**start, "command": "/hooks/hook.py x", **facts}


def _turns(*events: Event) -> Turns:
    return Turns(client="claude-code", version="1", turns=(Turn(events=events),))


def test_what_a_hook_printed_is_taken_as_it_printed_it() -> None:
    given = _turns(Hooked(event="SessionStart", output="began", name="SessionStart:startup"))
    log = [_run("Stop", stdout="began\n"), _run("SessionStart", stdout=" began\n\n")]
    wanted = Hooked(event="SessionStart", output=" began\n\n", name="SessionStart:startup")
    assert logged(given, log) == _turns(wanted)


def test_context_is_the_one_that_the_hook_gave_as_json() -> None:
    printed = '{"hookSpecificOutput": {"additionalContext": "read first"}}'
    event = Hooked(event="PreToolUse", output="read first", form="context")
    assert logged(_turns(event), [_run("PreToolUse", stdout=printed)]) == _turns(event)


def test_a_blocked_calls_error_is_the_hooks_words_and_nothing_of_the_clients() -> None:
    given = _turns(Returned(call="c1", text="the client's sentence: no\n", error=True))
    run = _run("PreToolUse", about="Bash", call="c1", stderr="no\n", code=2)
    block = Hooked(
        event="PreToolUse",
        output="no\n",
        name="PreToolUse:Bash",
        form="block",
        command="/hooks/hook.py x",
        call="c1",
    )
    told = Returned(call="c1", error=True, outcome=Told(name="hook.block"))
    assert logged(given, [run]) == _turns(told, block)


def test_an_error_of_a_call_that_no_hook_blocked_is_left_alone() -> None:
    given = _turns(Returned(call="c2", text="it failed", error=True))
    assert logged(given, [_run("PreToolUse", call="c1", code=2)]) == given


def test_words_that_no_hook_wrote_are_refused() -> None:
    given = _turns(Hooked(event="SessionStart", output="began"))
    with pytest.raises(BadInput, match="not in the hooks' log"):
        logged(given, [_run("SessionStart", stdout="other")])


def test_where_the_record_says_nothing_of_hooks_their_log_says_it_all() -> None:
    given = _turns(Prompted(text="hello"), Returned(call="c1", text="ok"))
    context = '{"hookSpecificOutput": {"additionalContext": "mind this"}}'
    log = [
        _run("SessionStart", about="startup", stdout="began\n"),
        _run("PostToolUse", about="Read", call="c1", stdout=context),
        _run("PostToolUse", about="Read", call="c1", stdout="only a log line\n"),
    ]
    start = Hooked(event="SessionStart", name="SessionStart:startup", output="began\n")
    after = Hooked(
        event="PostToolUse", name="PostToolUse:Read", output="mind this", form="context", call="c1"
    )
    assert supplied(given, log) == _turns(*given.turns[0].events, start, after)
