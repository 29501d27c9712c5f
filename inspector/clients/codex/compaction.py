"""A thread that is compacted: what the model makes of it stands for what was said and done.

Witness (0.171): compact, compact_lite, compact_switch. On a custom provider the client asks for a
summary as for any reply; the built-in provider is told by an item of its own, and its answer is
sealed (witness: compact_builtin).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from inspector.clients.codex.config import Config
from inspector.clients.codex.fill import BLANK, fact
from inspector.clients.codex.items import Item
from inspector.clients.codex.shorten import cost, cut_parts, shortened
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, Value, text
from inspector.turns import Replied, Said


def trigger(config: Config, profile: Profile) -> Item:
    """What the request for it ends with; the user may word it."""
    if profile.switches["compaction"] == "trigger":
        return {"type": "compaction_trigger"}
    own = config.string("compact_prompt")
    given = None if own is None else fact("config.compact_prompt", own).strip(BLANK)
    words = given or profile.known("compaction.prompt")
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]}


def former(profile: Profile, before: Config, now: Config) -> tuple[Profile, Config]:
    """What the old model is asked with: the present configuration, but for the model.

    Without an effort it knows it gets its own middle one (witness: compact_switch).
    """
    effort = now.string("model_reasoning_effort")
    if effort not in profile.lists.get("efforts", ()):
        effort = None
    chosen = {"model": before.string("model"), "model_reasoning_effort": effort}
    middle = profile.literals.get("effort.middle")
    if middle is not None:
        profile = profile.model_copy(update={"literals": {**profile.literals, "effort": middle}})
    return profile, replace(now, table={**now.table, **chosen})


def summary(event: Replied, profile: Profile) -> Text:
    """The summary as the next model reads it, after the client's own introduction."""
    introduced = profile.known("summary.prefix") + profile.literal("newline")
    said = [block for block in event.blocks if isinstance(block, Said)]
    if not said:
        return introduced
    return introduced + text(said[-1].text, Origin(Kind.REPLY, said[-1].id or "summary"))


def kept(prompts: Sequence[Item], profile: Profile) -> tuple[Item, ...]:
    """The prompts a compacted thread still has, the newest first to be kept.

    What is said has a budget; the one that crosses it loses its middle (witness: compact_budget).
    """
    left, found = profile.limits["compaction.tokens"], list[Item]()
    if profile.switches["compaction"] == "summary":
        prompts = [_worded(prompt) for prompt in prompts]
    for prompt in reversed(prompts):
        if not left:
            break
        found.append(_within(prompt, left, profile))
        left = max(left - sum(cost(str(words)) for words in _words(prompt)), 0)
    return tuple(reversed(found))


def _worded(prompt: Item) -> Item:
    """Of a prompt with images a summary keeps the words alone (witness: compact_image)."""
    content = prompt.get("content")
    return {**prompt, "content": list(content)[-1:]} if isinstance(content, list) else prompt


def _within(prompt: Item, tokens: int, profile: Profile) -> Item:
    content = prompt.get("content")
    if not isinstance(content, list) or sum(cost(str(words)) for words in _words(prompt)) <= tokens:
        return prompt
    if profile.switches["compaction"] == "summary":
        parts = [part for words in _words(prompt) for part in cut_parts(words, tokens, profile)]
        return {**prompt, "content": [{"type": "input_text", "text": part} for part in parts]}
    return {**prompt, "content": shortened(cast("list[Value]", content), tokens, profile)}


def _words(prompt: Item) -> Iterator[Text]:
    content = prompt.get("content")
    for part in content if isinstance(content, list) else ():
        words = part.get("text") if isinstance(part, Mapping) else None
        if isinstance(words, Text):
            yield words


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
