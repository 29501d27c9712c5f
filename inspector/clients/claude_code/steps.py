"""Folding one turn into the conversation."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from inspector.clients.claude_code import (
    again,
    answering,
    briefing,
    budget,
    changed,
    commands,
    counting,
    echo,
    effort,
    hooks,
    inputs,
    local,
    lost,
    mcpprompts,
    notices,
    opening,
    recast,
    remodel,
    replayed,
    rereading,
    skilltool,
    stopped,
    told,
    tools,
    touching,
    tracking,
    verdicts,
)
from inspector.clients.claude_code.message import Block, Message, text_block
from inspector.clients.claude_code.phrase import phrase, reminder, telling
from inspector.clients.claude_code.resultblock import Result
from inspector.clients.claude_code.state import State
from inspector.text import Text
from inspector.turns import (
    Answered,
    Called,
    Counted,
    Expanded,
    Failed,
    Hooked,
    Limited,
    Moved,
    Prompted,
    Replayed,
    Replied,
    Returned,
    Said,
    Turn,
)
from inspector.workspace import World

BROKEN = "truncated"
_BAD = 400


def advance(state: State, turn: Turn, world: World) -> State:
    """The conversation as it stands when the turn's request is sent."""
    outcomes = [event for event in turn.events if isinstance(event, Returned)]
    hooked = tuple(event for event in turn.events if isinstance(event, Hooked))
    # A stream without a reply in it: the client asks once more, for the answer whole (2.1.332).
    whole = any(isinstance(event, Failed) and event.empty for event in turn.events)
    latched = state.latched | _latched(turn) | verdicts.missed(state, turn, world)
    state = replace(state, hooked=hooked, whole=whole, latched=latched, now=turn.at)
    state = replace(state, judged=(*state.judged, *verdicts.given(state, turn, world)))
    state = replace(state, asks=state.process.pool.asks and not state.typed, counts=(), tokens={})
    state = _counted(state, turn, world)
    for event in turn.events:
        if isinstance(event, Replayed) and not state.messages:
            state = replayed.begun(state, event, world)
        if isinstance(event, Replied) and not lost.is_answer(event):
            state = (
                _replied(state, event, world)
                if event.stop != BROKEN
                else _broken(state, event, turn, world)
            )
    called = bool(state.calls)
    if called:
        ended = _ended(state, outcomes)
        bodies = skilltool.bodies(state, ended, outcomes, world)
        state = counting.weighed(state, ended, outcomes, turn.events, world, bodies)
        state = _answered(state, outcomes, world, turn)
    elif _unanswered(state, turn):
        told = text_block(phrase(state.profile, "structured.enforce"))
        state = replace(state, messages=(*state.messages, Message("user", (told,))))
    else:
        state = notices.woken(again.asked(state, turn), turn, world)
    if any(lost.is_answer(event) for event in turn.events):
        state = lost.closed(state, answered=called)
    state = _sent_back(state)
    prompts = [event for event in turn.events if isinstance(event, Prompted)]
    if prompts:
        printed = _printed(outcomes)
        last = prompts[-1].text
        body = str(commands.typed(state, last, world, printed).body) or last
        state = counting.mentioned(state, body, turn.events, world)
        state, before = local.groups(state, turn, world)
        before = [*stopped.groups(state, turn), *before]
        state = opening.prompted(state, prompts, world, printed, before)
        state = stopped.merged(state, turn)
    sender = str(briefing.model_id(state.profile, state.process.given))
    return effort.announced(replace(_elsewhere(state, turn), sender=sender))


def _latched(turn: Turn) -> frozenset[str]:
    """What the client learns of its betas (`api_errors`, `errors_betas`), and of its limits."""
    rejected = any(isinstance(event, Failed) and event.status == _BAD for event in turn.events)
    refused = any(isinstance(event, Replied) and event.stop == "refusal" for event in turn.events)
    limited = any(isinstance(event, Limited) for event in turn.events)
    found = {"rejected": rejected, "refused": refused, "limited": limited}
    return frozenset(name for name, is_so in found.items() if is_so)


