"""Folding one turn into the conversation."""

from collections.abc import Sequence
from dataclasses import replace

from inspector.clients.claude_code import briefing, echo, nested, opening, results, rules, skilltool
from inspector.clients.claude_code.message import Block, Message, joined, text_block
from inspector.clients.claude_code.phrase import phrase, reminder
from inspector.clients.claude_code.results import Result
from inspector.clients.claude_code.state import State
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Called, Prompted, Replied, Returned, Said, Turn
from inspector.workspace import World

PROMPT = "prompt"
"""The call id under which a typed command's recorded text is given."""


def advance(state: State, turn: Turn, world: World) -> State:
    """The conversation as it stands when the turn's request is sent."""
    outcomes = [event for event in turn.events if isinstance(event, Returned)]
    for event in turn.events:
        if isinstance(event, Replied):
            state = _replied(state, event)
    if state.calls:
        state = _answered(state, outcomes, world)
    for event in turn.events:
        if isinstance(event, Prompted):
            recorded = next((item.text for item in outcomes if item.call == PROMPT), None)
            state = opening.prompted(state, event.text, world, recorded)
    return _effort(state)


def _replied(state: State, reply: Replied) -> State:
    message = echo.echo(state.profile, reply)
    calls = tuple(block for block in reply.blocks if isinstance(block, Called))
    counts = (
        reply.input_tokens,
        reply.cache_read_tokens,
        reply.cache_write_tokens,
        reply.output_tokens,
    )
    spoke = any(isinstance(block, Said) and block.text.strip() for block in reply.blocks)
    return replace(
        state,
        messages=(*state.messages, *([message] if message else [])),
        calls=calls,
        reply=reply.id,
        used=sum(count or 0 for count in counts),
        silent=state.silent + 1 if calls and not spoke else 0,
    )


def _answered(state: State, outcomes: Sequence[Returned], world: World) -> State:
    by_call = {outcome.call: outcome for outcome in outcomes}
    order = {outcome.call: number for number, outcome in enumerate(outcomes)}
    made: dict[str, Result] = {}
    for call in state.calls:
        made[call.id] = _result(state, call, by_call.get(call.id), world)
        state = _taken(state, made[call.id])
    # Results come in the order in which the calls ended; what else comes stays in call order.
    ended = sorted(state.calls, key=lambda call: order.get(call.id, len(order)))
    groups: list[Sequence[Block]] = [[made[call.id].block] for call in ended]
    for call in state.calls:
        groups.extend(made[call.id].after)
    state, memories = _nested(state, made, world)
    if state.profile.switches["context"] == "reminder":
        return _old(state, groups, memories)
    groups.extend([text_block(memory)] for memory in memories)
    state = replace(state, messages=(*state.messages, Message("user", joined(groups))), calls=())
    return _after(state)


def _result(state: State, call: Called, outcome: Returned | None, world: World) -> Result:
    if call.name == "Skill" and state.process.pool.has("Skill"):
        effort = text(state.wanted, Origin(Kind.FACT, "effort"))
        shelf = skilltool.Shelf(state.process.skills, state.rendered, state.process.session, effort)
        return skilltool.result(state.profile, call, outcome, world, shelf)
    known = state.process.pool.has(call.name)
    return results.result(state.profile, call, outcome, world, known)


def _taken(state: State, result: Result) -> State:
    return replace(
        state,
        rendered={**state.rendered, **result.rendered},
        loaded=state.loaded | frozenset(result.loaded),
        override=result.effort or state.override,
    )


def _nested(state: State, made: dict[str, Result], world: World) -> tuple[State, list[Text]]:
    if rules.reads_nothing(world.environment):
        return state, []
    scope = rules.scope(world.tree, world.environment, state.process.settings, state.profile)
    seen = set(state.seen)
    out: list[Text] = []
    for call in state.calls:
        paths = list(made[call.id].touched)
        if call.name == "Bash":
            command = echo.argument(call, "command") or ""
            paths = nested.read_by_shell(command, world.environment.cwd)
        for path in paths:
            found = nested.touched(scope, state.process.settings, path, seen)
            out += [nested.reminder(state.profile, memory) for memory in found]
    return replace(state, seen=frozenset(seen)), out


def _after(state: State) -> State:
    """System-role messages that follow a round of results."""
    profile = state.profile
    every = profile.limits["nudge"]
    more: list[Message] = []
    if state.silent and state.silent % every == 0:
        more.append(Message("system", (text_block(phrase(profile, "nudge")),)))
    if profile.switches["tokens"] == "each":
        more.append(Message("system", (text_block(briefing.tokens(profile, state.used)),)))
    return replace(state, messages=(*state.messages, *more))


def _old(state: State, groups: list[Sequence[Block]], memories: Sequence[Text]) -> State:
    """Old models: what is told goes into the text of the last result."""
    profile = state.profile
    told = [*memories, reminder(profile, briefing.tokens(profile, state.used))]
    blocks = list(joined(groups))
    last = max(n for n, block in enumerate(blocks) if block.get("type") == "tool_result")
    content = blocks[last]["content"]
    if isinstance(content, Text):
        for part in told:
            content = (
                content.strip() + text("\n\n", Origin(Kind.STRUCTURE, "paragraph")) + part.strip()
            )
        blocks[last] = {**blocks[last], "content": content}
    message = Message("user", tuple(blocks))
    return replace(state, messages=(*state.messages, message), calls=())


def _effort(state: State) -> State:
    if state.profile.switches["effort.announced"] != "yes" or state.effort == state.wanted:
        return state
    message = Message("system", (), state.wanted)
    return replace(state, messages=(*state.messages, message), effort=state.wanted, silent=0)
