"""What the descriptions of tools say of the session, in versions where they do."""

from collections.abc import Callable, Mapping

from inspector.clients.claude_code import agents, context
from inspector.clients.claude_code.phrase import fact, phrase
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import EMPTY, Text
from inspector.workspace import World

_MONTHS = "January February March April May June July August September October November December"


def holes(profile: Profile, world: World, settings: Settings) -> Mapping[str, Text]:
    """The texts for the places that the profile's list `tools.holes` names."""
    made: Mapping[str, Callable[[], Text]] = {
        "agents": lambda: _agents(profile, world, settings),
        "month": lambda: fact("date", _month(world.environment.date)),
        "commit": lambda: _ending(profile, settings, "commit"),
        "commit.example": lambda: _ending(profile, settings, "commit.example"),
        "pr.example": lambda: _ending(profile, settings, "pr.example"),
    }
    return {name: made[name]() for name in profile.lists["tools.holes"]}


def _agents(profile: Profile, world: World, settings: Settings) -> Text:
    own = agents.found(world.tree, world.environment, settings)
    return agents.listing(profile, world.environment, settings, own) or EMPTY


def _ending(profile: Profile, settings: Settings, name: str) -> Text:
    """What the shell tool says of the end of a commit message or a pull request."""
    commit, pull = context.attributions(profile, settings)
    said = pull if name.startswith("pr") else commit
    return phrase(profile, f"bash.{name}" if said else f"bash.{name}.none", text=said)


def _month(date: str) -> str:
    """`November 2026` for a day of it."""
    year, month = date.split("-")[:2]
    return f"{_MONTHS.split()[int(month) - 1]} {year}"
