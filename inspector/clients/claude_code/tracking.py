"""The reminder that a list of tasks has not been kept for a while."""

from collections.abc import Sequence
from dataclasses import replace

from inspector.clients.claude_code.message import Message
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import Text
from inspector.turns import Called, Replied, Thought


def counted(state: State, reply: Replied) -> int:
    """How far the model has gone without the list, with one more reply."""
    names = state.profile.lists["tools.tracking"]
    blocks = [block for block in reply.blocks if not isinstance(block, Thought)]
    # Each block of a reply is a message of its own (2.1.88, cache_6turn; 2.1.332, traffic_search).
    count = state.untracked
    for block in blocks:
        count = 0 if isinstance(block, Called) and block.name in names else count + 1
    return count


def kept(profile: Profile, messages: Sequence[Message]) -> int:
    """The same for a conversation of which no reminder was kept."""
    names = profile.lists["tools.tracking"]
    count = 0
    for message in messages:
        for block in message.blocks if message.role == "assistant" else ():
            if block.get("type") in {"thinking", "redacted_thinking"}:
                continue
            count = 0 if str(block.get("name", "")) in names else count + 1
    return count


def due(state: State) -> tuple[State, list[Text]]:
    """The state with the reminder told, where it is time."""
    profile, pool = state.profile, state.process.pool
    usable = any(pool.has(name) for name in profile.lists["tools.tracking"])
    if not usable or state.untracked < profile.limits["task.reminder"]:
        return state, []
    return replace(state, untracked=0), [profile.known("task.reminder")]
