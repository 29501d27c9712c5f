"""Whether a request has cache marks, and how long what they mark is kept.

Witness: `switches_cache`, `login_oauth`.
"""

from collections.abc import Mapping

from inspector.clients.claude_code import login
from inspector.clients.claude_code.options import on
from inspector.clients.claude_code.settings import Settings
from inspector.profiles import Profile
from inspector.text import Value
from inspector.workspace import Environment, World

HOUR = "1h"
_TTLS = frozenset({"5m", HOUR})


def ttl(world: World, chosen: Settings) -> str:
    """How long marked content is kept: `5m` or `1h`."""
    environment = world.environment
    if on(environment, "FORCE_PROMPT_CACHING_5M"):
        return "5m"
    for said in (
        environment.env.get("CLAUDE_CODE_PROMPT_CACHE_TTL", ""),
        chosen.get("promptCacheTtl"),
    ):
        if said in _TTLS:
            return str(said)
    long = on(environment, "ENABLE_PROMPT_CACHING_1H") or login.logged_in(world)
    return HOUR if long else "5m"


def mark(profile: Profile, environment: Environment, model: str, *, hour: bool) -> Value | None:
    """The cache mark of a request for a model; None where it has none."""
    if on(environment, "DISABLE_PROMPT_CACHING"):
        return None
    families: Mapping[str, str] = profile.values["caching.families"]
    for family, usual in families.items():
        default = environment.env.get(f"ANTHROPIC_DEFAULT_{family}_MODEL") or usual
        if model == default and on(environment, f"DISABLE_PROMPT_CACHING_{family}"):
            return None
    return {"type": "ephemeral", "ttl": HOUR} if hour else {"type": "ephemeral"}
