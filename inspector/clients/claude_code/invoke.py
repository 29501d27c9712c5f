"""A skill or command put to use: its rendered text, repeats, shell expansion, mentions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from inspector.clients.claude_code import substitute
from inspector.clients.claude_code.javascript import SPACE
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import fact, phrase
from inspector.clients.claude_code.skills import Skill
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text

_FENCED = re.compile(rf"```![{SPACE}]*\n?(.*?)\n?```", re.DOTALL)
_INLINE = re.compile(rf"(?:(?<=^)|(?<=[{SPACE}]))!`([^`]+)`", re.MULTILINE)
_NO_ORIGIN = Origin(Kind.ADOPTED, "shell output that could not be told from the body")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A skill's text as it goes into the conversation."""

    body: Text
    commands: tuple[str, ...] = ()
    """Shell expansions, as written."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the variables of a body stand for."""

    session: Text
    effort: Text
    cwd: str
    outputs: str | None = None
    """The whole text as the client recorded it; only what shell expansions printed is taken."""
    extra: dict[str, Text] = field(default_factory=dict[str, Text])


def rendered(profile: Profile, skill: Skill, args: Text | None, around: Surroundings) -> Rendered:
    """The text of a skill with its arguments, variables and shell expansions put in."""
    body = skill.body
    if skill.folder is not None:
        origin = Origin(Kind.FACT, "path")
        body = phrase(profile, "skill.base", folder=text(skill.folder, origin)) + body
    named = substitute.names(skill.values.get("arguments"))
    body = substitute.arguments(body, args, named, phrase(profile, "skill.arguments"))
    values = {
        "CLAUDE_SKILL_DIR": fact("path", skill.folder or ""),
        "CLAUDE_SESSION_ID": around.session,
        "CLAUDE_EFFORT": around.effort,
        "CLAUDE_PROJECT_DIR": fact("cwd", around.cwd),
    }
    body = substitute.variables(body, values)
    commands = tuple(match[0] for match in _expansions(str(body)))
    if commands and around.outputs is not None:
        body = _expanded(body, around.outputs)
    return Rendered(body, commands)


def blocks(
    profile: Profile, name: str, now: Text, before: str | None, command: bool = False
) -> list[list[Block]]:
    """The user messages a skill call adds: the body, or a notice when it is there already."""
    if before is None:
        return [[text_block(now)]]
    if before == str(now) and not command:
        return [[text_block(phrase(profile, "skill.again", name=_name(name)))]]
    notice = phrase(profile, "skill.changed", name=_name(name))
    return [[text_block(notice)], [text_block(now)]]


def mentioned(body: str, cwd: str) -> list[str]:
    """Paths that `@mentions` in a text name, in order, each once."""
    from inspector.clients.claude_code.mentions import mentions

    return [mention.path for mention in mentions(body, cwd)]


def _name(name: str) -> Text:
    return text(name, Origin(Kind.COMPUTED, "skill"))


def _expansions(body: str) -> list[re.Match[str]]:
    found = list(_FENCED.finditer(body))
    if "!`" in body:
        found += _INLINE.finditer(body)
    return sorted(found, key=lambda match: match.start())


def _expanded(body: Text, recorded: str) -> Text:
    """Fill the expansions from the recorded text, everything else staying our own."""
    parts: list[Text] = []
    done = 0
    for match in _expansions(str(body)):
        parts.append(body[done : match.start()])
        done = match.end()
    parts.append(body[done:])
    outputs = _between(parts, recorded)
    out = parts[0]
    for number, part in enumerate(parts[1:]):
        printed = outputs[number] if outputs else None
        origin = Origin(Kind.OUTCOME, f"!{number}") if printed is not None else _NO_ORIGIN
        out = out + (text(printed or "", origin) if outputs else EMPTY) + part
    return out


def _between(parts: Sequence[Text], recorded: str) -> list[str] | None:
    pattern = "(.*?)".join(re.escape(str(part)) for part in parts)
    match = re.fullmatch(pattern, recorded, re.DOTALL)
    return list(match.groups()) if match else None
