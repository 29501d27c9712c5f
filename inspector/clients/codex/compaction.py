"""A thread that is compacted: the model's summary stands for what was said and done.

Witness (0.171): compact, compact_lite, compact_switch. On a custom provider the client asks for a
summary as for any reply; what the built-in provider makes of it is not rebuilt.
"""

from collections.abc import Sequence

from inspector.clients.codex.items import Item
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Replied, Said


def summary(event: Replied, profile: Profile) -> Text:
    """The summary as the next model reads it, after the client's own introduction."""
    introduced = profile.known("summary.prefix") + profile.literal("newline")
    said = [block for block in event.blocks if isinstance(block, Said)]
    if not said:
        return introduced
    return introduced + text(said[-1].text, Origin(Kind.REPLY, said[-1].id or "summary"))


def split(items: Sequence[Item], profile: Profile) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """What stands before everything in every request, and what is told anew.

    Tools and base instructions stay in front (witness: compact_lite, after two prompts).
    """
    first = 2 if profile.switches["tools"] == "item" else 1
    return tuple(items[:first]), tuple(items[first:])


def thread_profile(profile: Profile, earlier: Profile | None) -> Profile:
    """The profile for a thread that goes on: it keeps the kind of agents it began with."""
    kept = "v1" if earlier is None else earlier.switches["agents"]
    if earlier is None or kept == profile.switches["agents"] or kept != "v1":
        return profile
    # Witness (compact_switch): a thread of gpt-5.5 that gpt-6.2-sol goes on with.
    lists = dict(profile.lists)
    for name in ("tools", "opening"):
        newer = lists[f"agents.newer.{name}"]
        lists[name] = tuple(entry for entry in lists[name] if entry not in newer)
    lists["mcp.own"] = lists["agents.older"]
    return profile.model_copy(
        update={"lists": lists, "switches": {**profile.switches, "agents": kept}}
    )
