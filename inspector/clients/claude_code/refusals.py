"""What the client says of a shell command it would have to ask somebody for.

Its reading of the command is not modelled: which sentence it chose, and which of the command's
parts the sentence names, is a fact of the result; its words are made here. Witness:
`shell_refused`.
"""

import re
import shlex
from collections.abc import Iterator, Sequence

from inspector.clients.claude_code import echo, safeguards
from inspector.clients.claude_code.phrase import computed, fact
from inspector.clients.claude_code.settings import absolute
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, join, text
from inspector.turns import Called, Told
from inspector.workspace import Environment, World

_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.", re.DOTALL)
_BETWEEN = re.compile(r"&&|\|\||\|&|[;|&\n]")
_INTO = re.compile(r"\s*(?:&|\d)?>{1,2}\|?\s*(?P<into>&?[^\s<>|;&]+)")
_FROM = re.compile(r"\s*\d?<\s*(?P<from>[^\s<>|;&(]+)")
_SET = re.compile(r"(?:[A-Za-z_]\w*=\S*\s+)+")
_SHOWN = 5


def about(
    profile: Profile, name: str, call: Called, environment: Environment, string: str
) -> Iterator[tuple[int, ...]]:
    """Which of the command's parts a sentence may speak of."""
    template = profile.literals.get(name, "")
    command = echo.argument(call, "command") or ""
    if "{parts}" in template:
        named = string.partition(": ")[2]
        found = [n for n, part in enumerate(parts(command)) if part in named]
        yield tuple(found)
    elif "{subject}" in template:
        yield from ((n,) for n in range(len(profile.lists["shell.unchecked"])))
    elif "{act}" in template or "{verb}" in template:
        yield from ((n,) for n in range(len(acts(command, environment.cwd))))
    elif "{command}" in template:
        yield from ((n,) for n in range(len(parts(command))))


def holes(
    profile: Profile, sentence: Told, call: Called, world: World, start: World
) -> dict[str, Text]:
    """What stands in a sentence's holes."""
    command, reply = echo.argument(call, "command") or "", Origin(Kind.REPLY, call.id)
    out: dict[str, Text] = {}
    template, which = profile.literals.get(sentence.name, ""), sentence.about
    if "{folders}" in template:
        # Those that the client started with, wherever the shell stands (`ordinary_slips`).
        out["folders"] = _folders(start)
    pieces = parts(command)
    if "{parts}" in template:
        chosen = [text(pieces[n], reply) for n in which if n < len(pieces)]
        out["parts"] = join(computed(", ", "parts"), chosen) if chosen else EMPTY
        several = len(chosen) != 1
        out["part"] = computed("parts" if several else "part", "parts")
        out["require"] = computed("require" if several else "requires", "parts")
    elif "{subject}" in template and which:
        subject = profile.lists["shell.unchecked"][which[0]]
        out["subject"] = text(subject, Origin(Kind.LITERAL, "shell.unchecked"))
    elif ("{act}" in template or "{verb}" in template) and which:
        act, path = acts(command, world.environment.cwd)[which[0]]
        word = act.removesuffix(" in")
        mine = text(word, reply) + computed(act.removeprefix(word), "act")
        out["act"] = mine if act != word else computed(act, "act")
        out["path"] = computed(path, "path")
        verbs: dict[str, str] = profile.values["shell.verbs"]
        verb = verbs.get(word, "")
        out["verb"] = text(verb, Origin(Kind.LITERAL, "shell.verbs"))
    elif which:
        out["command"] = text(pieces[which[0]], reply)
    return out


def parts(command: str) -> tuple[str, ...]:
    """The commands between a line's operators, without their redirections."""
    hidden = _QUOTED.sub(lambda match: "\0" * len(match[0]), command)
    out: list[str] = []
    start = 0
    for match in [*_BETWEEN.finditer(hidden), None]:
        if match is not None and _is_redirection(hidden, match.start()):
            continue
        end = len(command) if match is None else match.start()
        out.append(_plain(command[start:end], hidden[start:end]))
        start = end if match is None else match.end()
    return tuple(part for part in out if part)


def _is_redirection(hidden: str, at: int) -> bool:
    """Whether an `&` belongs to a redirection (`2>&1`, `&>`)."""
    return hidden[at] == "&" and (hidden[at - 1 : at] in "<>" or hidden[at + 1 : at + 2] == ">")


def _plain(part: str, hidden: str) -> str:
    spans = [match.span() for match in _INTO.finditer(hidden)]
    for start, end in reversed(spans):
        part = part[:start] + part[end:]
    return part.strip()


def acts(command: str, cwd: str) -> tuple[tuple[str, str], ...]:
    """What each part does with each file it names: the client's words and the absolute path."""
    into = [("Output redirection to", _bare(match["into"])) for match in _INTO.finditer(command)]
    from_ = [("Input redirection from", _bare(match["from"])) for match in _FROM.finditer(command)]
    out = [(act, absolute(path, cwd)) for act, path in (*into, *from_)]
    for part in parts(command):
        words = _words(_SET.sub("", part, count=1) if _SET.match(part) else part)
        out += [(f"{words[0]} in", absolute(word, cwd)) for word in words[1:] if word[:1] != "-"]
        out += [(f"{words[0]} in", cwd)] if words else []
    return tuple(out)


def _bare(word: str) -> str:
    return word.strip("'\"")


def _words(part: str) -> Sequence[str]:
    try:
        return shlex.split(part)
    except ValueError:
        return []


def _folders(world: World) -> Text:
    """The working directories, the first five of them by name."""
    every = [world.environment.cwd, *safeguards.added(world)]
    quoted = [
        computed("'", "quote") + fact("cwd", path) + computed("'", "quote")
        for path in every[:_SHOWN]
    ]
    whole = join(computed(", ", "folders"), quoted)
    left = len(every) - _SHOWN
    return whole + computed(f", and {left} more", "folders") if left > 0 else whole
