"""The model catalog that an account's server gave, kept in `models_cache.json`.

It stands in place of the one in the client [codex 0.171.0, an account]. Where its words are the
client's own they are taken for these.
"""

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from inspector.clients.codex.config import Config
from inspector.clients.codex.loose import Json, table, tables, word
from inspector.clients.codex.paths import join
from inspector.profiles import Profile
from inspector.text import Kind, Origin, Text, text
from inspector.workspace import World

FILE = "models_cache.json"
_LIFE = timedelta(minutes=5)
_ABOUT = ("fetched_at", "client_version")
_KEPT = (
    "slug", "default_reasoning_level", "default_verbosity", "context_window",
    "description", "supported_reasoning_levels", "service_tiers", "visibility", "priority",
)  # fmt: skip
_SPAWN = "collaboration.spawn_agent"


def entry(world: World, config: Config, profile: Profile) -> Json:
    """What it says of the model; nothing for who has a key, as there is none then."""
    if config.provider != "builtin" or world.environment.credential != "login":
        return {}
    wanted = config.string("model") or profile.literals["model"]
    file = _read(world.tree.read(_path(world)) or b"")
    about = {"fetched_at": file.get("fetched_at"), "offered": _offered(tables(file.get("models")))}
    for one in tables(file.get("models")):
        if one.get("slug") == wanted:
            return {**about, **one}
    return {}


def fresh(found: Json, at: str) -> bool:
    """Whether a catalog was young enough at a moment for the client not to wait for another."""
    try:
        age = datetime.fromisoformat(at) - datetime.fromisoformat(word(found.get("fetched_at")))
    except (TypeError, ValueError):
        return False
    return age < _LIFE


def instructions(world: World, found: Json, profile: Profile) -> Text:
    """The base instructions, without lines on a tool that is not offered."""
    given = word(table(found.get("model_messages")).get("instructions_template"))
    dropped = profile.lists["catalog.dropped"]
    lines = [line for line in given.split("\n") if line not in dropped]
    return _words("base", "\n".join(lines), world, profile)


def collaboration(world: World, found: Json, profile: Profile) -> Text:
    """The words of the default collaboration mode."""
    modes = table(table(found.get("model_messages")).get("collaboration_modes"))
    return _words("collaboration", word(modes.get("default")), world, profile)


def role(world: World, found: Json, profile: Profile) -> Text:
    """What the first agent is told of the others."""
    agents = table(table(found.get("model_messages")).get("multi_agent"))
    given = word(table(agents.get("role")).get("root"))
    if not given or hashlib.sha256(given.encode()).hexdigest() in profile.lists["catalog.roles"]:
        return profile.known("role")
    said = text(given, Origin(Kind.FILE, _path(world))) + profile.known("role.rest")
    return profile.literal("role.open") + said + profile.literal("role.close")


def measured(found: Json, profile: Profile) -> Profile:
    """The profile with the model's usual effort, verbosity, window, and models for agents."""
    literals, limits = dict(profile.literals), dict(profile.limits)
    for key, name in (("default_reasoning_level", "effort"), ("default_verbosity", "verbosity")):
        if word(found.get(key)) and name in literals:
            literals[name] = word(found.get(key))
    window = found.get("context_window")
    if isinstance(window, int):
        limits["context_window"] = window
    known = profile.values["tools"]
    spawn = {**known[_SPAWN], "description": {"offered": found.get("offered")}}
    values = {**profile.values, "tools": {**known, _SPAWN: spawn}}
    return profile.model_copy(update={"literals": literals, "limits": limits, "values": values})


def _offered(models: list[Json]) -> str:
    """The models an agent may be given, a line each."""
    listed = [one for one in models if one.get("visibility") == "list"]
    return "".join(map(_line, sorted(listed, key=lambda one: one.get("priority") or 0)))


def _line(one: Json) -> str:
    usual = one.get("default_reasoning_level")
    efforts = [word(level.get("effort")) for level in tables(one.get("supported_reasoning_levels"))]
    told = ", ".join(f"{effort} (default)" if effort == usual else effort for effort in efforts)
    tiers = ", ".join(word(tier.get("id")) for tier in tables(one.get("service_tiers")))
    more = f" Service tiers: {tiers}." if tiers else ""
    about = f"{word(one.get('description'))} Reasoning efforts: {told}.{more}"
    return f"- `{word(one.get('slug'))}`: {about}\n"


def reduced(data: bytes) -> bytes:
    """The kept form of the file: what is read of it."""
    file = _read(data)
    models = [_reduced(one) for one in tables(file.get("models"))]
    about = {key: file.get(key) for key in _ABOUT}
    return json.dumps({**about, "models": models}, ensure_ascii=False, indent=1).encode()


def _reduced(one: Json) -> Json:
    said = table(one.get("model_messages"))
    modes = table(said.get("collaboration_modes"))
    agents = table(table(said.get("multi_agent")).get("role"))
    kept = {
        "instructions_template": said.get("instructions_template"),
        "collaboration_modes": {"default": modes.get("default")},
        "multi_agent": {"role": {"root": agents.get("root")}},
    }
    return {**{key: one.get(key) for key in _KEPT}, "model_messages": kept}


def _read(data: bytes) -> Json:
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return table(found)


def _path(world: World) -> str:
    return join(world.environment.config_home, FILE)


def _words(name: str, given: str, world: World, profile: Profile) -> Text:
    """The words, as the client's own where they are the same or none are given."""
    own = profile.texts.get(name)
    same = own is not None and hashlib.sha256(given.encode()).hexdigest() == own.sha256
    if not given or same:
        return profile.known(name) if own is not None else Text()
    return text(given, Origin(Kind.FILE, _path(world)))
