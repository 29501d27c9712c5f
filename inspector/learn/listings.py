"""Lists that the client tells the model line by line: deferred tools, agents, its own skills."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.learn.draft import Draft
from inspector.learn.lesson import Lesson, Point

_ENTRY = re.compile(r"^- ([\w:.-]+)(?:: |$)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z]\w*")


def listings(
    point: Point, draft: Draft, texts: Sequence[str], own: frozenset[str]
) -> Iterator[Lesson]:
    """What the lists of a request's texts teach; `own` are the names that are the user's."""
    literals = point.literals
    waiting = _after(texts, literals["tools.deferred"])
    if waiting is not None:
        names = [name for name in _lines(waiting) if not name.startswith("mcp__")]
        now = draft.names(point.axes, "tools.deferred")
        resources = draft.names(point.axes, "tools.resources")
        kept = [name for name in now if name in names or name in resources]
        found = [*kept, *(name for name in names if name not in now)]
        if found != now:
            yield point.lesson(("lists", "tools.deferred"), found)
    yield from _entries(point, draft, _after(texts, literals["agents"]), ("agents", own))
    yield from _entries(point, draft, _after(texts, literals["skills"]), ("skills.shipped", own))


def _entries(
    point: Point, draft: Draft, text: str | None, which: tuple[str, frozenset[str]]
) -> Iterator[Lesson]:
    if text is None:
        return
    name, own = which
    found = {key: line for key, line in _split(text).items() if key not in own}
    now = draft.names(point.axes, name)
    if list(found) != now and set(found) != set(now):
        yield point.lesson(("lists", name), list(found))
    for key, line in found.items():
        words = line
        label = f"agent.{key}" if name == "agents" else f"skill.{key}"
        known: Mapping[str, Any] | None = draft.get(point.axes, ("texts", label))
        lesson = point.text(label, words)
        if words and (known is None or known["sha256"] != lesson.value["sha256"]):
            yield lesson


def _after(texts: Sequence[str], literal: str) -> str | None:
    """What stands behind a literal's start, up to an empty line."""
    start = literal.partition("{")[0]
    for text in texts:
        at = text.find(start)
        if at >= 0:
            rest = text[at + len(start) :]
            return re.split(r"\n\n(?!- )|\n</system-reminder>", rest, maxsplit=1)[0]
    return None


def _lines(text: str) -> list[str]:
    out: list[str] = []
    for line in text.split("\n"):
        if not _NAME.fullmatch(line):
            break
        out.append(line)
    return out


def _split(text: str) -> dict[str, str]:
    """Entries by name, each with the lines that belong to it."""
    starts = [*_ENTRY.finditer(text)]
    ends = [*(found.start() - 1 for found in starts[1:]), len(text)][: len(starts)]
    return {found[1]: text[found.start() : end] for found, end in zip(starts, ends, strict=True)}
