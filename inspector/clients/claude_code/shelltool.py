"""The shell tool's own description and schema: they tell the time limits of the session.

Where every limit is the usual one, the profile names the whole text; else it is put together from
its parts. Witness: `pool_env`, `prompts_stream`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from inspector.clients.claude_code import options
from inspector.clients.claude_code.phrase import computed, phrase, template
from inspector.clients.claude_code.plain import is_list, is_mapping, items, mapping
from inspector.profiles import Profile
from inspector.text import EMPTY, Text, Value
from inspector.workspace import Environment

_LEADING = re.compile(r"\s*([0-9]+)")
_MINUTE, _HOUR = 60_000, 3_600_000


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a command may run, in milliseconds."""

    default: int
    most: int
    background: int
    longest: int
    """In the background."""
    detaches: bool = True
    """Whether a command may run in the background at all."""


def limits(profile: Profile, environment: Environment) -> Limits:
    """The limits of a session."""
    usual = profile.limits
    default = _given(environment, "BASH_DEFAULT_TIMEOUT_MS") or usual["shell.default"]
    most = _given(environment, "BASH_MAX_TIMEOUT_MS") or usual["shell.most"]
    most = max(most, default)
    longest = max(usual["shell.longest"], most)
    background = max(usual["shell.background" if stays(environment) else "shell.once"], default)
    off = options.on(environment, "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS")
    return Limits(default, most, min(background, longest), longest, not off)


def stays(environment: Environment) -> bool:
    """Whether the process may outlive its answer, which gives what it runs more time.

    Witness: `cache_streamjson`.
    """
    given = options.options(environment.argv)
    return not given.printing or given.value("--input-format") == "stream-json"


def usual(profile: Profile) -> Limits:
    """The limits that the whole texts of the profile tell."""
    known = profile.limits
    return Limits(
        known["shell.default"], known["shell.most"], known["shell.once"], known["shell.longest"]
    )


def description(profile: Profile, found: Limits, variant: str) -> Text:
    """The description; `variant` is the one of its whole text."""
    if found == usual(profile) and profile.switches["shell.whole"] == "yes":
        return profile.known(f"tool.Bash{variant}.description")
    out = EMPTY
    for part in profile.templates[f"tool.Bash{variant}"]:
        if part.startswith("?"):
            out += _part(profile, found, part[1:]) if found.detaches else EMPTY
        else:
            out += _part(profile, found, part)
    return out


def _part(profile: Profile, found: Limits, part: str) -> Text:
    kind, _, name = part.partition(":")
    if kind == "text":
        return profile.known(name)
    if kind == "template":
        return template(profile, name, **_holes(found))
    return phrase(profile, name, **_holes(found))


def schema(profile: Profile, found: Limits) -> Value:
    """The schema of its input."""
    if found == usual(profile):
        return profile.known_json("tool.Bash.schema")
    shape: Mapping[str, object] = profile.values["tool.Bash.schema"]
    return _filled(profile, found, shape)


def _filled(profile: Profile, found: Limits, value: object) -> Value:
    if is_mapping(value):
        members = dict(mapping(value))
        if not found.detaches:
            members.pop("run_in_background", None)
        return {name: _filled(profile, found, item) for name, item in members.items()}
    if is_list(value):
        return [_filled(profile, found, item) for item in items(value)]
    if isinstance(value, str):
        kind, _, name = value.partition(":")
        return _part(profile, found, value) if kind in {"text", "literal"} and name else value
    assert isinstance(value, bool)
    return value


def _holes(found: Limits) -> dict[str, Text]:
    """The limits as the client writes them."""
    hours = found.longest >= 2 * _HOUR
    made = {
        "default": str(found.default),
        "default_minutes": _ratio(found.default, _MINUTE),
        "most": str(found.most),
        "most_minutes": _ratio(found.most, _MINUTE),
        "background": str(found.background),
        "background_minutes": _ratio(found.background, _MINUTE),
        "longest": str(found.longest),
        "longest_words": f"{round(found.longest / _HOUR)} hours"
        if hours
        else f"{round(found.longest / _MINUTE)} minutes",
    }
    return {name: computed(value, "shell limits") for name, value in made.items()}


def _ratio(number: int, unit: int) -> str:
    """A quotient as JavaScript writes it."""
    whole, rest = divmod(number, unit)
    return str(whole) if rest == 0 else repr(number / unit)


def _given(environment: Environment, name: str) -> int | None:
    match = _LEADING.match(environment.env.get(name, ""))
    return int(match[1]) or None if match else None
