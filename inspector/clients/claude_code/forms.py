"""The two forms of what a model is told: messages of the role system, or reminders in the user's.

What comes with a prompt or a round of results is kept with its other form beside it, so that a
conversation that goes on with a model of another generation is worded anew as a whole, as the
client does, which keeps no form at all (`generation_to_classic`, `generation_to_new`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from inspector.clients.claude_code.message import Message
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile

type Form = Callable[[], Sequence[Message]]


def both(profile: Profile, reminded: Form, beside: Form) -> tuple[Message, ...]:
    """The messages in the form of the model of now, the first with the other form at hand."""
    old = profile.switches["context"] == "reminder"
    own, other = (reminded, beside) if old else (beside, reminded)
    made = own()
    return tuple(made) if profile.switches["resume"] == "bare" else _with(made, other)


def turned(state: State, before: Profile) -> State:
    """The conversation as it is told to the model of now, `before` being that of before."""
    if before.switches["context"] != state.profile.switches["context"]:
        groups = (_other(group) for group in _groups(state.messages))
        state = replace(state, messages=tuple(one for group in groups for one in group))
    return _with_effort(state)


def said_by(messages: Sequence[Message], model: str) -> Sequence[Message]:
    """The messages without what other models thought (`generation_sibling`)."""
    if all(message.model in {"", model} for message in messages):
        return messages
    kept = (one if one.model in {"", model} else one.unthought for one in messages)
    return tuple(message for message in kept if message.blocks or message.role != "assistant")


def _with(made: Sequence[Message], other: Form) -> tuple[Message, ...]:
    behind = [replace(message, other=_behind) for message in made[1:]]
    return (*(replace(message, other=other) for message in made[:1]), *behind)


def _behind() -> Sequence[Message]:
    """Stands for the other form of a message that belongs to the one before it."""
    return ()


def _groups(messages: Sequence[Message]) -> Iterator[tuple[Message, ...]]:
    """Messages that have another form together; one that tells the effort alone has none."""
    group: tuple[Message, ...] = ()
    for message in messages:
        if group and (message.other is _behind or _tells_effort_alone(message)):
            group += (message,)
            continue
        if group:
            yield group
        group = (message,)
    if group:
        yield group


def _other(group: tuple[Message, ...]) -> tuple[Message, ...]:
    make = group[0].other
    if make is not None:
        return _with(make(), lambda: group)
    plain = [message for message in group if not _tells_effort_alone(message)]
    return group if len(plain) == len(group) else _with(plain, lambda: group)


def _tells_effort_alone(message: Message) -> bool:
    return message.role == "system" and not message.blocks


def _with_effort(state: State) -> State:
    """An effort that was never told is told at the beginning (`generation_to_new`)."""
    told = state.profile.switches["effort.announced"] == "yes"
    if not told or state.effort is not None or not state.wanted:
        return state
    for place, message in enumerate(state.messages):
        if message.role == "system":
            first = replace(message, effort=state.wanted)
            messages = (*state.messages[:place], first, *state.messages[place + 1 :])
            return replace(state, messages=messages, effort=state.wanted)
    return state
