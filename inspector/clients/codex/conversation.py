"""The fold: a state, a turn, and the request that turn puts on the wire."""

from dataclasses import dataclass, field, replace

from inspector.clients import Request
from inspector.clients.codex import compaction, mentions, params, replies, tools
from inspector.clients.codex.attribution import Source, used
from inspector.clients.codex.calls import Call, call_of
from inspector.clients.codex.compaction import thread_profile
from inspector.clients.codex.context import (
    Context,
    Message,
    changes,
    context,
    opening,
    with_servers,
)
from inspector.clients.codex.echo import names_itself, reply_item, transcript_item
from inspector.clients.codex.fill import mask
from inspector.clients.codex.items import Counter, Item, Part, item_id, message
from inspector.clients.codex.mcp import direct
from inspector.clients.codex.place import Place
from inspector.clients.codex.prompt import prompt_parts, worded
from inspector.clients.codex.results import output_item
from inspector.profiles import Profile
from inspector.text import Text, Value
from inspector.turns import Event, OtherBlock, Prompted, Replied, Returned, ServerChanged, Turn
from inspector.workspace import World


@dataclass(frozen=True, slots=True)
class State:
    """A thread as far as it has come, and the process that goes on with it."""

    profile: Profile
    now: Context
    told: Context | None
    """What the thread was told last; None before its first prompt."""
    installation: Text
    history: str
    """`new` or `cold_resume`."""
    items: tuple[Item, ...] = ()
    counter: Counter = field(default_factory=Counter)
    calls: tuple[Call, ...] = ()
    """What the model called."""
    off: frozenset[str] = frozenset()
    """MCP servers that are not ready."""
    sources: tuple[Source, ...] = ()
    """MCP tools the thread has used."""
    prompts: tuple[Item, ...] = ()
    """What somebody said, which a compaction keeps."""

    def process(self) -> params.Process:
        """What the request's members say of the process."""
        return params.Process(
            self.now.config,
            self.counter,
            self.history,
            self.installation,
            self.now.schema,
            self.now.workspaces,
            self.sources,
        )

    def add(self, item: Item) -> "State":
        """The state with one item more; the item's id was the counter's."""
        return replace(self, items=(*self.items, item), counter=self.counter.item())

    def say(self, role: str, parts: tuple[Part, ...]) -> "State":
        """The state with one client-made message more."""
        return self.add(message(role, parts, self.counter, self.profile))


