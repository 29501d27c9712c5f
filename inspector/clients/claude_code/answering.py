"""What a call came to: its result, and what that changes of the conversation."""

from dataclasses import replace

from inspector.clients.claude_code import (
    agents,
    echo,
    hooks,
    inputs,
    readfile,
    rereading,
    results,
    skilltool,
    tasklist,
)
from inspector.clients.claude_code.resultblock import Around, Result, error, success
from inspector.clients.claude_code.state import State
from inspector.jsontext import loads
from inspector.text import Kind, Origin, Text
from inspector.turns import (
    Called,
    Returned,
    Shelled,
    Told,
)
from inspector.workspace import World


def detached(state: State, call: Called, outcome: Returned | None) -> State:
    """A command that goes on in the background is called by its description."""
    ended = outcome.outcome if outcome is not None else None
    if not isinstance(ended, Shelled) or not ended.detached:
        return state
    label = echo.argument(call, "description") or echo.argument(call, "command") or ""
    return replace(state, detached={**state.detached, call.id: label})


def _blocked(state: State, call: Called, outcome: Returned | None) -> Text | None:
    """The error of a call that a hook kept from running."""
    told = outcome.outcome if outcome is not None else None
    found = [event for event in state.hooked if hooks.keeps(event) and event.call == call.id]
    if not isinstance(told, Told) or told.name != "hook.block" or not found:
        return None
    return hooks.refusal(state.profile, state.process.settings, found[0])


def listed(state: State, call: Called, outcome: Returned | None) -> tuple[State, Result | None]:
    """The answer of a tool of the task list, and the list after it."""
    named = call.name in tasklist.NAMES and state.process.pool.has(call.name)
    failed = outcome is not None and outcome.error
    if not named or failed or state.tasks is None or inputs.refusal(state.profile, call):
        return state, None
    tasks, said = tasklist.done(state.profile, state.tasks, call)
    return replace(state, tasks=tasks), Result(success(call.id, said))


def result_of(state: State, call: Called, outcome: Returned | None, world: World) -> Result:
    """What the client says of a call."""
    refused = inputs.refusal(state.profile, call) if state.process.pool.has(call.name) else None
    refused = refused or _blocked(state, call, outcome)
    if refused is not None:
        return Result(error(state.profile, call.id, refused))
    if call.name == "Skill" and state.process.pool.has("Skill"):
        return skilltool.result(state, call, outcome, world)
    process, here = state.process, state.here(world)
    if call.name == "Agent" and process.pool.has("Agent"):
        asked = echo.argument(call, "subagent_type") or ""
        own, place = process.agents, world.environment
        absent = agents.unknown(state.profile, place, process.settings, own, asked)
        if absent is not None:
            return Result(error(state.profile, call.id, absent))
    replaced = _replaced(state, call, here)
    if replaced is not None:
        return replaced
    again = rereading.unchanged(state, call, here)
    if again is not None:
        return again
    around = Around(
        process.pool, process.session, state.loaded, here, tokens=state.tokens, used=state.used
    )
    return results.result(state.profile, call, outcome, world, around)


def _replaced(state: State, call: Called, here: World) -> Result | None:
    """What a hook says that a read gave."""
    given = hooks.replaced(state.hooked, call) if call.name == "Read" else None
    if given is None:
        return None
    origin = Origin(Kind.HOOK, given.name or given.event)
    said = loads(given.output)
    file = said.get("file") if isinstance(said, dict) else None
    if not isinstance(file, dict):
        return None
    path = results.file_of(call, here)
    content = readfile.shown(state.profile, file, origin)
    return Result(success(call.id, content), touched=(path,) if path else ())


def taken(state: State, result: Result) -> State:
    """The state with what a result brought."""
    heard = state.profile.switches["skill.effort.called"] == "yes" and result.effort is not None
    return replace(
        state,
        rendered={**state.rendered, **result.rendered},
        loaded=state.loaded | frozenset(result.loaded),
        known={**state.known, **result.known},
        override=result.effort if heard else state.override,
    )
