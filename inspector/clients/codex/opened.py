"""The head of a thread: tools, base instructions, what the model is told of its place."""

from inspector.clients.codex import tools
from inspector.clients.codex.context import Message, opening
from inspector.clients.codex.fill import mask
from inspector.clients.codex.items import Item, Part, item_id
from inspector.clients.codex.thread import State
from inspector.profiles import Profile
from inspector.text import Value


def opening_items(state: State, *, switched: bool = False, again: bool = False) -> State:
    """The thread with all of it; `switched`: another model began it, `again`: it is compacted."""
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
        state = _say(state, message_, again=again)
    return state


def standing_items(state: State) -> tuple[Item, ...]:
    """What a model is warmed up with: the base instructions where each request makes them anew.

    Where they are recorded like all else there is nothing yet (witness: websocket).
    """
    parts = [part for _, parts in opening(state.now, state.profile) for part in parts]
    base = [part for part in parts if part.kind == "base"]
    return (_standing(base[0], state.profile),) if base and _derived(state.profile) else ()


def _derived(profile: Profile) -> bool:
    return profile.switches["base_id"] == "derived"


def _say(state: State, opened: Message, *, again: bool) -> State:
    role, parts = opened
    if _derived(state.profile) and parts[0].kind == "base":
        return state.recorded(_standing(parts[0], state.profile))
    return state.say(role, parts, timed=not again)


def _standing(base: Part, profile: Profile) -> Item:
    """The base message of classic models.

    It is made for every request and its id is derived, not random in time; it has neither a turn
    nor a time (witness: gpt-5.5 on the built-in provider).
    """
    item: Item = {
        "type": "message",
        "id": profile.literal("id.message") + mask(profile, "base_id"),
        "role": "developer",
        "content": [{"type": "input_text", "text": base.content}],
    }
    labels: Value = {"content_item_kinds": [profile.literal("kind.base")]}
    return {**item, "internal_chat_message_metadata_passthrough": labels}