def begin(world: World, profile: Profile, earlier: State | None) -> State:
    """Read what the process reads at start."""
    off = frozenset(listing.server for listing in world.listings if listing.state != "ready")
    profile = thread_profile(profile, earlier.profile if earlier else None)
    now = context(world, profile, off)
    fresh = State(profile, now, None, params.installation(world, profile), "new", off=off)
    if earlier is None or not now.config.command.resumes:
        return fresh
    return replace(
        fresh,
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
    for event in turn.events:
        state = _fold(state, event, world)
    return state, _request(state)


def _fold(state: State, event: Event, world: World) -> State:
    match event:
        case Prompted():
            return _prompted(state, event)
        case Replied():
            return _heard(state, event)
        case Returned():
            place = Place(state.now.config, world.tree, state.now.namespaces, state.profile)
            unknown = Call(event.call, "function_call_output", "", "")
            call = next((c for c in reversed(state.calls) if c.id == event.call), unknown)
            return state.add(output_item(event, call, state.counter, place))
        case ServerChanged():
            off = (
                state.off - {event.server} if event.state == "ready" else state.off | {event.server}
            )
            return replace(state, off=off, now=with_servers(state.now, world, state.profile, off))
        case _:
            # A failed request is sent again as it was; hooks put nothing on this wire.
            return state


def _heard(state: State, event: Replied) -> State:
    if event.id == replies.COMPACTED:
        return _compacted(state, event)
    if event.id != replies.TRANSCRIPT:
        return _replied(state, event)
    known = state.told is not None
    return _replied(state, replies.last_reply(event)) if known else _replayed(state, event)


def _replied(state: State, event: Replied) -> State:
    sources = used(state.sources, event, state.now.namespaces, state.counter.tasks)
    state = replace(state, sources=sources)
    for block in event.blocks:
        item = reply_item(block, state.counter, state.profile)
        if item is None:
            continue
        counter = state.counter if names_itself(block) else state.counter.item()
        state = replace(state, items=(*state.items, item), counter=counter)
        called = call_of(block)
        if called is not None:
            state = replace(state, calls=(*state.calls, called))
    return state


def _replayed(state: State, event: Replied) -> State:
    """A resumed thread whose earlier session is not at hand: its history is input, shown apart."""
    items = tuple(transcript_item(block) for block in event.blocks if isinstance(block, OtherBlock))
    counter = replace(state.counter, items=len(items))
    return replace(state, items=items, counter=counter, told=state.now, history="cold_resume")


def _prompted(state: State, event: Prompted) -> State:
    state = replace(state, counter=state.counter.task())
    if state.told is None:
        state = _opened(state)
    else:
        for role, parts in changes(state.told, state.now, state.profile):
            state = state.say(role, parts)
    state = replace(state, told=state.now)
    state = state.say("user", prompt_parts(event, state.now.images, state.profile))
    state = replace(state, prompts=(*state.prompts, state.items[-1]))
    words = str(worded(event, state.profile))
    for skill in mentions.mentioned(words, state.now.skills, state.profile):
        state = state.say("user", (Part("skill", mentions.body(skill, state.profile)),))
    return state


def _compacted(state: State, event: Replied) -> State:
    """The thread after a compaction: what was said, a summary, and before the last the context."""
    profile, told = state.profile, state.told
    names = [params.model(context.config, profile) for context in (told, state.now) if context]
    fresh = replace(state, items=(), counter=state.counter.window())
    opened = _opened(fresh, switched=len({str(name) for name in names}) > 1)
    base, around = compaction.split(opened.items, profile)
    *before, last = state.prompts or (None,)
    said = (*(item for item in before if item), *around, *([last] if last else []))
    state = replace(opened, items=(*base, *said), told=state.now)
    return state.say("user", (Part("summary", compaction.summary(event, profile)),))


def _opened(state: State, *, switched: bool = False) -> State:
    profile = state.profile
    if profile.switches["tools"] == "item":
        item: Item = {
            "type": "additional_tools",
            "id": item_id("tools", state.counter, profile),
            "role": "developer",
            "tools": tools.lite(state.now.config, profile),
        }
        state = state.add(item)
    for message_ in opening(state.now, profile, switched=switched):
        state = _say_opening(state, message_)
    return state


def _say_opening(state: State, opened: Message) -> State:
    role, parts = opened
    derived = state.profile.switches["base_id"] == "derived"
    if not derived or parts[0].kind != "base":
        return state.say(role, parts)
    # Classic models: the base message is made for every request and its id is derived, not random
    # in time; it has neither a turn nor a time (witness: gpt-5.5 on the built-in provider).
    profile = state.profile
    item: Item = {
        "type": "message",
        "id": profile.literal("id.message") + mask(profile, "base_id"),
        "role": role,
        "content": [{"type": "input_text", "text": parts[0].content}],
    }
    labels: Value = {"content_item_kinds": [profile.literal("kind.base")]}
    if profile.switches["item_labels"] != "none":
        item["internal_chat_message_metadata_passthrough"] = labels
    return replace(state, items=(*state.items, item))


def _request(state: State) -> Request:
    profile = state.profile
    listed: list[Value] | None = None
    if profile.switches["tools"] == "member":
        listed = []
        for tool in tools.classic(state.now.config, profile, servers=state.now.connected):
            if tool == "mcp":
                spaces = state.now.namespaces if profile.switches["mcp"] == "direct" else ()
                listed += [direct(space, profile) for space in spaces]
            else:
                listed.append(tool)
    process = state.process()
    value = params.members(process, list(state.items), listed, profile)
    return Request(value, profile.unordered, params.headers(process, profile))
