"""A turn with nothing in it that the client wrote itself: only what the world said is left.

Turns come from captures and transcripts, where results stand as the client wrote them. Here its
words are cut away; the builder makes them again from the profile, and a difference shows.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from inspector.clients.claude_code import (
    commands,
    hooks,
    inputs,
    local,
    mcpprompts,
    reading,
    recast,
    remodel,
    results,
    searched,
    sentences,
    skilltool,
    tasklist,
    templates,
)
from inspector.clients.claude_code.state import State
from inspector.jsontext import JSON, dumps
from inspector.turns import (
    Answered,
    Called,
    Commanded,
    Event,
    Expanded,
    Hooked,
    Outcome,
    Prompted,
    Replayed,
    Replied,
    Returned,
    Told,
    Turn,
)
from inspector.workspace import World


def narrowed(state: State, turn: Turn, world: World) -> Turn:
    """The turn with each recorded result read."""
    heard = [event for event in turn.events if isinstance(event, Hooked)]
    calls = {
        block.id: hooks.altered(
            heard, recast.coerced(inputs.recasted(state.profile, block, state.here(world)))
        )
        for event in turn.events
        if isinstance(event, Replied)
        for block in event.blocks
        if isinstance(block, Called)
    }
    prompt = next((event.text for event in turn.events if isinstance(event, Prompted)), "")
    events: list[Event] = []
    spoken = state
    for event in turn.events:
        if isinstance(event, Replayed) and state.messages:
            continue
        if isinstance(event, Commanded):
            told = local.narrowed(_modelled(spoken, event, world), event, world)
            spoken, _ = local.done(spoken, told, world)
            events.append(told)
        elif isinstance(event, Returned) and event.outcome is None:
            found = (
                _typed(state, prompt, event, world)
                if event.call == commands.PROMPT
                else _kept_back(heard, event) or _result(state, calls, event, world)
            )
            events += [found] if found is not None else []
            events += _blocked(state, event)
        else:
            events.append(event)
    return turn.model_copy(update={"events": tuple(events)})


def _kept_back(heard: Sequence[Hooked], given: Returned) -> Returned | None:
    """A call of which a hook would have had somebody asked: the error is what the hook said."""
    asked = any(
        event.form == "ask" and event.call == given.call and event.output for event in heard
    )
    return _with(given, Told(name="hook.block")) if asked and given.error else None


def _modelled(state: State, given: Commanded, world: World) -> State:
    """The state in which a command speaks: its model is the one it names."""
    name, _, args = given.prompt[1:].partition(" ")
    return remodel.with_model(state, args, world) if name == "model" else state


def _blocked(state: State, given: Returned) -> list[Event]:
    """The hook that kept a call from running."""
    found = _hook(state, given)
    if found is None:
        return []
    blocked = Hooked(
        event=found["name"].partition(":")[0],
        name=found["name"],
        output=hooks.silent(state.profile, found["output"]),
        form="block",
        command=found["command"],
        call=given.call,
    )
    return [blocked]


def _hook(state: State, given: Returned) -> dict[str, str] | None:
    if not given.error or given.text is None:
        return None
    for name in ("hook.block", "hook.deny"):
        found = templates.holes(state.profile.literals[name], given.text)
        if found and found["name"].startswith("PreToolUse:"):
            return {"command": "", **found}
    return None


def _typed(state: State, prompt: str, given: Returned, world: World) -> Returned | None:
    """What the shell expansions of a typed command printed; None where it has none."""
    if mcpprompts.named(world.listings, prompt) is not None and given.text is not None:
        said: JSON = {"role": "user", "content": {"type": "text", "text": given.text}}
        return Returned(call=given.call, outcome=Answered(result=dumps({"messages": [said]})))
    body = commands.body(state, prompt, world)
    printed = body.printed(given.text) if body is not None and given.text is not None else ()
    return Returned(call=given.call, outcome=Expanded(printed=printed)) if printed else None


def _result(
    state: State, calls: Mapping[str, Called], given: Returned, world: World
) -> Returned | None:
    call = calls.get(given.call)
    if call is None or (given.text is None and given.raw is None):
        return given
    if _hook(state, given) is not None:
        return _with(given, Told(name="hook.block"))
    if call.name == "Skill" and state.process.pool.has("Skill"):
        return _with(given, skilltool.read(state, call, given, world))
    if call.name in tasklist.NAMES and not given.error and state.tasks is not None:
        return Returned(call=given.call)
    if call.name == "Read" and not given.error:
        # Its words are needed only where the snapshot has not kept the file.
        made = results.makes_read(state.profile, call, state.here(world))
        return Returned(call=given.call) if made else given
    worldly = call.name == "Bash" or call.name.startswith("mcp__")
    own = (
        None
        if worldly and not given.error
        else sentences.told(state.profile, call, given, state.here(world), world)
    )
    outcome = own if own is not None else _outcome(state, call, given, world)
    return _with(given, outcome)


def _outcome(state: State, call: Called, given: Returned, world: World) -> Outcome | None:
    profile = state.profile
    if call.name == "Bash":
        return reading.shell(profile, given, world.environment.cwd)
    if call.name.startswith("mcp__"):
        if given.raw is not None and given.raw.lstrip().startswith("{"):
            return None
        return reading.server(profile, call, given)
    if call.name in searched.NAMES and given.text is not None:
        read = searched.rejected if given.error else partial(searched.read, call=call)
        return read(profile, said=given.text) or reading.unread(given)
    if call.name in profile.lists["results.world"] and not given.error:
        return None
    return reading.unread(given)


def _with(given: Returned, outcome: Outcome | None) -> Returned:
    if outcome is None:
        return given
    return Returned(call=given.call, error=given.error, outcome=outcome)
