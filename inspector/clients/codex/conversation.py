"""The fold: a state, a turn, and the request that turn puts on the wire."""

from dataclasses import replace

from inspector.clients import Request
from inspector.clients.codex import compaction, mentions, params, replies, sending, tool_updates
from inspector.clients.codex.attribution import used
from inspector.clients.codex.calls import Call, call_of
from inspector.clients.codex.catalog import entry, fresh, measured
from inspector.clients.codex.compaction import thread_profile
from inspector.clients.codex.context import (
    Context,
    changes,
    context,
    fetched,
    introduced,
    succeeded,
    with_servers,
)
from inspector.clients.codex.echo import names_itself, reply_item, transcript_item
from inspector.clients.codex.items import Part, unlabelled
from inspector.clients.codex.opened import opening_items, standing_items
from inspector.clients.codex.place import Place
from inspector.clients.codex.prompt import prompt_parts, worded
from inspector.clients.codex.results import output_item
from inspector.clients.codex.socket import Socket
from inspector.clients.codex.thread import State
from inspector.profiles import Profile
from inspector.session import ExchangeKind
from inspector.turns import (
    Connected,
    Event,
    Failed,
    OtherBlock,
    Prompted,
    Replied,
    Returned,
    ServerChanged,
    Turn,
)
from inspector.workspace import World


def begin(world: World, profile: Profile, earlier: State | None) -> State:
    """Read what the process reads at start."""
    off = frozenset(listing.server for listing in world.listings if listing.state != "ready")
    profile = thread_profile(profile, earlier.profile if earlier else None)
    now = context(world, profile, off)
    state = State(profile, now, None, params.installation(world, profile), "new", off=off)
    state = replace(state, catalog=entry(world, now.config, profile))
    if earlier is None or not now.config.command.resumes:
        return state
    return replace(
        state,
        before=earlier.profile,
        told=earlier.told,
        history="cold_resume",
        items=earlier.items,
        counter=earlier.counter,
        calls=earlier.calls,
        sources=earlier.sources,
        prompts=earlier.prompts,
    )


def step(state: State, turn: Turn, world: World) -> tuple[State, Request]:
    """Fold one turn in and make its request."""
    state = replace(state if state.running else _started(state, turn, world), asides=())
    for number, event in enumerate(turn.events):
        ahead = any(isinstance(later, Prompted) for later in turn.events[number:])
        state = _fold(state, event, world, "pre_turn" if ahead else "mid_turn")
    return state, replace(sending.request(state), asides=state.asides)


def _started(state: State, turn: Turn, world: World) -> State:
    """The process as it sends its first request: by then it has the server's catalog.

    It takes a fresh one as it finds it, and waits for one in place of an old one.
    """
    state, found = replace(state, running=True), state.catalog
    if not fresh(found, turn.at):
        found = entry(world, state.now.config, state.profile)
    if not found:
        return state
    profile = measured(found, state.profile)
    return replace(state, profile=profile, now=fetched(state.now, world, profile, found))


def _fold(state: State, event: Event, world: World, phase: sending.Phase) -> State:
    match event:
        case Prompted():
            return _prompted(state, event)
        case Replied():
            return _heard(state, event, phase)
        case Connected():
            return _connected(state, event)
        case Returned():
            return _returned(state, event, world)
        case ServerChanged():
            return _server(state, event, world)
        case _:
            # A failed request is sent again as it was; hooks put nothing on this wire.
            socket = state.socket if isinstance(event, Failed) else None
            return state if socket is None else replace(state, socket=socket.lost())


def _returned(state: State, event: Returned, world: World) -> State:
    spaces, shell = state.now.namespaces, world.environment.shell
    place = Place(state.now.config, world.tree, spaces, state.profile, shell)
    unknown = Call(event.call, "function_call_output", "", "")
    call = next((c for c in reversed(state.calls) if c.id == event.call), unknown)
    return state.add(output_item(event, call, state.counter, place))


def _server(state: State, event: ServerChanged, world: World) -> State:
    off = state.off - {event.server} if event.state == "ready" else state.off | {event.server}
    return replace(state, off=off, now=with_servers(state.now, world, state.profile, off))


