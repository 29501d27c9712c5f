"""The Skill tool: which skill a call means, what it answers, what it puts into the conversation."""

from collections.abc import Sequence

from inspector.clients.claude_code import attach, bundled, dynamic, echo, effort, invoke, skillgate
from inspector.clients.claude_code.invoke import Surroundings
from inspector.clients.claude_code.message import Block, text_block
from inspector.clients.claude_code.phrase import adopted, phrase, template
from inspector.clients.claude_code.resultblock import Result, error, plain
from inspector.clients.claude_code.skills import Skill
from inspector.clients.claude_code.state import State
from inspector.jsontext import dumps
from inspector.profiles import Profile
from inspector.text import EMPTY, Kind, Origin, Text, text
from inspector.turns import Called, Expanded, Outcome, Returned, Unread
from inspector.workspace import World


def result(state: State, call: Called, outcome: Returned | None, world: World) -> Result:
    """The result of a Skill call."""
    profile, name = state.profile, _name(call)
    skill = skillgate.named(state, name)
    if skill is None and bundled.there(state, name):
        return _shipped(state, call, name, world)
    if skill is None:
        return _refused(profile, call, skillgate.missing(state, name))
    refused = skillgate.refusal(state, skill, name, world)
    if refused is not None:
        return _refused(profile, call, refused)
    if skill.values.get("context") == "fork":
        reason = f"what the sub-agent of the forked skill {skill.name} said"
        return Result(plain(call.id, adopted(reason)))
    return _put_in(state, skill, call, outcome, world)


def _put_in(
    state: State, skill: Skill, call: Called, outcome: Returned | None, world: World
) -> Result:
    """A skill's body with the files it mentions."""
    profile, name = state.profile, _name(call)
    known = outcome.outcome if outcome is not None else None
    expanded = known if isinstance(known, Expanded) else Expanded()
    made = _rendered(state, skill, call, world, expanded.printed)
    if outcome is not None and outcome.error:
        return Result(error(profile, call.id, _failure(profile, known, made.commands)))
    before = state.rendered.get(skill.name)
    body = str(made.body) if before != str(made.body) else ""
    files = attach.brought(state, world, body)
    names = {agent.name for agent in state.process.agents}
    spoken = made.body if body else EMPTY
    told = attach.told(profile, world, spoken, names, files.large)
    attached, said = attach.beside(profile, told, files)
    groups = invoke.blocks(profile, name, made.body, before, echo.argument_text(call, "args"))
    scoped = dynamic.variants(profile, skill, state.skills)
    groups += [[text_block(scoped)]] if scoped else []
    return Result(
        _launched(profile, call, name),
        attached=attached,
        after=tuple(tuple(group) for group in groups),
        effort=effort.asked(profile, skill.values.get("effort")),
        model=skill.values.get("model"),
        rendered={skill.name: str(made.body)},
        said=said,
        known=files.known,
    )


def bodies(
    state: State, calls: Sequence[Called], outcomes: Sequence[Returned], world: World
) -> list[str]:
    """The texts that calls of the user's skills put into the conversation."""
    by_call = {outcome.call: outcome for outcome in outcomes}
    there = state.process.pool.has("Skill")
    skills = [call for call in calls if call.name == "Skill" and there]
    own = [call for call in skills if skillgate.named(state, _name(call)) is not None]
    made = [result(state, call, by_call.get(call.id), world) for call in own]
    found = [pair for one in made for pair in one.rendered.items()]
    return [body for name, body in found if state.rendered.get(name) != body]


def read(state: State, call: Called, given: Returned, world: World) -> Outcome:
    """What a recorded result tells of the world: only what shell expansions printed."""
    skill = skillgate.named(state, _name(call))
    if skill is None or given.text is None:
        return Expanded()
    if given.error and skillgate.refusal(state, skill, _name(call), world) is not None:
        return Expanded()  # the refusal is the client's own
    made = _rendered(state, skill, call, world, ())
    if not given.error:
        again = str(phrase(state.profile, "skill.again", name=_text(_name(call))))
        before = state.rendered.get(skill.name, "")
        return Expanded(
            printed=made.printed(before if given.text.startswith(again) else given.text)
        )
    for number, command in enumerate(made.commands):
        said = str(_failed(state.profile, command))
        if given.text.startswith(said):
            return Expanded(failed=number, printed=(given.text[len(said) :],))
        if given.text == said.rstrip(" "):
            return Expanded(failed=number)
    return Unread(raw=dumps(given.text))


def _refused(profile: Profile, call: Called, why: skillgate.Refusal) -> Result:
    said = phrase(profile, why.literal, **why.holes)
    if why.silent:
        tool = text(call.name, Origin(Kind.REPLY, call.id))
        said = template(profile, "skill.silent", tool=tool, reason=said)
    return Result(error(profile, call.id, said))


def _name(call: Called) -> str:
    return (echo.argument(call, "skill") or "").strip().removeprefix("/")


def _rendered(
    state: State, skill: Skill, call: Called, world: World, printed: tuple[str, ...]
) -> invoke.Rendered:
    wanted = effort.shown(state, skill.values.get("effort"))
    around = Surroundings(state.process.session, wanted, world.environment.cwd, printed)
    return invoke.rendered(state.profile, skill, echo.argument_text(call, "args"), around)


def _text(name: str) -> Text:
    return text(name, Origin(Kind.COMPUTED, "skill"))


def _launched(profile: Profile, call: Called, name: str) -> Block:
    shown = text(name, Origin(Kind.COMPUTED, "skill"))
    return plain(call.id, phrase(profile, "skill.launching", name=shown))


def _failed(profile: Profile, command: str) -> Text:
    shown = text(command, Origin(Kind.COMPUTED, "expansion"))
    return phrase(profile, "skill.shell_failed", pattern=shown)


def _failure(profile: Profile, told: Outcome | None, commands: Sequence[str]) -> Text:
    """The sentence for a failed expansion; what the shell printed is the world's."""
    number = told.failed if isinstance(told, Expanded) else None
    if not isinstance(told, Expanded) or number is None or number >= len(commands):
        return adopted("the error of a skill in words that are not modelled")
    said = _failed(profile, commands[number])
    if not told.printed:
        return said.rstrip(" ")
    return said + text(told.printed[0], Origin(Kind.OUTCOME, f"!{number}"))


def _shipped(state: State, call: Called, name: str, world: World) -> Result:
    """A skill of the client's own."""
    profile, args = state.profile, echo.argument_text(call, "args")
    refused = skillgate.of_bundled(state, name, world)
    if refused is not None:
        return _refused(profile, call, refused)
    now = bundled.body(profile, world.environment, name, args)
    if now is None:
        adopt = text_block(adopted(f"body of the bundled skill {name}"))
        return Result(_launched(profile, call, name), after=((adopt,),))
    groups = invoke.blocks(profile, name, now, state.rendered.get(name), args)
    return Result(
        _launched(profile, call, name),
        after=tuple(tuple(group) for group in groups),
        rendered={name: str(now)},
    )
