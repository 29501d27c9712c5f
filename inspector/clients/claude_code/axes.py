"""Which of the profile's overlays a session takes."""

from collections.abc import Mapping

from inspector.clients.claude_code import agents, caching, effort, login, models, options, service
from inspector.clients.claude_code.plain import mapping
from inspector.clients.claude_code.settings import settings
from inspector.workspace import Environment, World

_NO_AGENTS = "CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS"
"""Counts without a terminal alone."""

_LEAN = "CLAUDE_CODE_SIMPLE_SYSTEM_PROMPT"
_IN_MESSAGES = "CLAUDE_CODE_FORCE_MID_CONVERSATION_SYSTEM"

_SWITCHED = {
    "traffic": ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "essential", "all"),
    "betas": ("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", "plain", "experimental"),
    "attachments": ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "off", "on"),
    "background": ("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "off", "on"),
    "cron": ("CLAUDE_CODE_DISABLE_CRON", "off", "on"),
    "explorers": ("CLAUDE_CODE_DISABLE_EXPLORE_PLAN_AGENTS", "off", "on"),
    "fetch": ("CLAUDE_CODE_DISABLE_WEB_FETCH", "off", "on"),
    "folder": ("CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR", "kept", "carried"),
    "teams": ("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "on", "off"),
    "window": ("CLAUDE_CODE_DISABLE_1M_CONTEXT", "short", "whole"),
    "workflows": ("CLAUDE_CODE_DISABLE_WORKFLOWS", "off", "on"),
}
"""Axes that an environment switch decides: where it is on, and where not (`switches_tools`)."""


def axes(world: World, model: str | None = None, begun: str | None = None) -> Mapping[str, str]:
    """The profile overlays that apply.

    `model` stands in for the one the session began with, `begun` for its permission mode.
    """
    environment = world.environment
    given = options.options(environment.argv)
    chosen = settings(world.tree, environment)
    began = begun or mode(given, chosen.get("permissions"))
    model = models.named(environment, models.planning(model or asked(world), began))
    simple = "--bare" in given.flags or options.on(environment, "CLAUDE_CODE_SIMPLE")
    return {
        "host": "default" if environment.base_url is None else "custom",
        "entry": "print" if given.printing else "interactive",
        "model": models.known(environment, model) or "default",
        "mode": began,
        "pool": "simple" if simple else "full",
        "format": given.value("--output-format") or "text",
        "asks": "host" if given.value("--permission-prompt-tool") else "nobody",
        "builtins": "none" if given.printing and options.on(environment, _NO_AGENTS) else "all",
        "cache": "hour" if caching.ttl(world, chosen) == caching.HOUR else "minutes",
        "words": _words(environment),
        "form": "system" if options.on(environment, _IN_MESSAGES) else "usual",
        "tasks": "off" if options.off(environment, "CLAUDE_CODE_ENABLE_TASKS") else "on",
        "effort": "set" if effort.is_set(environment) else "free",
        "login": "account" if login.logged_in(world) else "key",
        **{
            axis: set_ if options.on(environment, variable) else usual
            for axis, (variable, set_, usual) in _SWITCHED.items()
        },
        "flags": "asked" if service.asked(environment) else "unasked",
        **service.decided(world),
    }


def asked(world: World) -> str:
    """The model a session begins with, as somebody wrote it; nothing where nobody did."""
    environment = world.environment
    chosen = settings(world.tree, environment)
    agent = agents.chosen(world.tree, environment, chosen)
    model = (
        options.options(environment.argv).value("--model")
        or (agent.model if agent is not None else "")
        or environment.env.get("ANTHROPIC_MODEL")
        or chosen.get("model")
    )
    return str(model or "")


def _words(environment: Environment) -> str:
    """Whether somebody asks for the short words of new models, or the long ones of old models."""
    if options.off(environment, _LEAN):
        return "long"
    return "lean" if options.on(environment, _LEAN) else "usual"


def mode(given: options.Options, permissions: object) -> str:
    """The permission mode a session begins in."""
    if "--dangerously-skip-permissions" in given.flags:
        return "bypassPermissions"
    chosen = given.value("--permission-mode")
    if chosen is None:
        chosen = mapping(permissions).get("defaultMode")
    return str(chosen or "default")
