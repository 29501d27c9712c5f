"""A conversation that goes on with another model or effort."""

from dataclasses import replace

from inspector import profiles
from inspector.clients.claude_code import (
    axes,
    effort,
    forms,
)
from inspector.clients.claude_code.skills import Skill
from inspector.clients.claude_code.state import State
from inspector.workspace import World


def with_model(state: State, model: object, world: World) -> State:
    """The conversation from here on with the model that a skill asks for."""
    model = model.strip() if isinstance(model, str) else ""
    if not model or model.lower() == "inherit":
        return state
    found = profiles.find(state.profile.client, world.environment.version)
    profile = profiles.resolve(found, axes.axes(world, model))
    usual = effort.of_session(profile, world, state.process.settings, model)
    process = replace(state.process, profile=profile, given=model, effort=usual)
    another = profile.switches["context"] != process.offered.switches["context"]
    if another and not state.messages:
        # Only another generation words the tools anew, and only tools that were not sent yet
        # (`skill_typed_model_classic`, `generation_typed`).
        process = replace(process, offered=profile)
    return forms.turned(replace(state, process=process), state.profile)


def as_usual(state: State) -> State:
    """The session's own model again: a skill asks for another one until the next prompt.

    Tools keep the words they have by then (`generation_typed`).
    """
    if state.usual is None:
        return state
    process = replace(state.usual, offered=state.process.offered)
    return forms.turned(replace(state, process=process, usual=None), state.profile)


def asked_for(state: State, skill: Skill | None, world: World) -> State:
    """A typed skill may ask for another model or effort; the system prompt stays as it was."""
    if skill is None:
        return state
    changed = with_model(state, skill.values.get("model"), world)
    if changed is not state:
        state = replace(changed, usual=state.process)
    if state.profile.switches["skill.effort.typed"] == "no":
        return state
    return replace(state, override=effort.asked(state.profile, skill.values.get("effort")))
