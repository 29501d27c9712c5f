"""From a thread to a request: whole, or as a frame on a WebSocket; warm-ups and compactions too."""

from dataclasses import replace
from typing import Literal

from inspector.clients import Request
from inspector.clients.codex import mcp, params, tools
from inspector.clients.codex.compaction import former
from inspector.clients.codex.fill import computed, fill
from inspector.clients.codex.items import Item, shown
from inspector.clients.codex.params import Process
from inspector.clients.codex.thread import State
from inspector.profiles import Profile
from inspector.text import Text, Value

type Phase = Literal["pre_turn", "mid_turn"]


def request(state: State) -> Request:
    """The next request of the conversation."""
    return _request(state, state.process(), state.items, state.profile)


def warm_up(state: State, items: tuple[Item, ...]) -> Request:
    """What the client sends on a new WebSocket before its first prompt; it wants no answer."""
    process = replace(state.process(), kind="prewarm")
    made = _request(state, process, items, state.profile)
    return replace(made, headers=opening(state, process))


def opening(state: State, process: Process) -> tuple[tuple[str, Text], ...]:
    """The headers a WebSocket is opened with."""
    return params.headers(process, state.profile, state.profile.lists["headers.frame"])


def compaction(state: State, trigger: Item, phase: Phase, *, switched: bool) -> Request:
    """The request for a summary; the model before sums up what one of another kind goes on with."""
    process = replace(state.process(), kind="compaction", about=_about(state, phase, switched))
    items = (*state.items, trigger)
    profile, asking = state.profile, process
    if switched and state.before is not None and state.told is not None:
        profile, config = former(state.before, state.told.config, process.config)
        asking = replace(process, config=config)
    if state.profile.switches["compaction"] == "summary":
        profile = _mute(profile)
    return _request(state, process, items, profile, asking)


def _mute(profile: Profile) -> Profile:
    """A summary is words, so nothing may be called (witness: compact, a classic model)."""
    offered = {**profile.lists, "tools": ()}
    said = {**profile.params, "parallel_tool_calls": False}
    return profile.model_copy(update={"lists": offered, "params": said})


def _about(state: State, phase: Phase, switched: bool) -> Text:
    profile = state.profile
    how = profile.switches["compaction"]
    holes = {
        "reason": profile.literal(f"compaction.reason.{'switched' if switched else 'full'}"),
        "implementation": profile.literal(f"compaction.implementation.{how}"),
        "phase": computed("compaction", phase),
    }
    return fill(profile.literal("compaction"), holes)


def _request(
    state: State,
    process: Process,
    items: tuple[Item, ...],
    profile: Profile,
    asking: Process | None = None,
) -> Request:
    """`asking` says what is asked of the model where that is another than the process's own."""
    socket = state.socket
    whole, frame = (items, None) if socket is None else socket.frame(items)
    sent: list[Value] = [shown(item, profile) for item in whole]
    metadata = params.client_metadata(process, state.profile, frame=frame is not None)
    listed = _listed(state, profile)
    value = params.members(asking or process, sent, listed, profile, metadata, frame)
    headers = (
        params.headers(process, state.profile, profile.lists["headers"])
        if socket is None
        else socket.headers
    )
    return Request(value, state.profile.unordered, headers)


def _listed(state: State, profile: Profile) -> list[Value] | None:
    if profile.switches["tools"] != "member":
        return None
    found: list[Value] = []
    for tool in tools.classic(state.now.config, profile, servers=state.now.connected):
        if tool == "mcp":
            found += mcp.listed(state.now.namespaces, profile)
        else:
            found.append(tool)
    return found
