"""The effort a setting or a skill asks for, and how it is told (`skill_effects`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from inspector.clients.claude_code import models
from inspector.clients.claude_code.core_yaml import key_text
from inspector.clients.claude_code.message import Message
from inspector.clients.claude_code.options import options
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Environment, World

_NUMBER = re.compile(r"\s*[+-]?[0-9]+")
_ALIASES = {"med": "medium"}
_VARIABLE = "CLAUDE_CODE_EFFORT_LEVEL"
UNSET = frozenset({"auto", "unset"})
"""Words for the effort that a model has by itself."""
_LEVELS = frozenset({"low", "medium", "high", "xhigh", "max"})
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


def sent(profile: Profile, wanted: str, *, thinks: bool) -> str:
    """The effort a request names: some models have not every level, or not without thinking."""
    instead: Mapping[str, str] = profile.values["effort.instead"]
    unthought: Mapping[str, str] = profile.values["effort.unthought"]
    named = instead.get(wanted, wanted)
    return named if thinks else unthought.get(named, named)


def fixed(profile: Profile, environment: Environment) -> str | None:
    """The effort that the environment names for all of a session; None where it names none."""
    said = environment.env.get(_VARIABLE, "")
    return NUMBER if said.lower() in UNSET else asked(profile, said)


def is_set(environment: Environment) -> bool:
    """Whether the environment says anything of effort that counts: agents then get none."""
    said = environment.env.get(_VARIABLE, "").lower()
    return said in {*UNSET, *_ALIASES, *_LEVELS} or _NUMBER.match(said) is not None


def is_number(environment: Environment) -> bool:
    """Whether the effort is named by a number."""
    return _NUMBER.match(environment.env.get(_VARIABLE, "")) is not None


def of_session(profile: Profile, world: World, chosen: Settings, model: str) -> str:
    """The effort of a session in which no skill asks for another (`effort_sources`)."""
    named = fixed(profile, world.environment)
    if named is not None:
        return _capped(profile, named, chosen)
    if found := asked(profile, options(world.environment.argv).value("--effort")):
        return _capped(profile, found, chosen)
    return usual(profile, chosen, model)


def usual(profile: Profile, chosen: Settings, model: str) -> str:
    """The effort that settings name for a model, or its own."""
    levels = (_level(profile, value) for value in _of_settings(profile, chosen, model))
    found = next((level for level in levels if level), profile.switches["effort"])
    return _capped(profile, found, chosen)


def _level(profile: Profile, value: object) -> str:
    """A level that a setting may name, not the highest one; nothing for any other."""
    return str(value) if value in profile.lists["effort.levels"][:-1] else ""


def _of_settings(profile: Profile, chosen: Settings, model: str) -> Iterator[object]:
    """The settings, the first that counts first: for one model, then for all.

    The user's own for all models is of old and counts for older models alone.
    """
    scopes = [*reversed(chosen.scopes)]
    sent = models.sent(profile, model)
    model = profile.literals["model.id"].replace("{given}", sent)
    for _, scope in scopes:
        yield mapping(mapping(scope.get("modelSettings")).get(model)).get("effortLevel")
    for name, scope in scopes:
        if name != "userSettings" or profile.switches["context"] == "reminder":
            yield scope.get("effortLevel")


def _capped(profile: Profile, wanted: str, chosen: Settings) -> str:
    """The effort, or the most that settings allow: the least that any of them says."""
    levels = [*profile.lists["effort.levels"]]
    most = [scope.get("maxEffortLevel") for _, scope in chosen.scopes]
    caps = [levels.index(level) for level in most if level in levels]
    over = wanted in levels and caps and levels.index(wanted) > min(caps)
    return levels[min(caps)] if over else wanted


def shown(state: State, value: object) -> Text:
    """What `${CLAUDE_EFFORT}` stands for in a skill that asks for `value`."""
    found = None if state.process.fixed else asked(state.profile, value)
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
