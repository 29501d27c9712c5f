"""Which skills the model may call: names, overrides, permission rules, what is safe.

Witness: `skill_permissions`. Each refusal is a name of the profile's literals, so that it can be
told apart from the others later.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspector.clients.claude_code import dynamic, listing, unknown
from inspector.clients.claude_code.axes import mode
from inspector.clients.claude_code.options import names, options
from inspector.clients.claude_code.plain import is_list, is_mapping, items
from inspector.clients.claude_code.settings import Settings
from inspector.clients.claude_code.skills import Skill
from inspector.clients.claude_code.state import State
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import Environment, World

_RULE = re.compile(r"Skill\((.*)\)", re.DOTALL)
_ADVISED = re.compile(r"(?!skill:|args:)[\w.-]+(?::[\w.-]+)*", re.ASCII)
_UNSAFE = ("allowed-tools", "disallowed-tools", "hooks")
"""Frontmatter with which a skill needs a permission."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call the client refuses: the name of its sentence, and what stands in it."""

    literal: str
    holes: dict[str, Text]
    silent: bool = False
    """Whether the session asks nobody, and says so (`mix_dont_ask`)."""


def named(state: State, name: str) -> Skill | None:
    """The skill a call means: by its name, or by the one in its frontmatter."""
    return listing.called(name, state.skills)


def missing(state: State, name: str) -> Refusal:
    """Why no skill has a name."""
    holes = {"name": text(name, Origin(Kind.COMPUTED, "skill"))}
    profile, settings = state.profile, state.process.settings
    if not name:
        return Refusal("skill.invalid", holes)
    scoped = [
        other.name
        for other in dynamic.scoped_as(name, state.skills)
        if other.shown and listing.overridden(settings, other.name) not in listing.HIDDEN
    ]
    if scoped:
        holes["names"] = text(", ".join(scoped), Origin(Kind.COMPUTED, "skill"))
        return Refusal("skill.unknown.scoped", holes)
    other = _another(state, name)
    if other:
        return Refusal(other, holes)
    near = unknown.nearest(name, _known(state), profile.limits["commands.distance"])
    if near is None:
        return Refusal("skill.unknown", holes)
    holes["other"] = text(near, Origin(Kind.COMPUTED, "skill"))
    return Refusal("skill.unknown.near", holes)


def _another(state: State, name: str) -> str:
    """The sentence for a command that is no skill, or one that the model may not call."""
    lists, settings = state.profile.lists, state.process.settings
    for kind in ("ui", "cli"):
        if name in lists[f"commands.{kind}"]:
            return f"skill.local.{kind}"
    if name in lists["commands.human"]:
        return "skill.forbidden"
    switched_off = settings.get("disableBundledSkills") is True
    return "skill.unbundled" if name in lists["skills.builtin"] and switched_off else ""


def refusal(state: State, skill: Skill, name: str, world: World) -> Refusal | None:
    """Why the model may not call a skill; None where it may."""
    typed = _typed(name, state.said)
    holes = {"name": text(name, Origin(Kind.COMPUTED, "skill"))}
    said = listing.overridden(state.process.settings, skill.name)
    if not skill.shown and not typed:
        return Refusal("skill.forbidden", holes)
    if said == "off" or (said == "user-invocable-only" and not typed):
        return Refusal("skill.overridden", holes)
    settings, environment = state.process.settings, world.environment
    if any(
        _covers(rule, (name, skill.name, skill.display)) for rule in denied(settings, environment)
    ):
        return Refusal("skill.denied", holes)
    if _allowed(settings, environment, (name, skill.name)) or safe(skill):
        return None
    return _asking(settings, environment, skill.name, holes)


def of_bundled(state: State, name: str, world: World) -> Refusal | None:
    """Why the model may not call one of the client's own skills; None where it may."""
    settings, environment = state.process.settings, world.environment
    holes = {"name": text(name, Origin(Kind.COMPUTED, "skill"))}
    if listing.overridden(settings, name) in listing.HIDDEN:
        return Refusal("skill.overridden", holes)
    if any(_covers(rule, (name,)) for rule in denied(settings, environment)):
        return Refusal("skill.denied", holes)
    free = name not in state.profile.lists["skills.asked"]
    if free or _allowed(settings, environment, (name, name)):
        return None
    return _asking(settings, environment, name, holes)


def safe(skill: Skill) -> bool:
    """Whether a skill brings along nothing but text."""
    return not any(_some(skill.values.get(name)) for name in _UNSAFE)


def denied(settings: Settings, environment: Environment) -> list[str]:
    """The skills that rules keep from the model, as the rules name them."""
    given = names(options(environment.argv).all("--disallowedTools"))
    return [*_rules(settings, "deny"), *_inside(given)]


def _allowed(settings: Settings, environment: Environment, called: tuple[str, str]) -> bool:
    argv = options(environment.argv)
    given = names(argv.all("--allowedTools"))
    if mode(argv, settings.get("permissions")) == "bypassPermissions":
        return True
    if "Skill" in {*given, *settings.strings("permissions", "allow")}:
        return True
    rules = [*_rules(settings, "allow"), *_inside(given)]
    return any(_covers(rule, called) for rule in rules)


def _asking(
    settings: Settings, environment: Environment, name: str, holes: dict[str, Text]
) -> Refusal:
    """The refusal of a call that nobody is there to allow."""
    advised = _ADVISED.fullmatch(name) and "local" in settings.sources
    asked = any(True for _ in _rules(settings, "ask"))
    silent = mode(options(environment.argv), settings.get("permissions")) == "dontAsk"
    literal = "skill.asked.advice" if advised and not asked else "skill.asked"
    return Refusal(literal, holes, silent)


def _rules(settings: Settings, kind: str) -> Iterator[str]:
    return _inside(settings.strings("permissions", kind))


def _inside(given: Sequence[str]) -> Iterator[str]:
    for rule in given:
        match = _RULE.fullmatch(rule)
        if match:
            yield match[1].removeprefix("/")


def _covers(rule: str, called: Sequence[str | None]) -> bool:
    prefix = rule[:-2] if rule.endswith((":*", " *")) else None
    return any(
        name == rule or (prefix is not None and name.startswith(prefix))
        for name in called
        if name is not None
    )


def _typed(name: str, said: str) -> bool:
    """Whether somebody wrote `/name` in the prompt of this turn."""
    return re.search(rf"(?<!\S)/{re.escape(name)}(?=$|\s)", said) is not None


def _some(value: object) -> bool:
    if is_list(value):
        return any(isinstance(item, str) and item.strip() for item in items(value))
    return bool(value.strip()) if isinstance(value, str) else is_mapping(value) and bool(value)


def _known(state: State) -> list[str]:
    profile = state.profile
    bundled = state.process.settings.get("disableBundledSkills") is not True
    kind = "bundled" if bundled else "shipped"
    return [
        *(skill.display or skill.name for skill in state.skills),
        *profile.lists[f"commands.{kind}"],
        *profile.lists["commands.ui"],
        *profile.lists["commands.cli"],
        *profile.lists["commands.human"],
    ]
