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
            yield from _passed_on(event, waiting)
        elif isinstance(event, Returned) and (run := _blocking(event, waiting)):
            yield Returned(call=event.call, error=True, outcome=Told(name="hook.block"))
            yield Hooked(
                event=run["event"],
                name=f"{run['event']}:{run['about']}",
                output=run["stderr"] if run["code"] == BLOCKS else _reason(run),
                form="block",
                command=run["command"] if run["code"] == BLOCKS else "",
                call=event.call,
            )
        else:
            yield event


def _passed_on(event: Hooked, waiting: list[Mapping[str, Any]]) -> Iterator[Hooked]:
    if event.event == "PermissionRequest":
        yield from _asked(event, waiting)
        return
    for run in waiting:
        words = _words(run, event.form)
        about = run["event"] == event.event and event.call in {None, run["call"]}
        of_it = about and _speaks(run, event.form)
        said = {words.strip()} if words else _SILENT
        if of_it and (event.output.strip() in said or event.form in _JSON):
            command = run["command"] if event.form in {"block", "reason"} else ""
            yield event.model_copy(update={"output": words, "command": command})
            return
    raise BadInput(
        f"a {event.event} hook: its words {event.output[:60]!r} are not in the hooks' log; "
        "name the fixture hook ({HOOK} NAME) in the scenario's settings"
    )


def _speaks(run: Mapping[str, Any], form: str) -> bool:
    """Whether a run said something in a form."""
    if form == "block":
        return bool(run["code"] == BLOCKS)
    if form == "reason":
        return _printed(run).get("decision") == "block"
    return form not in _JSON or _JSON[form] in _specific(run)


def _asked(event: Hooked, waiting: list[Mapping[str, Any]]) -> Iterator[Hooked]:
    """What hooks decided that were asked for permission, in the order they were."""
    behaviour = "allow" if event.form == "input" else "deny"
    for run in waiting:
        decision = _specific(run).get("decision", {})
        if run["event"] == event.event and decision.get("behavior") == behaviour:
            waiting.remove(run)
            given = decision.get("updatedInput")
            words = decision.get("message", "") if behaviour == "deny" else _json(given)
            if words and (behaviour == "deny" or given is not None):
                yield event.model_copy(update={"output": words})
            return


def _blocking(event: Returned, waiting: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    found = (
        run
        for run in waiting
        if run["event"] == "PreToolUse" and (run["code"] == BLOCKS or _denies(run))
    )
    return next((run for run in found if run["call"] == event.call), None) if event.error else None


def _denies(run: Mapping[str, Any]) -> bool:
    """Whether a hook denies a call in JSON, the new way or the old one."""
    return _specific(run).get("permissionDecision") == "deny" or (
        _printed(run).get("decision") == "block"
    )


def _reason(run: Mapping[str, Any]) -> str:
    """The reason a hook gives in JSON."""
    specific = _specific(run).get("permissionDecisionReason")
    return str(specific or _printed(run).get("reason", ""))


def _printed(run: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        printed: object = json.loads(run["stdout"])
    except ValueError:
        return {}
    return cast("dict[str, Any]", printed) if isinstance(printed, dict) else {}


def _specific(run: Mapping[str, Any]) -> Mapping[str, Any]:
    found = _printed(run).get("hookSpecificOutput")
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_JSON = {"input": "updatedInput", "output": "updatedToolOutput"}
"""What a hook gives as JSON, by form."""


_SILENT = {"", "Blocked by hook", "No stderr output"}
"""What the client's record has for a hook that said nothing."""


def _words(run: Mapping[str, Any], form: str) -> str:
    """What a run printed, in the form in which the client took it."""
    if form == "block":
        return str(run["stderr"])
    if form == "success":
        return str(run["stdout"])
    if form in {"ask", "reason"}:
        return _reason(run)
    if form in _JSON:
        return _json(_specific(run).get(_JSON[form]))
    return str(_specific(run).get("additionalContext", ""))
