"""A conversation that goes on with another model or effort."""

from dataclasses import replace

from inspector import profiles
from inspector.clients.claude_code import (
    axes,
    effort,
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
    usual = effort.of_session(profile, world, state.process.settings)
    process = replace(state.process, profile=profile, given=model, effort=usual)
    if profile.switches["context"] != process.offered.switches["context"]:
        # Only another generation words the tools anew (`skill_typed_model_classic`).
        process = replace(process, offered=profile)
    return replace(state, process=process)


def asked_for(state: State, skill: Skill | None, world: World) -> State:
    """A typed skill may ask for another model or effort; the system prompt stays as it was."""
    if skill is None:
        return state
    state = with_model(state, skill.values.get("model"), world)
    if state.profile.switches["skill.effort.typed"] == "no":
        return state
    return replace(state, override=effort.asked(state.profile, skill.values.get("effort")))
