"""How many tokens are left, as some models are told, or any where a switch or a setting asks.

Witness: `switches_tokens`. Told at the end of the system prompt, with prompts and behind rounds.
"""

from dataclasses import replace

from inspector.clients.claude_code.options import number, off
from inspector.clients.claude_code.phrase import computed, phrase
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.state import State
from inspector.profiles import Profile
from inspector.text import Text
from inspector.workspace import Environment, World

_MODES = frozenset({"off", "infinite", "fixed", "countdown", "padded-countdown"})
_PADDED = "padded-countdown"
_NAME = "CLAUDE_CODE_TOTAL_TOKENS_REMINDER"


def chosen(environment: Environment, settings: Settings) -> str | None:
    """The way of counting that somebody asks for; None for the model's own."""
    for value in (environment.env.get(_NAME), settings.get("totalTokensReminder")):
        if isinstance(value, str) and value in _MODES:
            return value
    return None


def differs(profile: Profile, environment: Environment, settings: Settings) -> bool:
    """Whether the end of the system prompt is not the model's own."""
    own = _PADDED if profile.switches["tokens"] == "yes" else "off"
    mode = chosen(environment, settings) or own
    budget = _budget(profile, environment, settings)
    return mode != own or (mode == _PADDED and budget != profile.limits["tokens"])


def section(profile: Profile, environment: Environment, settings: Settings) -> Text | None:
    """What the system prompt says of it, where that is not the model's own."""
    return _told(profile, environment, settings, 0, 0)


def anchored(state: State, world: World) -> State:
    """Where a prompt stands from which tokens are counted down, unless prompts say nothing."""
    if _untold(world.environment, state.process.settings):
        return state
    return replace(state, counted=state.used, peak=0)


def reached(state: State) -> State:
    """What was used at once is never less than before (`budget`)."""
    return replace(state, peak=max(state.peak, state.used - state.counted))


def after_a_prompt(state: State, world: World) -> list[Text]:
    """What is told with a prompt."""
    untold = _untold(world.environment, state.process.settings)
    return [] if untold else after_a_round(state, world)


def after_a_round(state: State, world: World) -> list[Text]:
    """What is told behind a round of results."""
    environment, settings = world.environment, state.process.settings
    said = _told(state.profile, environment, settings, state.peak, state.used)
    return [said] if said else []


def _untold(environment: Environment, settings: Settings) -> bool:
    """Whether prompts say nothing of it."""
    name = f"{_NAME}_AFTER_USER_TURN"
    if environment.env.get(name):
        return off(environment, name)
    return settings.get("totalTokensReminderAfterUserTurn") is False


def _told(
    profile: Profile, environment: Environment, settings: Settings, used: int, whole: int
) -> Text | None:
    """`used` are the tokens since the prompt, `whole` those of the conversation."""
    own = _PADDED if profile.switches["tokens"] == "yes" else "off"
    match chosen(environment, settings) or own:
        case "infinite":
            left = "Infinite"
        case "fixed":
            left = str(profile.limits["tokens.fixed"])
        case "countdown":
            left = str(max(profile.limits["skill.window"] - whole, 0))
        case "padded-countdown":
            left = str(max(_budget(profile, environment, settings) - used, 0))
        case _:
            return None
    return phrase(profile, "tokens", left=computed(left, "tokens"))


def _budget(profile: Profile, environment: Environment, settings: Settings) -> int:
    given = number(environment, f"{_NAME}_BUDGET")
    if given:
        return given
    own = settings.get("totalTokensReminderBudget")
    whole = isinstance(own, int) and not isinstance(own, bool) and own > 0
    return int(str(own)) if whole else profile.limits["tokens"]
