"""A client that was killed: what a conversation that goes on holds of it (`killed`).

A call without a result gets the client's own error. Where the conversation would end with what the
user said, the client puts an answer of its own behind it.
"""

from collections.abc import Iterable
from dataclasses import replace

from inspector.clients.claude_code.message import Message, text_block
from inspector.clients.claude_code.phrase import phrase
from inspector.clients.claude_code.state import State
from inspector.turns import Event, Replied, Returned, Said

_ANSWER = "No response requested."
_ERROR = "[Tool call interrupted: the session ended before this call's result"


def is_answer(event: Event | None) -> bool:
    """Whether a reply is the client's own."""
    return isinstance(event, Replied) and [
        block.text for block in event.blocks if isinstance(block, Said)
    ] == [_ANSWER]


def any_lost(events: Iterable[Event]) -> bool:
    """Whether a call is among them whose result nobody saw."""
    given = (event.text for event in events if isinstance(event, Returned) and event.error)
    return any(text is not None and text.startswith(_ERROR) for text in given)


def closed(state: State, *, answered: bool) -> State:
    """The conversation with the client's answer behind it; `answered`: results came just now."""
    messages = list(state.messages)
    while answered and messages[-1].role == "system":
        messages.pop()
    said = Message("assistant", (text_block(phrase(state.profile, "resume.answer")),))
    return replace(state, messages=(*messages, said))
