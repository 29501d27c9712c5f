"""A text so long that the client has its tokens counted before it shows it to the model.

Witness: Claude Code 2.1.332, `count_texts`.
"""

import math
from dataclasses import dataclass

from inspector.clients.claude_code.javascript import cut, trim_string, units
from inspector.clients.claude_code.options import number
from inspector.clients.claude_code.phrase import computed, template
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, Value, text
from inspector.workspace import Environment

_DENSE = frozenset({"json", "jsonl", "jsonc"})
"""Endings of files of which two characters are taken for a token; else it is four."""
_TRIES = 6
_SHARE, _LESS, _ROOM = 0.85, 0.7, 0.7
_LEAST = 0.5
"""Characters a token has at least."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What is known of a text that was counted."""

    tokens: int
    used: int
    """Tokens of the conversation so far."""


@dataclass(frozen=True, slots=True)
class Count:
    """One text that is counted."""

    call: str
    content: Value
    size: int
    """UTF-16 units in it."""
    estimate: int
    """The tokens the client takes it to have where the API does not say."""
    digest: str = ""
    """Of a file's text."""
    later: bool = False
    """It is counted once the others of its turn are."""


def most(profile: Profile, environment: Environment) -> int:
    """How many tokens of a file are shown at a time."""
    given = number(environment, "CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS")
    return given or profile.limits["read.tokens"]


def estimate(string: str, path: str = "") -> int:
    """The tokens the client takes a text to have, as `Math.round` makes them."""
    dense = path.rpartition("/")[2].rpartition(".")[2].lower() in _DENSE
    return math.floor(units(string) / (2 if dense else 4) + 0.5)


def asks(
    profile: Profile, environment: Environment, string: str, path: str, *, whole: bool
) -> bool:
    """Whether the client has the tokens of what it read counted."""
    limit, taken = most(profile, environment), estimate(string, path)
    beyond = units(string) > limit * profile.limits["read.tokens.times"]
    return bool(taken) and taken > limit / 4 and (whole or not beyond)


def error(profile: Profile, environment: Environment, counted: Counted) -> Text:
    """What is said of a part of a file that is too long."""
    holes = {
        "tokens": _number(counted.tokens),
        "cap": _number(most(profile, environment)),
    }
    return template(profile, f"read.tokens.{_hint(profile, counted)}", **holes)


@dataclass(frozen=True, slots=True)
class Page:
    """As much of a file as is shown at once, and what is said of it."""

    shown: Text
    said: Text


def page(
    profile: Profile, environment: Environment, content: Text, path: str, counted: Counted
) -> Page:
    """The beginning of a file that has too many tokens."""
    every, cap = content.split("\n"), most(profile, environment)
    size, per = units(str(content)), max(1, counted.tokens)
    ratio = max(_LEAST, size / per)
    count = max(1, min(len(every), math.floor(len(every) * cap / per * _SHARE)))
    lengths = [units(str(line)) + 1 for line in every]
    for _ in range(_TRIES):
        if (sum(lengths[:count]) - 1) / ratio <= cap or count <= 1:
            break
        count = max(1, math.floor(count * _LESS))
    holes = {
        "path": text(path, Origin(Kind.FACT, "path")),
        "tokens": _number(counted.tokens),
        "cap": _number(cap),
        "total": _number(len(every)),
    }
    hint = _hint(profile, counted)
    ends = _place(str(content), count)
    shown = content[:ends]
    whole = (sum(lengths[:count]) - 1) / ratio <= cap and trim_string(str(shown)) != ""
    if whole and count < len(every):
        more = {"last": _number(count), "next": _number(count + 1)}
        return Page(shown, template(profile, f"read.partial.{hint}", **holes, **more))
    if not whole:
        shown = cut(content, _most_characters(cap, ratio))
    sizes = {"shown": _number(units(str(shown))), "size": _number(size)}
    return Page(shown, template(profile, f"read.excerpt.{hint}", **holes, **sizes))


def _place(string: str, count: int) -> int:
    """Where the first so many lines end."""
    at = -1
    for _ in range(count):
        at = string.find("\n", at + 1)
        if at < 0:
            return len(string)
    return at


def _most_characters(cap: int, ratio: float) -> int:
    found = max(1, math.floor(cap * ratio * _SHARE))
    for _ in range(_TRIES):
        if found / ratio <= cap:
            break
        found = max(1, math.floor(found * _LESS))
    return found


def _hint(profile: Profile, counted: Counted) -> str:
    """Whether the model is told how to read it all the same: where the context has room for it."""
    limits = profile.limits
    left = limits["skill.window"] - limits["read.reserve"] - counted.used
    return "anyway" if counted.tokens <= math.floor(left * _ROOM) else "never"


def _number(value: int) -> Text:
    return computed(str(value), "number")
