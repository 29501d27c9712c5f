"""Tools of a thread whose next model has others: what is new or otherwise, and what is gone.

Nothing told before is edited; the model is told of the difference (witness: model_switch).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from inspector.clients.codex import tools
from inspector.clients.codex.context import Context
from inspector.clients.codex.fill import computed, fill
from inspector.clients.codex.items import Part, item_id
from inspector.clients.codex.thread import State
from inspector.profiles import Profile
from inspector.text import EMPTY, Text, Value, encode, join

type _Spaces = Mapping[str, Mapping[str, Value]]


def updated(state: State, told: Context) -> State:
    """The thread with what its next model must know of tools."""
    profile, former = state.profile, state.before
    kinds = {one.switches["tools"] for one in (profile, former) if one is not None}
    if former is None or kinds != {"item"}:
        return state
    before, now = tools.lite(told.config, former), tools.lite(state.now.config, profile)
    fresh = _fresh(before, now)
    if fresh:
        state = state.say("developer", (Part("tools_update", profile.literal("tools.update")),))
        state = state.add(
            {
                "type": "additional_tools",
                "id": item_id("tools", state.counter, profile),
                "role": "developer",
                "tools": fresh,
            }
        )
    gone = join(profile.literal("tools.gap"), [*_gone(before, now, profile)])
    return state.say("developer", (Part("tools_removed", gone),)) if gone else state


def _fresh(before: Sequence[Value], now: Sequence[Value]) -> list[Value]:
    """Namespaces of now with those of their tools that are new or no longer the same."""
    old = _spaces(before)
    made: list[Value] = []
    for space in now:
        members = cast("Mapping[str, Value]", space)
        name = str(members["name"])
        changed = [
            tool
            for key, tool in _spaces([space])[name].items()
            if key not in old.get(name, {}) or encode(old[name][key]) != encode(tool)
        ]
        if changed:
            made.append({**members, "tools": changed})
    return made


def _gone(before: Sequence[Value], now: Sequence[Value], profile: Profile) -> Iterator[Text]:
    old, new = _spaces(before), _spaces(now)
    spaces = [name for name in old if name not in new]
    names = [f"{s}.{tool}" for s in old if s in new for tool in old[s] if tool not in new[s]]
    for which, listed in (("namespaces", spaces), ("tools", names)):
        if listed:
            row = profile.literal("tools.gone.row")
            rows = [fill(row, {"name": computed("tools", name)}) for name in sorted(listed)]
            yield profile.literal(f"tools.gone.{which}") + join(EMPTY, rows)


def _spaces(found: Sequence[Value]) -> _Spaces:
    """Tools by their names, by namespace."""
    made: dict[str, Mapping[str, Value]] = {}
    for space in found:
        members = cast("Mapping[str, Value]", space)
        inner = cast("Sequence[Mapping[str, Value]]", members["tools"])
        made[str(members["name"])] = {str(tool["name"]): tool for tool in inner}
    return made