def _connected(state: State, event: Connected) -> State:
    profile = state.profile
    if event.transport == "http":
        state = replace(state, socket=None)
        if profile.switches["effort"] != "updated":
            return state
        effort = params.effort(state.now.config, profile)
        return state.recorded({"type": "configuration_update", "reasoning": {"effort": effort}})
    if event.response is None:
        return replace(state, socket=Socket(sending.opening(state, state.process())))
    items = standing_items(state)
    warm = sending.warm_up(replace(state, socket=Socket(())), items)
    return replace(
        state,
        socket=Socket(warm.headers).answered(items, event.response),
        asides=(*state.asides, (ExchangeKind.WARMUP, warm)),
    )


def _heard(state: State, event: Replied, phase: sending.Phase) -> State:
    if event.id == replies.COMPACTED:
        return _compacted(state, event, phase)
    if event.id != replies.TRANSCRIPT:
        return _replied(state, event)
    known = state.told is not None
    return _replied(state, replies.last_reply(event)) if known else _replayed(state, event)


def _replied(state: State, event: Replied) -> State:
    sources = used(state.sources, event, state.now.namespaces, state.counter.tasks)
    state = replace(state, sources=sources)
    whole = event.id is not None and not event.unfinished
    for block in event.blocks:
        item = reply_item(block, state.counter, state.profile)
        if item is None:
            whole = False
            continue
        counter = state.counter if names_itself(block) else state.counter.item()
        state = replace(state.recorded(item), counter=counter)
        called = call_of(block)
        if called is not None:
            state = replace(state, calls=(*state.calls, called))
    if state.socket is None:
        return state
    known = state.socket.answered(state.items, event.id or "") if whole else state.socket.lost()
    return replace(state, socket=known)


def _replayed(state: State, event: Replied) -> State:
    """A resumed thread whose earlier session is not at hand: its history is input, shown apart."""
    items = tuple(transcript_item(block) for block in event.blocks if isinstance(block, OtherBlock))
    counter = replace(state.counter, items=len(items))
    return replace(state, items=items, counter=counter, told=state.now, history="cold_resume")


def _prompted(state: State, event: Prompted) -> State:
    state = state.task()
    state = opening_items(state) if state.told is None else _changed(state, state.told)
    state = replace(state, told=state.now)
    state = state.say("user", prompt_parts(event, state.now.images, state.profile))
    state = replace(state, prompts=(*state.prompts, state.items[-1]))
    words = str(worded(event, state.profile))
    for skill in mentions.mentioned(words, state.now.skills, state.profile):
        state = state.say("user", (Part("skill", mentions.body(skill, state.profile)),))
    return state


def _changed(state: State, told: Context) -> State:
    state = tool_updates.updated(state, told)
    model = introduced(told, state.now, state.profile)
    if model:
        state = state.say("developer", (Part("model", model),))
    for role, parts in changes(told, state.now, state.profile):
        state = state.say(role, parts)
    for part in succeeded(told, state.now):
        state = state.say("developer", (part,))
    return state


def _compacted(state: State, event: Replied, phase: sending.Phase) -> State:
    """The thread after a compaction: what was said, a summary, and before the last the context."""
    if phase == "pre_turn":
        state = replace(state.task(), begun=True)
    profile, contexts = state.profile, [one for one in (state.told, state.now) if one]
    switched = len({str(params.model(one.config, profile)) for one in contexts}) > 1
    trigger = compaction.trigger(state.now.config, profile)
    asked = sending.compaction(state, trigger, phase, switched=switched)
    state = replace(
        state,
        asides=(*state.asides, (ExchangeKind.COMPACTION, asked)),
        socket=state.socket and state.socket.lost(),
    )
    fresh = replace(state, items=(), counter=state.counter.window())
    opened = opening_items(fresh, switched=switched, again=True)
    base, around = compaction.split(opened.items, profile)
    *before, last = compaction.kept(state.prompts, profile) or (None,)
    said = (*(item for item in before if item), *around, *([last] if last else []))
    state = replace(opened, items=(*base, *said), told=state.now)
    if profile.switches["compaction"] == "summary":
        return state.say("user", (Part("summary", compaction.summary(event, profile)),))
    for block in event.blocks:
        item = reply_item(block, state.counter, profile)
        counter = state.counter if names_itself(block) else state.counter.item()
        if item is not None:
            # The client labels it as little as any item it has not recorded before.
            state = replace(state.recorded(unlabelled(item)), counter=counter)
    return state
