"""Reading what a script of the client's code mode put out."""

import re
from collections.abc import Callable, Sequence
from typing import Literal

from inspector.clients.codex import mcp_reading, measured, templates
from inspector.clients.codex.calls import Call, Use, uses
from inspector.clients.codex.loose import Json, compact, word
from inspector.clients.codex.told import sentence
from inspector.profiles import Profile
from inspector.turns import (
    Pictured,
    Scripted,
    ScriptPart,
    Threw,
    Told,
    Unread,
    Wrote,
)

_STATES: tuple[Literal["completed", "failed", "running"], ...] = ("completed", "failed", "running")
_THROWN = re.compile(r"\w*Error(?:: .*?)?(?:\n    at [^\n]+)+", re.DOTALL)
"""An exception of the script's own, with JavaScript's trace of it."""


def read(
    parts: Sequence[Json], call: Call, profile: Profile, logged: Callable[[str], str | None]
) -> Scripted | None:
    """A script's outcome; None where its first part is none of the client's headings."""
    first = _words(parts[0]) if parts else None
    heading = None if first is None else _heading(first, profile)
    if heading is None:
        return None
    if len(parts) == 2:
        cut = measured.cut_value(_words(parts[1]) or "", profile)
        if cut is not None:
            return heading.model_copy(update={"parts": (cut[0],), "tokens": cut[1]})
    printing = uses(call.input)
    found: list[ScriptPart] = []
    for number, part in enumerate(parts[1:]):
        use = printing[number] if number < len(printing) else None
        last = number == len(parts) - 2
        failed = heading.state == "failed" and last
        made = _thrown(part, profile) if failed else _part(part, use, profile, logged)
        found.append(made or Unread(raw=compact(part)))
    return heading.model_copy(update={"parts": tuple(found)})


def _heading(string: str, profile: Profile) -> Scripted | None:
    for state in _STATES:
        found = templates.holes(profile.literals[f"output.script.{state}"], string)
        if found is not None:
            return Scripted(state=state, seconds=found["seconds"], cell=found.get("cell"))
    return None


def _words(part: Json) -> str | None:
    """The text of a part that is a text and nothing else."""
    if set(part) != {"type", "text"} or part["type"] != "input_text":
        return None
    return word(part["text"])


def _thrown(part: Json, profile: Profile) -> ScriptPart | None:
    found = templates.holes(profile.literals["output.script.error"], _words(part) or "")
    if found is None:
        return None
    said = sentence(found["error"], profile)
    if said is not None:
        return Told(name=said)
    return Threw(error=found["error"]) if _THROWN.fullmatch(found["error"]) else None


def _part(
    part: Json, use: Use | None, profile: Profile, logged: Callable[[str], str | None]
) -> ScriptPart | None:
    if part.get("type") == "input_image" and set(part) <= {"type", "image_url", "detail"}:
        return Pictured(url=word(part.get("image_url")))
    words = _words(part)
    if words is None:
        return None
    return _own(words, profile) if use is None else _used(words, use, profile, logged)


def _used(
    words: str, use: Use, profile: Profile, logged: Callable[[str], str | None]
) -> ScriptPart | None:
    """A tool's result, put out as it came."""
    if use.tool in profile.lists["output.command"]:
        return measured.value(words, profile)
    if use.tool.startswith(profile.literals["mcp.prefix"]):
        return mcp_reading.value(words, profile, logged(use.tool))
    if use.tool in profile.lists["output.patch"]:
        return Told(name="patched") if words == profile.literals["told.patched"] else None
    said = sentence(words, profile)
    return None if said is None else Told(name=said)


def _own(words: str, profile: Profile) -> ScriptPart | None:
    """A part that a script of another form put out: a command's result, or words of its own."""
    ran = measured.value(words, profile)
    if ran is not None:
        return ran
    return None if measured.like_value(words) else Wrote(printed=measured.printed(words, profile))
