"""Arguments and variables in the body of a skill or command."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from re import Match

from inspector.clients.claude_code.plain import items
from inspector.text import Kind, Origin, Text, text

_DOLLAR = "\uffff"
_FENCE = "\ufffe"
_VARIABLE = re.compile(
    r"\$\{(CLAUDE_SKILL_DIR|CLAUDE_SESSION_ID|CLAUDE_EFFORT|CLAUDE_PROJECT_DIR)\}"
)
_MOST_NAMES = 64


def names(value: object) -> tuple[str, ...]:
    """Named arguments of a skill: a list, or words in a string; numbers are no names."""
    given: Sequence[object] = value.split() if isinstance(value, str) else items(value)
    return tuple(
        name for name in given if isinstance(name, str) and name.strip() and not name.isdigit()
    )


def arguments(body: Text, given: Text | None, named: Sequence[str], appendix: Text) -> Text:
    r"""Put the arguments in; what nothing in the body took is appended after `appendix`.

    A dollar sign that comes from an argument is not looked at again: it travels as U+FFFF.
    """
    given = given or Text()
    filled = _Filled(given)
    ordered = sorted(
        ((name, index) for index, name in enumerate(named[:_MOST_NAMES])),
        key=lambda pair: -len(pair[0]),
    )
    escapable = "|".join(
        [r"\d", "ARGUMENTS", *(rf"{re.escape(name)}(?![\[\w])" for name, _ in ordered)]
    )
    body = body.sub(re.compile(rf"(?<!\\)\\\$(?={escapable})", re.ASCII), lambda _: _DOLLAR)
    for name, index in ordered:
        pattern = re.compile(rf"\${re.escape(name)}(?![\[\w])", re.ASCII)
        body = body.sub(pattern, filled.named(index))
    body = body.sub(re.compile(r"\$ARGUMENTS\[(\d+)\]", re.ASCII), filled.indexed(_DOLLAR))
    body = body.sub(re.compile(r"\$(\d+)(?!\w)", re.ASCII), filled.indexed(None))
    body = body.sub(re.compile(r"\$ARGUMENTS"), filled.whole)
    if not filled.used and given:
        body = body + appendix + filled.fence(given)
    return body.replace(_DOLLAR, "$").replace(_FENCE, "")


def variables(body: Text, values: Mapping[str, Text]) -> Text:
    """Put the client's own variables in; unknown ones stay."""
    return body.sub(_VARIABLE, lambda match: values[match[1]])


class _Filled:
    def __init__(self, given: Text) -> None:
        self.given = given
        self.used = False
        self.words = _words(given)

    def fence(self, value: Text) -> Text:
        edge = text(_FENCE, Origin(Kind.COMPUTED, "fence"))
        return edge + value.replace("$", _DOLLAR) + edge

    def named(self, index: int) -> "Callable[[Match[str]], Text | str]":
        def make(_: Match[str]) -> Text:
            self.used = True
            return self.fence(self.words[index] if index < len(self.words) else Text())

        return make

    def indexed(self, missing: str | None) -> "Callable[[Match[str]], Text | str]":
        def make(match: Match[str]) -> Text | str:
            index = int(match[1])
            if index >= len(self.words):
                return match[0] if missing is None else missing + match[0][1:]
            self.used = True
            return self.fence(self.words[index])

        return make

    def whole(self, _: Match[str]) -> Text:
        self.used = True
        return self.fence(self.given)


def _words(given: Text) -> list[Text]:
    """The arguments as a shell would part them."""
    string = str(given)
    if not string.strip():
        return []
    try:
        parts = shlex.split(string)
    except ValueError:
        parts = string.split()
    origin = given.pieces[0].origin
    out: list[Text] = []
    start = 0
    for part in parts:
        at = string.find(part, start)
        out.append(given[at : at + len(part)] if at >= 0 else text(part, origin))
        start = max(at, 0) + len(part)
    return out
