"""The effort a setting or a skill asks for, and how it is told (`skill_effects`)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector.clients.claude_code.core_yaml import key_text
from inspector.clients.claude_code.message import Message
from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import World

_NUMBER = re.compile(r"\s*[+-]?[0-9]+")
_ALIASES = {"med": "medium"}
NUMBER = ""
"""An effort that is a number: the request names none."""


def asked(profile: Profile, value: object) -> str | None:
    """The effort that a skill asks for; None where the client reads none."""
    if value is None or isinstance(value, bool) or value == "":
        return None
    said = key_text(value).lower()
    said = _ALIASES.get(said, said)
    if said in profile.lists["effort.levels"]:
        return said
    return NUMBER if _NUMBER.match(said) else None


def sent(profile: Profile, wanted: str) -> str:
    """The effort a request names: some models have not every level (`flags_effort`)."""
    instead: Mapping[str, str] = profile.values["effort.instead"]
    return instead.get(wanted, wanted)


def of_session(profile: Profile, world: World, chosen: Settings) -> str:
    """The effort of a session in which no skill asks for another."""
    for value in (
        options(world.environment.argv).value("--effort"),
        world.environment.env.get("CLAUDE_CODE_EFFORT_LEVEL"),
        _of_settings(profile, chosen),
    ):
        if isinstance(value, str) and value:
            return value
    return profile.switches["effort"]


def _of_settings(profile: Profile, chosen: Settings) -> object:
    """The setting; the user's own is of old and counts for older models alone."""
    found: object = None
    for name, scope in chosen.scopes:
        counts = name != "userSettings" or profile.switches["context"] == "reminder"
        if counts and scope.get("effortLevel") is not None:
            found = scope["effortLevel"]
    return found


def shown(state: State, value: object) -> Text:
    """What `${CLAUDE_EFFORT}` stands for in a skill that asks for `value`."""
    found = asked(state.profile, value)
    said = state.wanted if found is None else found
    return text(said or state.profile.literals["effort.other"], Origin(Kind.FACT, "effort"))


def announced(state: State) -> State:
    """The effort told along with the last system-role message, or in one of its own."""
    if state.profile.switches["effort.announced"] != "yes" or state.wanted in {state.effort, ""}:
        return state
    last = state.messages[-1] if state.messages else None
    if last is not None and last.role == "system":
        messages = (*state.messages[:-1], replace(last, effort=state.wanted))
    else:
        messages = (*state.messages, Message("system", (), state.wanted))
    return replace(state, messages=messages, effort=state.wanted)


def quiet(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The conversation where no effort is named."""
    told = [message for message in messages if message.blocks or message.effort is None]
    return tuple(one if one.effort is None else replace(one, effort=None) for one in told)
