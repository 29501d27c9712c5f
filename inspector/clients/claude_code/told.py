"""What the model is told of after a round of results."""

from collections.abc import Sequence
from dataclasses import replace

from inspector.clients.claude_code import briefing, hooks, reach, surroundings, tracking
from inspector.clients.claude_code.message import (
    Block,
    Message,
    followed,
    glued,
    joined,
    text_block,
)
from inspector.clients.claude_code.phrase import paragraphs, phrase, reminder
from inspector.clients.claude_code.state import State
from inspector.text import Text
from inspector.turns import Called
from inspector.workspace import World


def said(state: State, call: Called, *events: str) -> list[Sequence[Block]]:
    """Old models: what a hook said about a call, beside its result."""
    about = [hooked for hooked in state.hooked if hooked.call == call.id]
    said = hooks.paragraphs(state.profile, state.process.settings, about, *events)
    return [[text_block(reminder(state.profile, part))] for part in said]


def styled(state: State) -> list[Sequence[Block]]:
    """Old models: what is said of the output style, when a skill is put in."""
    return [[text_block(reminder(state.profile, part))] for part in surroundings.style(state)]


def after(
    state: State, touched: Sequence[str], world: World, noticed: Sequence[Text], *, skills: int
) -> State:
    """The system-role message that follows a round of results.

    What comes with every round is told once more for each of the `skills` it put in.
    """
    profile = state.profile
    about = (*hooks.ABOUT_A_CALL, hooks.AFTER_A_ROUND)
    told = hooks.paragraphs(profile, state.process.settings, state.hooked, *about)
    told += noticed
    owed = state.owed
    told += surroundings.around(state, world) if owed else []
    state, powered = _powered(state)
    told += powered
    state, reached = _skills(state, touched, world)
    told += reached
    told += surroundings.manners(state, world) if owed else []
    limits = profile.limits
    every = limits["nudge"]
    due = state.silent and state.silent % every == 0
    # No more than three in a row [2.1.332, results_edit].
    if profile.switches["nudge"] == "yes" and due and state.silent <= every * limits["nudge.most"]:
        told.append(phrase(profile, "nudge"))
    if profile.switches["tokens"] == "yes":
        told.append(briefing.tokens(profile, state.used - state.counted))
    told += surroundings.style(state) * (1 + skills)
    if not told:
        return state
    message = Message("system", (text_block(paragraphs(told)),))
    return replace(state, messages=(*state.messages, message))


def _powered(state: State) -> tuple[State, list[Text]]:
    """What is said of the model where a skill has changed it."""
    profile = state.profile
    model = str(briefing.model_id(profile, state.process.given))
    if not state.model or model == state.model or profile.switches["pool"] == "simple":
        return state, []
    if not profile.told("model"):
        return replace(state, model=model), []
    return replace(state, model=model), [briefing.powered(profile, state.process.given)]


def _skills(state: State, touched: Sequence[str], world: World) -> tuple[State, list[Text]]:
    """Skills that came into reach, and what is said of them and of those that are owed."""
    owed, state = state.owed, replace(state, owed=False)
    if not state.process.pool.has("Skill"):
        return state, []
    state, said = reach.touched(state, touched, world)
    if owed:
        said += surroundings.listed(state, world)
        names = {skill.name for skill in reach.unknown(state)}
        return replace(state, told=state.told | names), said
    state, news = reach.news(state)
    return state, [*said, *news]


def reminded(
    state: State,
    groups: Sequence[Sequence[Block]],
    kept: Sequence[Sequence[Block]],
    memories: Sequence[Text],
    touched: Sequence[str],
    world: World,
) -> State:
    """Old models: what is told stands in reminders behind the results, or in the last of them.

    `kept` are the groups that a resumed conversation has as well.
    """
    profile, owed = state.profile, state.owed
    early = surroundings.around(state, world) if owed else []
    state, powered = _powered(state)
    state, skills = _skills(state, touched, world)
    late = [*skills, *(surroundings.manners(state, world) if owed else [])]
    state, due = tracking.due(state)
    late += due
    if profile.switches["tokens"] == "yes":
        late.append(briefing.tokens(profile, state.used - state.counted))
    late += surroundings.style(state)
    parts = [reminder(profile, part) for part in (*early, *powered)]
    parts += [*memories, *(reminder(profile, part) for part in late)]
    start = profile.literals["reminder"].partition("{")[0]
    if profile.switches["reminders"] == "messages":
        message = Message("user", followed(groups, parts), bare=joined(kept))
    else:
        blocks = glued([*groups, *([text_block(part)] for part in parts)], start)
        message = Message("user", blocks, bare=glued(kept, start))
    return replace(state, messages=(*state.messages, message))
