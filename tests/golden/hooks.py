"""What hooks printed, for a golden's turns: taken from the hooks' own log.

The client's record only says which output it passed on, and when; its words never enter the turns.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from inspector.errors import BadInput
from inspector.turns import Event, Hooked, Prompted, Returned, Told, Turn, Turns

type Log = Sequence[Mapping[str, Any]]
"""What `fixtures/hooks/hook.py` logged: a line a run."""

_PRINTED = frozenset({"SessionStart", "UserPromptSubmit"})
"""Events of which plain words are passed on."""

BLOCKS = 2
"""The exit code with which a hook blocks."""


def logged(turns: Turns, log: Log) -> Turns:
    """The turns with every hook's words from its log; refuses words that no hook wrote."""
    waiting = list(log)
    out = [
        turn.model_copy(update={"events": tuple(_events(turn.events, waiting))})
        for turn in turns.turns
    ]
    return turns.model_copy(update={"turns": tuple(out)})


def supplied(turns: Turns, log: Log) -> Turns:
    """The turns of a client whose record has no word of hooks: all there is is in their log."""
    blocked = logged(turns, log)
    out = list(blocked.turns)
    for run in log:
        made = _told(run)
        place = _place(out, run) if made is not None else None
        if made is not None and place is not None:
            out[place] = out[place].model_copy(update={"events": (*out[place].events, made)})
    return turns.model_copy(update={"turns": tuple(out)})


def _told(run: Mapping[str, Any]) -> Hooked | None:
    """What the client passes on of a run; None where that is nothing."""
    event, about = run["event"], run["about"]
    if event == "Stop" and run["code"] == BLOCKS:
        form: Literal["success", "context", "block"] = "block"
    elif event == "PreToolUse" and run["code"] == BLOCKS:
        return None
    elif _words(run, "context"):
        form = "context"
    elif event in _PRINTED and run["stdout"].strip():
        form = "success"
    else:
        return None
    return Hooked(
        event=event,
        name=f"{event}:{about}" if about else event,
        output=_words(run, form),
        form=form,
        command=run["command"] if form == "block" else "",
        call=run["call"] if event.startswith(("PreToolUse", "PostToolUse")) else None,
    )


def _place(turns: Sequence[Turn], run: Mapping[str, Any]) -> int | None:
    """The turn that a run belongs to."""
    for number, turn in enumerate(turns):
        kinds = {type(event) for event in turn.events}
        if run["event"] == "Stop":
            free = number > 0 and not {Prompted, Returned, Hooked} & kinds
        elif run["call"]:
            calls = [event.call for event in turn.events if isinstance(event, Returned)]
            free = run["call"] in calls
        else:
            free = Prompted in kinds
        if free:
            return number
    return None


def _events(events: Sequence[Event], waiting: list[Mapping[str, Any]]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Hooked):
            yield _passed_on(event, waiting)
        elif isinstance(event, Returned) and (run := _blocking(event, waiting)):
            waiting.remove(run)
            yield Returned(call=event.call, error=True, outcome=Told(name="hook.block"))
            yield Hooked(
                event=run["event"],
                name=f"{run['event']}:{run['about']}",
                output=_refusal(run) or run["stderr"],
                form="block",
                command="" if _refusal(run) else run["command"],
                call=event.call,
            )
        else:
            yield event


def _passed_on(event: Hooked, waiting: list[Mapping[str, Any]]) -> Hooked:
    for run in waiting:
        words = _words(run, event.form)
        if run["event"] == event.event and words.strip() == event.output.strip():
            waiting.remove(run)
            command = run["command"] if event.form == "block" else ""
            return event.model_copy(update={"output": words, "command": command})
    raise BadInput(
        f"a {event.event} hook: its words {event.output[:60]!r} are not in the hooks' log; "
        "name the fixture hook ({HOOK} NAME) in the scenario's settings"
    )


def _blocking(event: Returned, waiting: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    found = (
        run
        for run in waiting
        if run["event"] == "PreToolUse" and (run["code"] == BLOCKS or _refusal(run))
    )
    return next((run for run in found if run["call"] == event.call), None) if event.error else None


def _refusal(run: Mapping[str, Any]) -> str:
    """Why a hook denies a call, where it says so in JSON."""
    said = _specific(run)
    denies = said.get("permissionDecision") == "deny"
    return str(said.get("permissionDecisionReason", "")) if denies else ""


def _specific(run: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        printed: object = json.loads(run["stdout"])
    except ValueError:
        return {}
    whole = cast("dict[str, Any]", printed) if isinstance(printed, dict) else {}
    found = whole.get("hookSpecificOutput")
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _words(run: Mapping[str, Any], form: str) -> str:
    """What a run printed, in the form in which the client took it."""
    if form == "block":
        return str(run["stderr"])
    if form == "success":
        return str(run["stdout"])
    return str(_specific(run).get("additionalContext", ""))
