"""A typed slash command."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from inspector.clients.claude_code import bundled, effort, invoke, listing, mcpprompts, options
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import adopted, phrase
from inspector.clients.claude_code.plain import is_list, items
from inspector.clients.claude_code.skills import Skill
from inspector.clients.claude_code.state import State
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.workspace import World


@dataclass(frozen=True, slots=True)
class Typed:
    """The messages of a typed command; none where the prompt is plain text."""

    groups: Sequence[list[Block]] = ()
    rendered: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Text = EMPTY
    served: bool = False
    """It is a prompt of a server's."""


PROMPT = "prompt"
"""The call id under which a typed command's recorded text is given."""

_SPACE = re.compile(r"\s")
_NAME = re.compile(r"[A-Za-z0-9_:-]+")


def typed_as(block: str) -> str:
    """The prompt that a command's block stands for."""
    name, args = (
        block.partition(f"<{tag}>")[2].rpartition(f"</{tag}>")[0]
        for tag in ("command-name", "command-args")
    )
    return name + (f" {args}" if args else "")


def looks_like_a_path(prompt: str) -> bool:
    """Whether a prompt begins with what can be no command's name."""
    name = _SPACE.split(prompt[1:], maxsplit=1)[0]
    return prompt.startswith("/") and _NAME.fullmatch(name) is None


def typed(state: State, prompt: str, world: World, printed: tuple[str, ...]) -> Typed:
    """Read a prompt as a command of a skill; `printed` is what its shell expansions printed."""
    skill = called(state, prompt)
    made = body(state, prompt, world, printed)
    args = _arguments(prompt)
    served = mcpprompts.named(world.listings, prompt) if skill is None else None
    if served is not None:
        return _served(state, served, args, printed)
    if skill is None or made is None:
        name = name_of(prompt)
        own = bundled.typable(state, name) if name else False
        known = bundled.body(state.profile, world.environment, name, _arguments(prompt))
        return _typed(state, name, args, known) if own and known is not None else Typed()
    return _typed(state, skill.name, _arguments(prompt), made.body)


def _typed(state: State, name: str, args: Text, now: Text) -> Typed:
    head = _head(state, text(name, Origin(Kind.PROMPT, "prompt")), args)
    return Typed([[text_block(head)], [text_block(now)]], {name: str(now)}, now)


def name_of(prompt: str) -> str:
    """What a prompt names as a command; empty for any other prompt."""
    return _SPACE.split(prompt[1:], maxsplit=1)[0] if prompt.startswith("/") else ""


def _served(state: State, name: str, args: Text, given: tuple[str, ...]) -> Typed:
    """A prompt of a server's: `given` are the texts it made of it."""
    origin = Origin(Kind.OUTCOME, name)
    unknown = adopted(f"the text of the prompt {name}")
    texts = [text(one, origin) for one in given] or [unknown]
    head = _head(state, text(name, Origin(Kind.PROMPT, "prompt")), args)
    return Typed([[text_block(head)], [text_block(one) for one in texts]], served=True)


def called(state: State, prompt: str) -> Skill | None:
    """The skill that a prompt names."""
    name = name_of(prompt)
    return listing.called(name, state.skills) if name else None


def allowed(skill: Skill | None) -> tuple[str, ...]:
    """The rules by which a skill allows tools (`heavy_plan_stream`)."""
    given = skill.values.get("allowed-tools") if skill is not None else None
    if is_list(given):
        return options.names([item for item in items(given) if isinstance(item, str)])
    return options.names([given]) if isinstance(given, str) else ()


def body(
    state: State, prompt: str, world: World, printed: tuple[str, ...] = ()
) -> invoke.Rendered | None:
    """The text of the skill that a prompt names."""
    skill = called(state, prompt)
    if skill is None:
        return None
    session, wanted = state.process.session, effort.shown(state, skill.values.get("effort"))
    around = invoke.Surroundings(session, wanted, world.environment.cwd, printed)
    return invoke.rendered(state.profile, skill, _arguments(prompt), around)


def _arguments(prompt: str) -> Text:
    rest = "".join(_SPACE.split(prompt, maxsplit=1)[1:])
    return text(prompt, Origin(Kind.PROMPT, "prompt"))[len(prompt) - len(rest) :].strip()


def _head(state: State, name: Text, args: Text) -> Text:
    given = phrase(state.profile, "command.args", args=args) if args else EMPTY
    return phrase(state.profile, "command", name=name, args=given)
