"""Why a prefix is not the one before: the first position that differs, and how."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from inspector.cache.heads import WORDS, Heads, part
from inspector.cache.positions import Position
from inspector.jsontext import Node
from inspector.segments import Prompt

type Side = tuple[Prompt, Sequence[Position]]

SAME = 12
"""Characters of the shortest text that is known again elsewhere."""

_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}/\d{1,2}/\d{4}\b")
_VOLATILE = re.compile(
    r"\b\d{1,2}:\d\d(?::\d\d)?\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b\d{10,13}\b|/tmp/\S+|\bpid \d+\b"
)
_TOLD = ("developer", "system")
"""Roles of what stands before the first prompt, where an API has it among the messages."""
_SPELLED = ("input_schema", "input", "parameters", "arguments")
_BY_THEMSELVES = (
    ("DATE", _DATE, "a date changed"),
    ("VOLATILE-TEXT", _VOLATILE, "a time, an id or a temporary path changed"),
)
_GIT = re.compile(r"gitStatus|git status|Current branch:|Recent commits:|Status:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cause:
    """One break: the rule, where, and in words."""

    rule: str
    path: str
    """Of the first position that differs, in the new request; in the old one where it is gone."""
    words: str
    section: str
    alone: str = ""
    """`old` or `new`: what stands at the path is in that request alone."""
    contested: str = ""
    """The contested fact that alone makes it a break; empty: it is one."""


def cause(old: Side, new: Side, params: Sequence[str], heads: Heads) -> Cause:
    """Why the newest entry of the request before is no prefix; `params` are those that changed.

    `heads`: how the client's own texts begin.
    """
    before, after = old[0], new[0]
    if before.model != after.model:
        return Cause(
            "MODEL-CHANGED", "/model", f"{before.model} before, {after.model} now", "params"
        )
    at = _first(old[1], new[1])
    if at == len(old[1]):
        path = f"/{params[0]}" if params else ""
        rule = "CACHE-KEY" if "prompt_cache_key" in params else "PARAMS-CHANGED"
        return Cause(rule, path, f"{', '.join(params)} changed", "params")
    if at == len(new[1]):
        gone = old[1][at]
        rule = part(heads, _text(old[0], gone), 0) or "HISTORY-EDITED"
        return Cause(rule, gone.path, "what stood there is gone", gone.section, "old")
    found = _of_section(old, new, at, heads)
    doubt = old[1][at].contested if old[1][at].contested == new[1][at].contested else ""
    return replace(found, contested=found.contested or doubt)


def _first(old: Sequence[Position], new: Sequence[Position]) -> int:
    """The first place at which two prefixes differ; their common length where none does."""
    pairs = zip(old, new, strict=False)
    common = min(len(old), len(new))
    return next((at for at, (a, b) in enumerate(pairs) if a.key != b.key), common)


def _of_section(old: Side, new: Side, at: int, heads: Heads) -> Cause:
    was, now = old[1][at], new[1][at]
    if "tools" in {was.section, now.section}:
        return _of_tools(old, new, at)
    texts = _text(old[0], was), _text(new[0], now)
    if was.section == now.section == "system":
        rule, words = _of_text(*texts, heads) or (
            "SYSTEM-CHANGED",
            "the system prompt says something else",
        )
        return Cause(rule, now.path, words, "system")
    if was.section != now.section:
        side = "shorter" if was.section == "system" else "longer"
        return Cause("SYSTEM-CHANGED", now.path, f"the system prompt is {side}", "system")
    return _of_history(old, new, at, heads)


def _of_tools(old: Side, new: Side, at: int) -> Cause:
    before = [item for item in old[1] if item.section == "tools"]
    after = [item for item in new[1] if item.section == "tools"]
    names = [item.name for item in before], [item.name for item in after]
    path = new[1][at].path if new[1][at].section == "tools" else old[1][at].path
    gone = list((Counter(names[0]) - Counter(names[1])).elements())
    come = list((Counter(names[1]) - Counter(names[0])).elements())
    if gone or come:
        told = [f"without {', '.join(gone)}"] * bool(gone) + [f"with {', '.join(come)}"] * bool(
            come
        )
        side, name, found = ("new", come[0], after) if come else ("old", gone[0], before)
        path = next(item.path for item in found if item.name == name)
        return Cause("TOOLS-CHANGED", path, f"the tools are {' and '.join(told)}", "tools", side)
    if names[0] != names[1]:
        return Cause("TOOLS-REORDERED", path, "the same tools in another order", "tools")
    name = new[1][at].name
    if (doubt := _reordered(old, new, at)) is not None:
        words = f"{name}: its keys in another order"
        return Cause("SCHEMA-KEY-ORDER", path, words, "tools", contested=doubt)
    return Cause("TOOLS-CHANGED", path, f"{name}: another description or schema", "tools")


def _of_history(old: Side, new: Side, at: int, heads: Heads) -> Cause:
    was, now = old[1][at], new[1][at]
    if len(new[1]) < len(old[1]) * 2 // 3:
        words = "most of the conversation is gone, and a summary in its place"
        return Cause("COMPACTION", now.path, words, "messages")
    if (doubt := _reordered(old, new, at)) is not None:
        words = "the same block with its keys in another order"
        return Cause("SCHEMA-KEY-ORDER", now.path, words, "messages", contested=doubt)
    if (found := _elsewhere(old, new, at, heads)) is not None:
        return found
    texts = _text(old[0], was), _text(new[0], now)
    opening = all(item.name in _TOLD for item in new[1][: at + 1] if item.section == "messages")
    rule, words = _of_text(*texts, heads) or (
        ("SYSTEM-CHANGED", "what opens the conversation says something else")
        if opening
        else ("HISTORY-EDITED", "an earlier message says something else")
    )
    return Cause(rule, now.path, words, "messages")


def _elsewhere(old: Side, new: Side, at: int, heads: Heads) -> Cause | None:
    """The cause where a block moved, was put in or taken out; None where it says something else."""
    was, now = old[1][at], new[1][at]
    words, came = _text(old[0], was), _text(new[0], now)
    place = _place(was, words, new, at + 1)
    if place is not None:
        between = new[1][at:place]
        if any(_place(item, _text(new[0], item), old, at + 1) is not None for item in between):
            told = "what stood there stands further on"
            return Cause("REMINDER-MOVED", now.path, told, "messages")
        if len(came) >= SAME and any(_text(old[0], item) == came for item in old[1]):
            told = "what stands in the request already was put in again"
            return Cause("REINJECTED", now.path, told, "messages", "new")
        rule = part(heads, came, 0) or "HISTORY-EDITED"
        return Cause(rule, now.path, "something was put in", "messages", "new")
    if _place(now, came, old, at + 1) is not None:
        rule = part(heads, words, 0) or "HISTORY-EDITED"
        return Cause(rule, was.path, "what stood there is gone", "messages", "old")
    return None


def _place(block: Position, text: str, side: Side, start: int) -> int | None:
    """Where a block stands in a request from a position on: the same, or its text alone."""
    for place in range(start, len(side[1])):
        item = side[1][place]
        if item.key == block.key or (len(text) >= SAME and _text(side[0], item) == text):
            return place
    return None


def _of_text(was: str, now: str, heads: Heads) -> tuple[str, str] | None:
    """What kind of words changed, where it is one of those that change by themselves."""
    if was == now:
        return None
    for rule, pattern, words in _BY_THEMSELVES:
        if pattern.sub("", was) == pattern.sub("", now):
            return rule, words
    if _GIT.search(was) and _GIT.search(now) and _without_git(was) == _without_git(now):
        return "GITSTATUS", "the state of git changed"
    pairs = zip(was, now, strict=False)
    at = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(was), len(now)))
    rule = part(heads, now, at) or part(heads, was, at)
    return (rule, WORDS[rule]) if rule else None


def _without_git(text: str) -> str:
    """A text up to where it tells the state of git."""
    found = _GIT.search(text)
    return text if found is None else text[: found.start()]


def _reordered(old: Side, new: Side, at: int) -> str | None:
    """Whether two blocks differ in the order of keys alone, and what makes that doubtful.

    That of schemas and inputs counts (`key-order`); that of a block's own keys may not.
    """
    nodes = [side[0].root.find(side[1][at].path) for side in (old, new)]
    one, other = nodes
    if one is None or other is None or one.raw == other.raw or _sorted(one) != _sorted(other):
        return None
    inner = [
        [(name, found.raw) for name in _SPELLED if (found := node.get(name)) is not None]
        for node in (one, other)
        if node.kind == "object"
    ]
    return "" if len(inner) == 2 and inner[0] != inner[1] else "block-order"


def _sorted(node: Node) -> str:
    return json.dumps(json.loads(node.text), sort_keys=True)


def _text(prompt: Prompt, position: Position) -> str:
    node = prompt.root.find(position.path)
    return _words(node) if node is not None else ""


def _words(node: Node) -> str:
    if node.kind == "string":
        return node.string
    if node.kind == "object":
        content = node.get("content")
        return node.string_of("text") or (_words(content) if content is not None else "")
    return "\n".join(_words(item) for item in node.items)