def _broken(state: State, reply: Replied, turn: Turn, world: World) -> State:
    """A reply whose stream broke off: its finished blocks are kept.

    Measured with 2.1.332; there is no golden, since what the client loses at a reset is a race.
    Without any the client asks again as if nothing had come; a finished call runs as any other;
    else the model is told, unless somebody gave a prompt meanwhile.
    """
    blocks = reply.blocks[:-1] if reply.unfinished else reply.blocks
    if not blocks:
        return state
    state = _replied(state, reply.model_copy(update={"blocks": blocks}), world)
    if state.calls or any(isinstance(event, Prompted) for event in turn.events):
        return state
    told = text_block(phrase(state.profile, "broken"))
    return replace(state, messages=(*state.messages, Message("user", (told,))))


def _counted(state: State, turn: Turn, world: World) -> State:
    """The tools of a session for which the API counted tokens."""
    found = [
        event.tokens
        for event in turn.events
        if isinstance(event, Counted) and event.what == "tools" and event.tokens is not None
    ]
    if not found:
        return state
    process = state.process
    pool = tools.pool(process.offered, world, process.settings, found[-1])
    return replace(state, process=replace(process, pool=pool))


def _ended(state: State, outcomes: Sequence[Returned]) -> list[Called]:
    """The calls in the order in which they ended, as their results come."""
    order = {outcome.call: number for number, outcome in enumerate(outcomes)}
    return sorted(state.calls, key=lambda call: order.get(call.id, len(order)))


def _sent_back(state: State) -> State:
    """What a Stop hook that keeps the model at work tells it."""
    profile, settings = state.profile, state.process.settings
    stopped = [event for event in state.hooked if event.event == "Stop" and event.form != "success"]
    said = [hooks.feedback(profile, settings, event) for event in stopped]
    messages = [Message("user", (text_block(part),)) for part in said]
    # A reason in JSON is told a second time (hooks_after).
    reasons = [event for event in stopped if event.form == "reason"]
    if twice := hooks.paragraphs(profile, settings, reasons, "Stop"):
        messages.append(Message("system", (text_block(telling(profile, twice)),)))
    return replace(state, messages=(*state.messages, *messages))


def _elsewhere(state: State, turn: Turn) -> State:
    """Where the shell stands from here on."""
    moved = [event.cwd for event in turn.events if isinstance(event, Moved)]
    return replace(state, cwd=moved[-1]) if moved else state


def _printed(outcomes: Sequence[Returned]) -> tuple[str, ...]:
    """What the shell expansions of a typed command printed, or a server made of its prompt."""
    found = [item.outcome for item in outcomes if item.call == commands.PROMPT]
    if found and isinstance(found[0], Answered):
        return mcpprompts.texts(found[0].result)
    return found[0].printed if found and isinstance(found[0], Expanded) else ()


def _unanswered(state: State, turn: Turn) -> bool:
    """Whether the model ended without the answer of the shape it was asked for."""
    kinds = {type(event) for event in turn.events}
    return bool(state.process.pool.shape) and Replied in kinds and Prompted not in kinds


def _by_its_name(state: State, call: Called) -> Called:
    """A call under a tool's earlier name is told under its own (`ordinary_slips`)."""
    name = state.profile.values["tool.aliases"].get(call.name, call.name)
    known = name != call.name and state.process.pool.has(name)
    return call.model_copy(update={"name": name}) if known else call


