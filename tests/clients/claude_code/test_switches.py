"""Environment switches, flags and settings that change a request without a file of the workspace."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector import profiles
from inspector.clients.claude_code import agents, caching, thinking
from inspector.clients.claude_code.settings import settings
from inspector.profiles.load import Found
from tests.clients.claude_code.place import CLIENT, Place

ACCOUNT = {"oauthAccount": {"accountUuid": "u-1", "emailAddress": "ann@example.com"}}


def resolved(place: Place) -> profiles.Profile:
    return profiles.resolve(profiles.find("claude-code", "2.1.332"), CLIENT.axes(place.world()))


def made(place: Place, model: str) -> dict[str, Any]:
    """What is said of thinking in a request of a session for a model."""
    place = Place(place.root, argv=(*place.argv, "--model", model), env=place.env).write({})
    profile, world = resolved(place), place.world()
    chosen = settings(world.tree, world.environment)
    params = thinking.applied(dict(profile.params), profile, world.environment, chosen)
    return {name: params.get(name) for name in ("thinking", "temperature", "context_management")}


@pytest.mark.parametrize(
    ("env", "setting", "ttl"),
    [
        ({}, {}, "5m"),
        ({"ENABLE_PROMPT_CACHING_1H": "1"}, {}, "1h"),
        ({"ENABLE_PROMPT_CACHING_1H": "1"}, {"promptCacheTtl": "5m"}, "5m"),
        ({"CLAUDE_CODE_PROMPT_CACHE_TTL": "1h"}, {"promptCacheTtl": "5m"}, "1h"),
        ({"CLAUDE_CODE_PROMPT_CACHE_TTL": "1h", "FORCE_PROMPT_CACHING_5M": "1"}, {}, "5m"),
        ({"CLAUDE_CODE_PROMPT_CACHE_TTL": "2h"}, {"promptCacheTtl": "1h"}, "1h"),
    ],
)
def test_the_strongest_word_says_how_long_the_cache_keeps(
    tmp_path: Path, env: dict[str, str], setting: dict[str, str], ttl: str
) -> None:
    place = Place(tmp_path, env=env).write({"ws/.claude/settings.json": json.dumps(setting)})
    world = place.world()
    assert caching.ttl(world, settings(world.tree, world.environment)) == ttl


@pytest.mark.parametrize(
    ("env", "model", "marks"),
    [
        ({"DISABLE_PROMPT_CACHING": "1"}, "claude-opus-5-5", False),
        ({"DISABLE_PROMPT_CACHING_OPUS": "1"}, "claude-opus-5-5", False),
        ({"DISABLE_PROMPT_CACHING_OPUS": "1"}, "claude-opus-4-6", True),
        ({"DISABLE_PROMPT_CACHING_OPUS": "1"}, "claude-sonnet-5-5", True),
        (
            {"DISABLE_PROMPT_CACHING_OPUS": "1", "ANTHROPIC_DEFAULT_OPUS_MODEL": "claude-opus-4-6"},
            "claude-opus-4-6",
            False,
        ),
    ],
)
def test_a_family_without_cache_is_its_default_model_alone(
    tmp_path: Path, env: dict[str, str], model: str, *, marks: bool
) -> None:
    place = Place(tmp_path, env=env).write({})
    found = caching.mark(resolved(place), place.environment(), model, hour=False)
    assert found == ({"type": "ephemeral"} if marks else None)


def test_an_account_counts_where_the_environment_gives_no_key(tmp_path: Path) -> None:
    place = Place(tmp_path).write({"home/.claude.json": json.dumps(ACCOUNT)})
    world = place.world()
    assert CLIENT.axes(world)["login"] == "account"
    assert CLIENT.axes(world)["cache"] == "hour"
    keyed = place.environment().model_copy(update={"credential": "key"})
    axes = CLIENT.axes(type(world)(world.tree, keyed, world.listings))
    assert (axes["login"], axes["cache"]) == ("key", "minutes")


def test_the_newest_models_think_whatever_is_said(tmp_path: Path) -> None:
    place = Place(tmp_path, env={"MAX_THINKING_TOKENS": "0"})
    assert made(place, "opus")["thinking"] == {"type": "adaptive", "display": "omitted"}
    assert made(place, "claude-opus-4-6") == {
        "thinking": {"type": "disabled"},
        "temperature": 1,
        "context_management": None,
    }
    assert made(place, "my-own") == dict.fromkeys(("thinking", "temperature", "context_management"))


@pytest.mark.parametrize(
    ("said", "budget"),
    [("4096", 4096), ("12x", 1024), ("1", 1024), ("999999", 31999), ("", 31999)],
)
def test_a_budget_of_thinking_stays_between_the_least_and_the_answers_length(
    tmp_path: Path, said: str, budget: int
) -> None:
    place = Place(tmp_path, env={"MAX_THINKING_TOKENS": said})
    assert made(place, "claude-sonnet-4-5-20250929")["thinking"] == {
        "budget_tokens": budget,
        "type": "enabled",
        "display": "omitted",
    }


def test_rules_deny_agents_by_their_exact_names(tmp_path: Path) -> None:
    place = Place(tmp_path, argv=("-p", "x", "--disallowedTools", "Agent(Explore),Task(own)"))
    place.write(
        {"ws/.claude/settings.json": '{"permissions":{"deny":["Agent( Plan )","Agent","Bash(x)"]}}'}
    )
    world = place.world()
    chosen = settings(world.tree, world.environment)
    assert agents.denied(world.environment, chosen) == {"Explore", "own", " Plan "}


def test_an_overlay_drops_from_lists_and_adds_to_them() -> None:
    data = {
        "base": {"lists": {"a": ["x", "y"], "b": ["z"]}},
        "overlays": [
            {
                "when": {"k": ["on"]},
                "set": {},
                "drop": {"a": ["x"]},
                "add": {"b": ["w"], "c": ["v"]},
            },
            {"when": {"k": ["off"]}, "set": {}, "drop": {"a": ["y"]}},
        ],
    }
    found = profiles.resolve(Found("claude-code", "0", exact=True, data=data), {"k": "on"})
    assert found.lists == {"a": ("y",), "b": ("z", "w"), "c": ("v",)}


def test_a_family_names_the_model_of_the_environment(tmp_path: Path) -> None:
    env = {"ANTHROPIC_DEFAULT_SONNET_MODEL": "own", "ANTHROPIC_DEFAULT_OPUS_MODEL": "other"}
    place = Place(tmp_path, env=env).write({})
    named = {
        model: CLIENT.axes(Place(tmp_path, argv=("-p", "x", "--model", model), env=env).world())[
            "model"
        ]
        for model in ("sonnet", "opus", "haiku", "claude-sonnet-5-5")
    }
    assert CLIENT.axes(place.world())["model"] == "other"
    assert named == {
        "sonnet": "own",
        "opus": "other",
        "haiku": "haiku",
        "claude-sonnet-5-5": "claude-sonnet-5-5",
    }


@pytest.mark.parametrize(
    ("env", "flags", "found"),
    [
        ({}, {}, ("asked", "off", "off")),
        ({}, {"tengu_mcp_normalize_root_combinators": ["*"]}, ("asked", "on", "off")),
        ({}, {"tengu_mcp_drop_invalid_tool_schemas": ["example.com"]}, ("asked", "off", "some")),
        ({"DO_NOT_TRACK": "0"}, {}, ("asked", "off", "off")),
        ({"DO_NOT_TRACK": "1"}, {}, ("unasked", "on", "on")),
        ({"DISABLE_TELEMETRY": "0"}, {}, ("unasked", "on", "on")),
    ],
)
def test_a_flag_counts_as_the_service_gave_it_or_as_on_where_it_is_not_asked(
    tmp_path: Path, env: dict[str, str], flags: dict[str, list[str]], found: tuple[str, ...]
) -> None:
    given = json.dumps({"cachedGrowthBookFeatures": flags, "cachedFeatureFlags": {}})
    axes = CLIENT.axes(Place(tmp_path, env=env).write({"home/.claude.json": given}).world())
    assert tuple(axes[name] for name in ("flags", "combiners", "schemas")) == found
