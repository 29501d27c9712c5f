"""A typed slash command."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inspector.clients.claude_code import invoke
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import phrase
from inspector.clients.claude_code.state import State
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import World


@dataclass(frozen=True, slots=True)
class Typed:
    """The messages of a typed command; none where the prompt is plain text."""

    groups: Sequence[list[Block]] = ()
    rendered: Mapping[str, str] = field(default_factory=dict[str, str])
    body: str = ""


_NAME = re.compile(r"[A-Za-z0-9_:-]+")


def looks_like_a_path(prompt: str) -> bool:
    """Whether a prompt begins with what can be no command's name."""
    name = prompt[1:].split(maxsplit=1)[:1]
    return prompt.startswith("/") and bool(name) and _NAME.fullmatch(name[0]) is None


def typed(state: State, prompt: str, world: World, recorded: str | None) -> Typed:
    """Read a prompt as a command of a skill."""
    if not prompt.startswith("/"):
        return Typed()
    name, _, rest = prompt[1:].partition(" ")
    skill = next((skill for skill in state.process.skills if skill.name == name), None)
    if skill is None:
        return Typed()
    said = text(prompt, Origin(Kind.PROMPT, "prompt"))
    args = said[len(prompt) - len(rest) :].strip()
    session, effort = state.process.session, text(state.wanted, Origin(Kind.FACT, "effort"))
    around = invoke.Surroundings(session, effort, world.environment.cwd, recorded)
    body = invoke.rendered(state.profile, skill, args, around).body
    head = _head(state, said[1 : 1 + len(name)], args)
    return Typed([[text_block(head)], [text_block(body)]], {skill.name: str(body)}, str(body))


def _head(state: State, name: Text, args: Text) -> Text:
    given = phrase(state.profile, "command.args", args=args) if args else EMPTY
    return phrase(state.profile, "command", name=name, args=given)
