"""Answers that did not end the turn: the client asks again by itself, and says why.

Witness: `api_errors`. Which answers these are is seen from the request that follows without a
prompt; the words depend on how the answer ended.
"""

from dataclasses import replace

from inspector.clients.claude_code.message import Message, joined, text_block
from inspector.clients.claude_code.phrase import phrase, reminder
from inspector.clients.claude_code.state import State
from inspector.turns import Called, Ended, Prompted, Replied, Said, Turn

BROKEN = "truncated"
_LIMITS = frozenset({"max_tokens", "model_context_window_exceeded"})


def asked(state: State, turn: Turn) -> State:
    """The conversation with what the client says of the answer before."""
    replies = [event for event in turn.events if isinstance(event, Replied)]
    prompted = any(isinstance(event, Prompted) for event in turn.events)
    blocked = any(hook.event == "Stop" and hook.form != "success" for hook in state.hooked)
    woken = any(isinstance(event, Ended) for event in turn.events)
    if not replies or prompted or blocked or woken or replies[-1].stop in {None, BROKEN}:
        return state
    name = _why(replies[-1])
    if name is None:
        return state
    if name == "again.call" or not _spoke(replies[-1]):
        state = _without_answer(state)
    return _said(state, name)


def _why(reply: Replied) -> str | None:
    """The name of the words; None for an answer that is nothing to ask again about."""
    if any(isinstance(block, Called) for block in reply.blocks):
        return None
    if reply.stop == "refusal":
        return "again.refused"
    if reply.stop in _LIMITS:
        return "again.limit"
    if reply.stop == "tool_use":
        return "again.call"
    return None if _spoke(reply) else "again.silent"


def _spoke(reply: Replied) -> bool:
    return any(isinstance(block, Said) and block.text.strip() for block in reply.blocks)


def _without_answer(state: State) -> State:
    """The answer is taken back."""
    messages = state.messages
    if messages and messages[-1].role == "assistant":
        messages = messages[:-1]
    return replace(state, messages=messages)


def _said(state: State, name: str) -> State:
    """The words join the user message they stand next to."""
    profile = state.profile
    block = text_block(reminder(profile, phrase(profile, name)))
    messages = list(state.messages)
    last = max((n for n, message in enumerate(messages) if message.role != "system"), default=-1)
    if last < 0 or messages[last].role != "user":
        return replace(state, messages=(*messages, Message("user", (block,))))
    whole = joined([messages[last].blocks, (block,)])
    messages[last] = replace(messages[last], blocks=whole)
    return replace(state, messages=tuple(messages))
