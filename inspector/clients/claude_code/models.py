"""The model a name means, and the name a profile has for it."""

import re
from collections.abc import Iterator

from inspector import profiles
from inspector.workspace import Environment

_FAMILIES = {
    "": "OPUS",
    "opus": "OPUS",
    "opus[1m]": "OPUS",
    "best": "OPUS",
    "sonnet": "SONNET",
    "sonnet[1m]": "SONNET",
    "haiku": "HAIKU",
    "fable": "FABLE",
    "fable[1m]": "FABLE",
}
"""By what people write; who writes nothing gets the first (`models_named`)."""

_PLANNING = {"haiku": "sonnet"}
"""Models that leave plan mode to another one (`plan_models`)."""

_PLANS = ("opusplan", "opusplan[1m]")
"""Plans with one model and works with another; its tools stay the latter's (`models_ids`)."""

_WINDOW = re.compile(r"\[[12]m\]$", re.IGNORECASE)
_DATE = re.compile(r"-\d{8}$")


def named(environment: Environment, name: str) -> str:
    """The model a name means: `ANTHROPIC_DEFAULT_OPUS_MODEL` and the like decide for a family."""
    family = _FAMILIES.get(name.lower())
    return environment.env.get(f"ANTHROPIC_DEFAULT_{family}_MODEL") or name if family else name


def sent(profile: profiles.Profile, name: str) -> str:
    """The name as it stands in a request: without the window, the maker's own ids in small."""
    bare = _WINDOW.sub("", name)
    return bare.lower() if bare.lower() in profile.lists["models.small"] else bare


def planning(name: str, mode: str) -> str:
    """The model at work in a permission mode."""
    small = name.lower()
    if mode == "plan":
        return _PLANNING.get(small, name)
    return "sonnet" if small in _PLANS else name


def known(environment: Environment, name: str) -> str:
    """What the profile calls a model: in small letters, and without a date it has not.

    A date is left out only where the profile sends the name as somebody wrote it.
    """
    small, here = name.lower(), set(_listed(environment))
    if small in here:
        return small
    undated = _DATE.sub("", small)
    return undated if undated in here and _as_written(environment, undated) else name


def unknown(environment: Environment, name: str) -> bool:
    """Whether a name is one of the client's maker and the profile has no model of that name."""
    small = name.lower()
    foreign = not small.startswith("claude-") and not _WINDOW.search(small)
    return not foreign and known(environment, name) not in set(_listed(environment))


def _listed(environment: Environment) -> Iterator[str]:
    found = profiles.find(environment.client, environment.version)
    for layer in profiles.whole(found):
        for overlay in layer.get("overlays", ()):
            yield from overlay["when"].get("model", ())


def _as_written(environment: Environment, name: str) -> bool:
    found = profiles.find(environment.client, environment.version)
    return profiles.resolve(found, {"model": name}).literals["model.id"] == "{given}"
