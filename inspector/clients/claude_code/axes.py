"""Which of the profile's overlays a session takes."""

from collections.abc import Mapping

from inspector.clients.claude_code import agents, options
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import settings
from inspector.workspace import World

_PLANNING = {"haiku": "sonnet"}
"""Models that leave plan mode to another one (`plan_models`)."""


def axes(world: World, model: str | None = None, begun: str | None = None) -> Mapping[str, str]:
    """The profile overlays that apply.

    `model` stands in for the one the session began with, `begun` for its permission mode.
    """
    environment = world.environment
    given = options.options(environment.argv)
    chosen = settings(world.tree, environment)
    agent = agents.chosen(world.tree, environment, chosen)
    model = (
        model
        or given.value("--model")
        or (agent.model if agent is not None else "")
        or environment.env.get("ANTHROPIC_MODEL")
        or chosen.get("model")
    )
    began = begun or mode(given, chosen.get("permissions"))
    model = _PLANNING.get(str(model), model) if began == "plan" else model
    simple = "--bare" in given.flags or options.on(environment, "CLAUDE_CODE_SIMPLE")
    plain = options.on(environment, "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS")
    essential = options.on(environment, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
    return {
        "host": "default" if environment.base_url is None else "custom",
        "entry": "print" if given.printing else "interactive",
        "model": str(model or "default"),
        "mode": began,
        "pool": "simple" if simple else "full",
        "traffic": "essential" if essential else "all",
        "betas": "plain" if plain else "experimental",
        "attachments": "off"
        if options.on(environment, "CLAUDE_CODE_DISABLE_ATTACHMENTS")
        else "on",
        "format": given.value("--output-format") or "text",
        "cache": "hour" if options.on(environment, "ENABLE_PROMPT_CACHING_1H") else "minutes",
    }


def mode(given: options.Options, permissions: object) -> str:
    """The permission mode a session begins in."""
    if "--dangerously-skip-permissions" in given.flags:
        return "bypassPermissions"
    chosen = given.value("--permission-mode")
    if chosen is None:
        chosen = mapping(permissions).get("defaultMode")
    return str(chosen or "default")
