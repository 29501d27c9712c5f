"""A skill or command put to use: its rendered text, repeats, shell expansion, mentions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from inspector.clients.claude_code import substitute
from inspector.clients.claude_code.javascript import SPACE
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import adopted, fact, phrase
from inspector.clients.claude_code.skills import Skill
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text

_FENCED = re.compile(rf"```![{SPACE}]*\n?(.*?)\n?```", re.DOTALL)
_INLINE = re.compile(rf"(?:(?<=^)|(?<=[{SPACE}]))!`([^`]+)`", re.MULTILINE)
_SPAN = re.compile(r"`[^`\n]+`")
_UNKNOWN = "shell output that could not be told from the body"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A skill's text as it goes into the conversation."""

    body: Text
    commands: tuple[str, ...] = ()
    """Shell expansions, as written."""
    parts: tuple[Text, ...] = ()
    """The text before, between and after them."""

    def printed(self, recorded: str) -> tuple[str, ...]:
        """What the expansions printed, of the whole text as the client recorded it."""
        pattern = "(.*?)".join(re.escape(str(part)) for part in self.parts)
        match = re.fullmatch(pattern, recorded, re.DOTALL)
        return match.groups() if match else ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the variables of a body stand for."""

    session: Text
    effort: Text
    cwd: str
    printed: tuple[str, ...] = ()
    """What the shell expansions of the body printed, in order."""
    extra: dict[str, Text] = field(default_factory=dict[str, Text])


def rendered(profile: Profile, skill: Skill, args: Text | None, around: Surroundings) -> Rendered:
    """The text of a skill with its arguments, variables and shell expansions put in."""
    body = skill.body
    if skill.folder is not None:
        origin = Origin(Kind.FACT, "path")
        body = phrase(profile, "skill.base", folder=text(skill.folder, origin)) + body
    named = substitute.names(skill.values.get("arguments"))
    values = {
        "CLAUDE_SESSION_ID": around.session,
        "CLAUDE_EFFORT": around.effort,
        "CLAUDE_PROJECT_DIR": fact("cwd", around.cwd),
    }
    if skill.folder is not None:
        values["CLAUDE_SKILL_DIR"] = fact("path", skill.folder)
    values = {name: values[name] for name in values if name in profile.lists["skill.variables"]}
    appendix = phrase(profile, "skill.arguments")
    filling = profile.switches["skill.arguments"]
    fill = substitute.emptied if filling == "emptied" else substitute.filled
    body = fill(body, args or Text(), named, values, appendix)
    commands = tuple(match[0] for match in _expansions(str(body)))
    parts = _parted(body)
    return Rendered(_expanded(parts, around.printed), commands, tuple(parts))


def blocks(
    profile: Profile, name: str, now: Text, before: str | None, args: Text | None
) -> list[list[Block]]:
    """The user messages a skill call adds: the body, or a notice when it is there already."""
    if before is None or profile.switches["skills.again"] == "whole":
        return [[text_block(now)]]
    if before == str(now):
        again = phrase(profile, "skill.again", name=_name(name))
        return [
            [
                text_block(
                    again + phrase(profile, "skill.again.arguments", args=args) if args else again
                )
            ]
        ]
    notice = phrase(profile, "skill.changed", name=_name(name))
    return [[text_block(notice)], [text_block(now)]]


def mentioned(body: str, cwd: str, home: str) -> list[str]:
    """Paths that `@mentions` in a text name, in order, each once."""
    from inspector.clients.claude_code.mentions import mentions

    return [mention.path for mention in mentions(body, cwd, home)]


def _name(name: str) -> Text:
    return text(name, Origin(Kind.COMPUTED, "skill"))


def _expansions(body: str) -> list[re.Match[str]]:
    found = list(_FENCED.finditer(body))
    if "!`" in body:
        found += _INLINE.finditer(_SPAN.sub(_blanked, body))
    return sorted(found, key=lambda match: match.start())


def _blanked(match: re.Match[str]) -> str:
    """A code span holds no expansion."""
    before = match.string[match.start() - 1 : match.start()]
    return match[0] if before in {"!", "`"} and before else f"`{' ' * (len(match[0]) - 2)}`"


def _parted(body: Text) -> list[Text]:
    """The text before, between and after the shell expansions."""
    parts: list[Text] = []
    done = 0
    for match in _expansions(str(body)):
        parts.append(body[done : match.start()])
        done = match.end()
    return [*parts, body[done:]]


def _expanded(parts: Sequence[Text], printed: Sequence[str]) -> Text:
    """The text with what the expansions printed in their places."""
    out = parts[0]
    for number, part in enumerate(parts[1:]):
        known = number < len(printed)
        shown = (
            text(printed[number], Origin(Kind.OUTCOME, f"!{number}"))
            if known
            else adopted(_UNKNOWN)
        )
        out = out + shown + part
    return out