def _replied(state: State, reply: Replied, world: World) -> State:
    profile = state.profile
    blocks = tuple(
        inputs.recasted(profile, _by_its_name(state, block), state.here(world))
        if isinstance(block, Called)
        else block
        for block in reply.blocks
    )
    sources = {block.id: block.input for block in reply.blocks if isinstance(block, Called)}
    whole = profile.switches["echo"] == "whole"
    message = echo.echo(reply.model_copy(update={"blocks": blocks}), sources, whole=whole)
    calls = tuple(
        hooks.altered(state.hooked, recast.coerced(block))
        for block in blocks
        if isinstance(block, Called)
    )
    counts = (
        reply.input_tokens,
        reply.cache_read_tokens,
        reply.cache_write_tokens,
        reply.output_tokens,
    )
    spoke = any(isinstance(block, Said) and block.text.strip() for block in reply.blocks)
    return replace(
        state,
        messages=(*state.messages, *([replace(message, model=state.sender)] if message else [])),
        calls=calls,
        reply=reply.id,
        used=sum(count or 0 for count in counts) or state.used,
        spent=state.spent + budget.cost(profile, state.sender, reply),
        silent=state.silent + 1 if calls and not spoke else 0,
        untracked=tracking.counted(state, reply),
    )


def _answered(state: State, outcomes: Sequence[Returned], world: World, turn: Turn) -> State:
    noticed: Sequence[Text] = notices.paragraphs(state, turn, world)
    by_call = {outcome.call: outcome for outcome in outcomes}
    touched = touching.Touched(state, world)
    made = _Made(state.profile.switches["reminders"] == "messages")
    shown: list[tuple[Called, Result]] = []
    for call in _ended(state, outcomes):
        before = told.said(state, call, "PreToolUse")
        state, listed = answering.listed(state, call, by_call.get(call.id))
        result = listed or answering.result_of(state, call, by_call.get(call.id), world)
        state = answering.taken(state, result)
        if state.profile.switches["skill.model"] == "called":
            state = remodel.with_model(state, result.model, world)
        shown.append((call, result))
        state = answering.detached(state, call, by_call.get(call.id))
        touched.note(call, result)
        # A skill brings the memory of files touched so far with it (probe: Read, then Skill).
        memories = touched.memories() if result.rendered else []
        made.add(state, call, result, before, memories)
    memories = touched.memories()
    for call, result in shown:
        # Reads of one round begin together, so that none knows of another.
        state = rereading.noted(state, call, result, state.here(world))
    state = replace(state, seen=frozenset(touched.seen), calls=())
    state, differing = changed.told(state, touched.done, world)
    results = told.Results(
        made.groups,
        made.told,
        # Of parallel calls a transcript leads back to the last one's messages (2.1.88, skill_tool).
        [*made.kept, *made.last],
        made.pages,
        noticed,
        differing,
        memories,
        notices.meanwhile(state.profile, turn),
        made.skills,
    )
    return told.after(state, results, touched.every, world)


@dataclass(slots=True)
class _Made:
    """The messages of a round of results, as they come."""

    behind: bool
    """Whether what a skill brings stands behind its body."""
    groups: list[Sequence[Block]] = field(default_factory=list[Sequence[Block]])
    told: list[Sequence[Block]] = field(default_factory=list[Sequence[Block]])
    kept: list[Sequence[Block]] = field(default_factory=list[Sequence[Block]])
    last: Sequence[Sequence[Block]] = ()
    pages: list[Text] = field(default_factory=list[Text])
    skills: int = 0

    def add(
        self,
        state: State,
        call: Called,
        result: Result,
        before: Sequence[Sequence[Block]],
        memories: Sequence[Text],
    ) -> None:
        """Note one more result; old models are told of its call `before` it and behind it."""
        block = [result.block, *result.beside]
        self.kept.append(block)
        self.last = result.after
        self.pages += result.said
        self.skills += bool(result.rendered)
        brought: list[Sequence[Block]] = [*result.attached]
        brought.extend([text_block(memory)] for memory in memories)
        style = told.styled(state) if result.rendered else []
        said = [[text_block(reminder(state.profile, part))] for part in result.said]
        around = [*said, *told.said(state, call, *hooks.AFTER_A_CALL)]
        self.groups += [block, *brought, *result.after]
        self.told += [*before, block, *around]
        if self.behind:
            self.told += [*result.after, *brought, *style]
        else:
            self.told += [*brought, *style, *result.after]
