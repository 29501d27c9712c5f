"""When the client stops asking the API about its calls (`safeguards`, plan and auto mode).

A reply without a word on them ends it for the process: elsewhere than at the vendor's any reply
does (`safeguards_end`), there one with a call that needs a verdict (`safeguards_end_tls`).
"""

import fnmatch
from collections.abc import Iterator

from inspector.clients.claude_code import echo, lost, refusals, safeguards
from inspector.clients.claude_code.state import State
from inspector.text import Value
from inspector.turns import Called, Replied, Returned, Turn
from inspector.workspace import World

_BROKEN = "truncated"


def missed(state: State, turn: Turn, world: World) -> frozenset[str]:
    """`unjudged` where a reply that this process got lacks what it was asked for."""
    switches = state.profile.switches
    end = "never" if switches["safeguards"] == "no" else switches["safeguards.end"]
    # Without a prompt of this process a reply is one of the process before.
    if end == "never" or not state.typed:
        return frozenset()
    replies = [
        event
        for event in turn.events
        if isinstance(event, Replied) and not lost.is_answer(event)
        if not event.judged and event.stop != _BROKEN
    ]
    failed = {one.call for one in turn.events if isinstance(one, Returned) and one.error}
    calls = [block for one in replies for block in one.blocks if isinstance(block, Called)]
    needed = any(_needs(state, call, call.id in failed, world) for call in calls)
    return frozenset(["unjudged"] if needed or (replies and end == "reply") else [])


def given(state: State, turn: Turn, world: World) -> Iterator[Value]:
    """What is told of each reply whose calls the API judged."""
    for event in turn.events:
        if isinstance(event, Replied) and event.judged:
            calls = [block.id for block in event.blocks if isinstance(block, Called)]
            if calls:
                yield safeguards.told(state.profile, state.here(world), calls)


def _needs(state: State, call: Called, failed: bool, world: World) -> bool:
    """Whether a call waits for a verdict: none is needed where a rule decides, or it is wrong."""
    lists = state.profile.lists
    if call.name in lists["safeguards.judged.done"]:
        return not failed
    return call.name in lists["safeguards.judged"] and not _decided(state, call, world)


def _decided(state: State, call: Called, world: World) -> bool:
    """Whether the user's rules allow every part of a command, or deny one."""
    parts = refusals.parts(echo.argument(call, "command") or "")
    allow = [*safeguards.named(world, "allow"), *state.allowed]
    deny = safeguards.named(world, "deny")
    return bool(parts) and (
        all(any(_covers(rule, call.name, part) for rule in allow) for part in parts)
        or any(_covers(rule, call.name, part) for rule in deny for part in parts)
    )


def _covers(rule: str, tool: str, command: str) -> bool:
    name, _, rest = rule.partition("(")
    pattern = rest.removesuffix(")")
    prefix = pattern.removesuffix(":*")
    if name != tool:
        return False
    if prefix != pattern:
        return command == prefix or command.startswith(f"{prefix} ")
    # `git *` holds for `git` alone too.
    return fnmatch.fnmatchcase(command, pattern) or command == pattern.removesuffix(" *")
