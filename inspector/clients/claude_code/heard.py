"""What the model was told in a conversation that nobody captured, by the client's own sentences.

Only the client's words count: system-role messages, reminders, and of them what follows on a
sentence of the client's. The same words in a prompt, in a file that was shown or in somebody's
instructions tell of nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from inspector.clients.claude_code.plain import items, mapping
from inspector.jsontext import JSON
from inspector.profiles import Profile

_KINDS = ("managed", "user", "project", "local", "auto")
_TOLD = (
    "date",
    "date.changed",
    "model",
    "skills",
    "tools.deferred",
    "agents",
    "agents.new",
    "mcp.instructions",
    "environment.removed",
    "environment",
    "tools.gone",
    "tools.gone.own",
    "mcp.gone",
    "agents.gone",
)
"""Sentences with which a text of the client's begins that tells of something."""
_AGENT = re.compile(r"^- ([^:\n]+): .*? \(Tools: [^\n]*\)$", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"^- (.+?)(?:: .*)?$", re.MULTILINE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MODEL = re.compile(r"exact model ID is ([A-Za-z0-9.:\[\]-]*[A-Za-z0-9\]])")


@dataclass(slots=True)
class Heard:
    """What stands in the client's words, and did not go."""

    models: list[str] = field(default_factory=list[str])
    dates: list[str] = field(default_factory=list[str])
    skills: set[str] = field(default_factory=set[str])
    tools: set[str] = field(default_factory=set[str])
    servers: set[str] = field(default_factory=set[str])
    agents: set[str] = field(default_factory=set[str])
    folders: list[str] = field(default_factory=list[str])
    memory: dict[str, str] = field(default_factory=dict[str, str])
    """By path: the instructions as they were told last."""
    nested: set[str] = field(default_factory=set[str])
    """Instructions that a file brought in."""


def heard(profile: Profile, messages: Iterable[Mapping[str, JSON]]) -> Heard:
    """Read the client's words of a conversation, the first one first."""
    out = Heard()
    for said, whole in _words(profile, messages):
        if said.startswith(_heads(profile, "memory", "memory.changed", "memory.gone.only")):
            out.memory |= _files(profile, said)
        elif said.startswith(_head(profile, "memory.nested")):
            out.nested.add(said.removeprefix(_head(profile, "memory.nested")).partition(":\n")[0])
        elif whole or said.startswith(_heads(profile, *_TOLD)):
            # A reminder that begins otherwise shows a file, or what somebody's hook printed.
            _told(profile, said, out)
    return out


def words(profile: Profile, messages: Iterable[Mapping[str, JSON]]) -> Iterator[str]:
    """The client's own texts, without the wrapper of a reminder."""
    return (said for said, _ in _words(profile, messages))


def _words(profile: Profile, messages: Iterable[Mapping[str, JSON]]) -> Iterator[tuple[str, bool]]:
    """Each text of the client's, and whether it is all that the model was told at once."""
    start, _, end = profile.literals["reminder"].partition("{text}")
    for message in messages:
        for said in _texts(message):
            if message.get("role") == "system":
                yield said, True
            elif message.get("role") == "user" and said.startswith(start):
                inside = said.removeprefix(start).rstrip("\n").removesuffix(end.rstrip("\n"))
                yield inside.rstrip("\n"), False
        for result in _results(message):
            yield from ((inside, False) for inside in _glued(result, start, end))


def _texts(message: Mapping[str, JSON]) -> Iterator[str]:
    content = message.get("content")
    for block in [content] if isinstance(content, str) else items(content):
        said = block if isinstance(block, str) else mapping(block).get("text")
        if isinstance(said, str):
            yield said


def _results(message: Mapping[str, JSON]) -> Iterator[str]:
    """Results that may have reminders at their end, as older models have them."""
    for block in items(message.get("content")):
        content = mapping(block).get("content")
        if mapping(block).get("type") == "tool_result" and isinstance(content, str):
            yield content


def _glued(result: str, start: str, end: str) -> Iterator[str]:
    """The reminders a result ends with."""
    out: list[str] = []
    while result.endswith(end.rstrip("\n")) and start in result:
        result, _, inside = result.rpartition(start)
        out.append(inside.rstrip("\n").removesuffix(end.rstrip("\n")))
        result = result.rstrip("\n")
    yield from reversed(out)


def _head(profile: Profile, name: str) -> str:
    """The beginning of a sentence of the client's, without the wrapper."""
    start = profile.literals["reminder"].partition("{text}")[0]
    return profile.literals[name].removeprefix(start).partition("{")[0]


def _heads(profile: Profile, *names: str) -> tuple[str, ...]:
    return tuple(_head(profile, name) for name in names)


def _files(profile: Profile, said: str) -> Iterator[tuple[str, str]]:
    """Instruction files under the client's headings, which say what kind of file it is."""
    if profile.regions["date"] == "context":
        said = said.rpartition("\n" + _head(profile, "date"))[0]
    kinds = [profile.literals[f"memory.{kind}"].partition("{text}")[0] for kind in _KINDS]
    one = "|".join(re.escape(kind).replace(r"\{path\}", "(/[^\n]+?)") for kind in kinds)
    found = list(re.finditer(f"^(?:{one})", said, re.MULTILINE))
    ends = [match.start() for match in found[1:]]
    for match, end in zip(found, [*ends, len(said)], strict=False):
        path = next(group for group in match.groups() if group)
        yield path, said[match.end() : end].rstrip("\n")


def _told(profile: Profile, said: str, out: Heard) -> None:
    """One text of paragraphs: each counts by the sentence it begins with."""
    paragraphs = said.split("\n\n")
    for at, paragraph in enumerate(paragraphs):
        rest = "\n\n".join(paragraphs[at:])
        if paragraph.startswith(_heads(profile, "date", "date.changed")):
            out.dates += _DATE.findall(paragraph)
        elif paragraph.startswith(_head(profile, "model").removesuffix("named ")):
            named = paragraph.removeprefix(_head(profile, "model").removesuffix("named "))
            out.models += _MODEL.findall(paragraph) or [named.strip(" .")]
        elif rest.startswith(_head(profile, "skills")):
            out.skills |= {*_ITEM.findall("\n\n".join(paragraphs[at + 1 : at + 2]))}
        else:
            _came_and_went(profile, paragraph, rest, out)


def _came_and_went(profile: Profile, paragraph: str, rest: str, out: Heard) -> None:
    lines = paragraph.split("\n")
    if paragraph.startswith(_head(profile, "tools.deferred")):
        out.tools |= {*paragraph.removeprefix(_head(profile, "tools.deferred")).split("\n")}
    elif rest.startswith(_heads(profile, "agents", "agents.new")):
        out.agents |= {*_AGENT.findall(rest.partition(_tail(profile))[0])}
    elif rest.startswith(_head(profile, "mcp.instructions")):
        out.servers |= {line[3:] for line in rest.split("\n") if line.startswith("## ")}
    elif paragraph.startswith(_head(profile, "environment.removed").partition("\n")[0]):
        out.folders = [path for path in out.folders if f"  - {path}" not in lines]
    elif paragraph.startswith(_head(profile, "environment").partition("\n")[0]):
        out.folders += [line[4:] for line in lines if line.startswith("  - /")]
    for name, group in (
        ("tools.gone", out.tools),
        ("tools.gone.own", out.tools),
        ("mcp.gone", out.servers),
        ("agents.gone", out.agents),
    ):
        if paragraph.startswith(_head(profile, name)):
            group.difference_update(line.removeprefix("- ") for line in lines)


def _tail(profile: Profile) -> str:
    return profile.literals["agents"].partition("{agents}")[2] or "\0"
