"""The Skill tool: which skill a call means, what it answers, what it puts into the conversation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.clients.claude_code import attach, dynamic, echo, invoke
from inspector.clients.claude_code.invoke import Surroundings
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import phrase
from inspector.clients.claude_code.results import Result, error, plain
from inspector.clients.claude_code.skills import Skill, truthy
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.turns import Called, Returned
from inspector.workspace import World


@dataclass(frozen=True, slots=True)
class Shelf:
    """The skills at hand, and what is in the conversation already."""

    skills: Sequence[Skill]
    rendered: Mapping[str, str]
    session: Text
    effort: Text


def result(
    profile: Profile, call: Called, outcome: Returned | None, world: World, shelf: Shelf
) -> Result:
    """The result of a Skill call."""
    asked = (echo.argument(call, "skill") or "").strip()
    name = asked.removeprefix("/")
    skill = next((skill for skill in shelf.skills if skill.name == name), None)
    said = text(name, Origin(Kind.REPLY, call.id))
    if skill is None:
        if name in profile.lists["skills.shipped"]:
            return _shipped(profile, call, outcome)
        return Result(error(profile, call.id, phrase(profile, "skill.unknown", name=said)))
    if truthy(skill.values.get("disable-model-invocation")):
        return Result(error(profile, call.id, phrase(profile, "skill.forbidden", name=said)))
    outputs = outcome.text if outcome is not None and not outcome.error else None
    around = Surroundings(shelf.session, shelf.effort, world.environment.cwd, outputs)
    args = echo.argument_text(call, "args")
    made = invoke.rendered(profile, skill, args, around)
    if made.commands and outcome is not None and outcome.error:
        return Result(error(profile, call.id, _failure(profile, outcome, made.commands)))
    before = shelf.rendered.get(skill.name)
    files = attach.files(profile, world, str(made.body)) if before != str(made.body) else []
    groups = invoke.blocks(profile, skill.name, made.body, before)
    scoped = dynamic.variants(profile, skill, shelf.skills)
    groups += [[text_block(scoped)]] if scoped else []
    return Result(
        _launched(profile, call, skill.name),
        attached=tuple(tuple(group) for group in files),
        after=tuple(tuple(group) for group in groups),
        effort=_effort(skill),
        rendered={skill.name: str(made.body)},
    )


def _launched(profile: Profile, call: Called, name: str) -> Block:
    shown = text(name, Origin(Kind.COMPUTED, "skill"))
    return plain(call.id, phrase(profile, "skill.launching", name=shown))


def _effort(skill: Skill) -> str | None:
    value = skill.values.get("effort")
    return value if isinstance(value, str) else None


def _failure(profile: Profile, outcome: Returned, commands: Sequence[str]) -> Text:
    """The sentence for a failed expansion; what the shell printed is the world's."""
    recorded = outcome.text or ""
    for command in commands:
        shown = text(command, Origin(Kind.COMPUTED, "expansion"))
        said = phrase(profile, "skill.shell_failed", pattern=shown)
        if recorded.startswith(str(said)):
            rest = recorded[len(said) :]
            return said + text(rest, Origin(Kind.OUTCOME, outcome.call))
        if recorded == str(said).rstrip(" "):
            return said.rstrip(" ")
    return text(recorded, Origin(Kind.ADOPTED, "error of a skill"))


def _shipped(profile: Profile, call: Called, outcome: Returned | None) -> Result:
    """A skill of the client's own: its words are not known to this model."""
    name = (echo.argument(call, "skill") or "").strip().removeprefix("/")
    block = _launched(profile, call, name)
    words = outcome.text if outcome is not None else None
    origin = Origin(Kind.ADOPTED, f"body of the bundled skill {name}")
    after = ((text_block(text(words, origin)),),) if words else ()
    return Result(block, after=after)
