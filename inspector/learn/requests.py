"""What a whole request teaches beside its texts: tools, members, constants, headers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspector.jsontext import parse
from inspector.learn.draft import Draft
from inspector.learn.lesson import Lesson, Point
from inspector.profiles import Profile
from inspector.text import Text

PLACEHOLDER = "DeferredToolPlaceholder"
_PARTS = ("model", "messages", "system", "tools", "metadata")
"""Members that are built from a session, not constants."""
_SWITCHED = ("output_config", "diagnostics", "safeguards")
"""Members that switches put in."""


def tools(
    point: Point, draft: Draft, built: Mapping[str, Any], captured: Mapping[str, Any]
) -> Iterator[Lesson]:
    """The built-in tools that are sent at once."""
    ours, theirs = (_names(body, waiting=False) for body in (built, captured))
    if ours == theirs:
        return
    deferred = draft.names(point.axes, "tools.deferred")
    now = draft.names(point.axes, "tools")
    # What a flag took away or put in is the session's own.
    kept = [name for name in now if name in theirs or name not in ours]
    new = [name for name in theirs if name not in ours and name not in now]
    if kept != now or new:
        yield point.lesson(("lists", "tools"), _placed([*kept, *new], theirs))
    # What waits on other hosts stands among them where nothing waits.
    gone = [name for name in ours if name not in theirs]
    moved = [name for name in deferred if name not in new and name not in gone]
    if moved != deferred:
        yield point.lesson(("lists", "tools.deferred"), moved)


def _names(body: Mapping[str, Any], *, waiting: bool) -> list[str]:
    return [
        tool["name"]
        for tool in body.get("tools", ())
        if not tool["name"].startswith("mcp__")
        and tool["name"] != PLACEHOLDER
        and bool(tool.get("defer_loading")) is waiting
    ]


def _placed(names: Sequence[str], order: Sequence[str]) -> list[str]:
    """The names in the captured order, what is not captured where it stood."""
    found = [name for name in order if name in names]
    out: list[str] = []
    for name in names:
        out.append(name if name not in found else found.pop(0))
        if not found:
            found = []
    return list(dict.fromkeys([*out, *names]))


def definitions(
    point: Point, profile: Profile, captured: Mapping[str, Any], schemas: Mapping[str, str]
) -> Iterator[Lesson]:
    """Tools the profile has no words for, whole; `schemas` as they stand in the body."""
    for tool in captured.get("tools", ()):
        name = tool["name"]
        if name.startswith("mcp__") or name == PLACEHOLDER:
            continue
        if f"tool.{name}.description" not in profile.texts and name != "Bash":
            yield point.text(f"tool.{name}.description", tool["description"])
            yield point.text(f"tool.{name}.schema", schemas[name])


def schemas(captured: bytes) -> dict[str, str]:
    """The raw schemas of a body's tools, by name."""
    found = parse(captured).get("tools")
    items = found.items if found is not None else ()
    parts = ((item.string_of("name"), item.get("input_schema")) for item in items)
    return {name: schema.text for name, schema in parts if name is not None and schema is not None}


def members(
    point: Point, draft: Draft, built: Mapping[str, Any], captured: Mapping[str, Any]
) -> Iterator[Lesson]:
    """Constants of the request and the order of its members."""
    for name in dict.fromkeys([*captured, *built]):
        if name not in (*_PARTS, *_SWITCHED) and built.get(name) != captured.get(name):
            yield point.lesson(("params", name), captured.get(name))
    effort = captured.get("output_config", {}).get("effort", "")
    if built.get("output_config", {}).get("effort", "") != effort:
        yield point.lesson(("switches", "effort"), effort)
    for name in ("diagnostics", "safeguards"):
        if (name in built) != (name in captured):
            yield point.lesson(("switches", name), "yes" if name in captured else "no")
    shared = [name for name in built if name in captured]
    if shared != [name for name in captured if name in built] or set(captured) - set(built):
        order = draft.names(point.axes, "members")
        yield point.lesson(("lists", "members"), _ordered(order, list(captured)))


def _ordered(order: Sequence[str], captured: Sequence[str]) -> list[str]:
    """The captured members in their order; others stay behind what they stood behind."""
    out = list(captured)
    for number, name in enumerate(order):
        if name not in out:
            before = next((one for one in reversed(order[:number]) if one in out), None)
            out.insert(out.index(before) + 1 if before else 0, name)
    return out


def headers(
    point: Point,
    draft: Draft,
    built: Sequence[tuple[str, Text]],
    captured: Sequence[tuple[str, str]],
) -> Iterator[Lesson]:
    """Constant headers, and the list of betas."""
    sent = {name.lower(): value for name, value in captured}
    made = {name: str(value) for name, value in built}
    constants: Mapping[str, Any] = draft.get(point.axes, ("values", "headers")) or {}
    for name in constants:
        value = sent.get(name.lower())
        if name in made and value is not None and made[name] != value and name != "Host":
            yield point.lesson(("values", "headers", name), value)
    names = draft.names(point.axes, "headers")
    sent_now = [name for name in names if name not in made or name.lower() in sent]
    if sent_now != names:
        yield point.lesson(("lists", "headers"), sent_now)
    ours = made.get("anthropic-beta", "").split(",")
    theirs = sent.get("anthropic-beta", "").split(",")
    if ours != theirs:
        now = draft.names(point.axes, "betas")
        hidden = [name for name in now if name not in ours]
        more = [name for name in ours if name not in now]
        wanted = [name for name in theirs if name not in more]
        yield point.lesson(("lists", "betas"), _with(wanted, now, hidden))


def _with(wanted: Sequence[str], now: Sequence[str], hidden: Sequence[str]) -> list[str]:
    """The wanted names, and those that only some requests have where they stood."""
    return [name for name in _ordered(list(now), wanted) if name in wanted or name in hidden]


def body(data: bytes) -> dict[str, Any]:
    """A request body as values."""
    found: dict[str, Any] = json.loads(data)
    return found
