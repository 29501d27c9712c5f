"""Arguments and variables in the body of a skill or command."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from re import Match

from inspector.clients.claude_code.javascript import SPACE
from inspector.clients.claude_code.plain import items
from inspector.clients.claude_code.shellwords import words
from inspector.text import Kind, Origin, Text, text

_DOLLAR = "\uffff"
_FENCE = "\ufffe"
_VARIABLE = re.compile(
    r"\$\{(CLAUDE_SKILL_DIR|CLAUDE_SESSION_ID|CLAUDE_EFFORT|CLAUDE_PROJECT_DIR)\}"
)
_MOST_NAMES = 64
_LONGEST = 64
_TICK_BANG, _BANG_TICK = re.compile("`!"), re.compile("!`")
_BANG = re.compile(rf"(^|[{SPACE}])!", re.MULTILINE)


def names(value: object) -> tuple[str, ...]:
    """Named arguments of a skill: a list, or words in a string; numbers are no names."""
    given: Sequence[object] = value.split() if isinstance(value, str) else items(value)
    return tuple(
        name for name in given if isinstance(name, str) and name.strip() and not name.isdigit()
    )


def filled(
    body: Text, given: Text, named: Sequence[str], values: Mapping[str, Text], appendix: Text
) -> Text:
    r"""Put variables and arguments in; arguments that nothing took are appended after `appendix`.

    A dollar sign that comes from a value is not looked at again: it travels as U+FFFF. Variables in
    arguments are put in too, but an argument runs no shell command (`skill_arguments`).
    """
    body = variables(body, {name: _fenced(value) for name, value in values.items()})
    arguments = _Filled(given, values)
    ordered = sorted(
        ((name, index) for index, name in enumerate(named) if len(name) <= _LONGEST),
        key=lambda pair: -len(pair[0]),
    )[:_MOST_NAMES]
    escapable = "|".join(
        [r"\d", "ARGUMENTS", *(rf"{re.escape(name)}(?![\[\w])" for name, _ in ordered)]
    )
    body = body.sub(re.compile(rf"(?<!\\)\\\$(?={escapable})", re.ASCII), lambda _: _DOLLAR)
    for name, index in ordered:
        pattern = re.compile(rf"\${re.escape(name)}(?![\[\w])", re.ASCII)
        body = body.sub(pattern, arguments.named(index))
    body = body.sub(re.compile(r"\$ARGUMENTS\[(\d+)\]", re.ASCII), arguments.indexed(_DOLLAR))
    body = body.sub(re.compile(r"\$(\d+)(?!\w)", re.ASCII), arguments.indexed(None))
    body = body.sub(re.compile(r"\$ARGUMENTS"), arguments.whole)
    if not arguments.used and given:
        body = body + appendix + arguments.fence(given)
    return body.replace(_DOLLAR, "$").replace(_FENCE, "")


def emptied(
    body: Text, given: Text, named: Sequence[str], values: Mapping[str, Text], appendix: Text
) -> Text:
    """The same as versions did it that know no escapes: a place nothing was given for is empty."""
    found = words(given)

    def word(index: int) -> Text:
        return found[index] if index < len(found) else Text()

    before = str(body)
    for index, name in enumerate(named):
        pattern = re.compile(rf"\${re.escape(name)}(?![\[\w])", re.ASCII)
        body = body.sub(pattern, partial(_given, word(index)))
    for numbered in (r"\$ARGUMENTS\[(\d+)\]", r"\$(\d+)(?!\w)"):
        body = body.sub(re.compile(numbered, re.ASCII), lambda match: word(int(match[1])))
    body = body.sub(re.compile(r"\$ARGUMENTS"), partial(_given, given))
    if str(body) == before and given:
        body = body + appendix + given
    return variables(body, values)


def _given(value: Text, _: Match[str]) -> Text:
    return value


def variables(body: Text, values: Mapping[str, Text]) -> Text:
    """Put the client's own variables in; unknown ones stay."""
    return body.sub(_VARIABLE, lambda match: values.get(match[1], match[0]))


def harmless(value: Text) -> Text:
    """A text in which nothing is a shell expansion any more."""
    for pattern, between in ((_TICK_BANG, " "), (_BANG_TICK, " "), (_BANG, "\\")):
        value = _parted(value, pattern, between)
    return value


def _parted(value: Text, pattern: re.Pattern[str], between: str) -> Text:
    """Something put before the last character of every match."""
    return value.sub(
        pattern,
        lambda match: (
            value[match.start() : match.end() - 1]
            + text(between, Origin(Kind.COMPUTED, "expansion"))
            + value[match.end() - 1 : match.end()]
        ),
    )


def _fenced(value: Text) -> Text:
    edge = text(_FENCE, Origin(Kind.COMPUTED, "fence"))
    return edge + value.replace("$", _DOLLAR) + edge


class _Filled:
    def __init__(self, given: Text, values: Mapping[str, Text]) -> None:
        self.given = given
        self.values = values
        self.used = False
        self.words = words(given)

    def fence(self, value: Text) -> Text:
        return _fenced(harmless(variables(value, self.values)))

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
