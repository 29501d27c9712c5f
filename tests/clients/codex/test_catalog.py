"""The model catalog that an account's server gave stands in place of the client's own."""

import json
from dataclasses import replace
from typing import Any

import pytest

from inspector.clients.codex import CLIENT, catalog
from inspector.text import Kind
from inspector.turns import Prompted, Turn
from inspector.workspace import World
from tests.clients.codex.stage import HOME, begin, configuration, items, profile, texts, world

_AT = "2026-11-29T12:00:00+00:00"
_FILE = f"{HOME}/.codex/models_cache.json"


def _given(slug: str = "gpt-6.2-sol", fetched: str = "2026-11-29T11:58:00.5Z") -> str:
    model: dict[str, Any] = {
        "slug": slug,
        "default_reasoning_level": "high",
        "model_messages": {
            "instructions_template": "Server words.",
            "collaboration_modes": {"default": "Server mode."},
            "multi_agent": {"role": {"root": "Server role."}},
        },
    }
    return json.dumps({"fetched_at": fetched, "models": [model]})


def _world(cache: str, credential: str = "login") -> World:
    of = world({_FILE: cache}, config="")
    environment = of.environment.model_copy(update={"credential": credential})
    return replace(of, environment=environment)


def _first(of: World, later: World | None = None) -> list[dict[str, Any]]:
    conversation = begin(of)
    return items(conversation.step(Turn(at=_AT, events=(Prompted(text="hello"),)), later or of))


def test_the_words_of_the_servers_catalog_are_told() -> None:
    sent = _first(_world(_given()))
    assert texts(sent[1]) == ["Server words."]
    assert texts(sent[2])[-1] == "<collaboration_mode>Server mode.</collaboration_mode>"
    assert texts(sent[3])[0].startswith("<multi_agent_role>Server role.")


@pytest.mark.parametrize("of", [_world(_given("gpt-9")), _world(_given(), "key")])
def test_other_models_and_keys_have_the_clients_own(of: World) -> None:
    assert "Server" not in json.dumps(_first(of))


def test_an_old_catalog_gives_way_to_what_is_there_at_the_first_request() -> None:
    old = _given(fetched="2026-11-28T00:00:00Z")
    assert "Server" not in json.dumps(_first(_world(old), _world('{"models": []}')))
    assert "Server words." in json.dumps(_first(_world(_given()), _world('{"models": []}')))


def test_words_come_from_the_file_and_lines_on_missing_tools_do_not() -> None:
    of = _world(_given())
    found = catalog.entry(of, configuration(of), profile(of))
    told = catalog.instructions(of, found, profile(of))
    assert [(piece.origin.kind, piece.origin.name) for piece in told.pieces] == [(Kind.FILE, _FILE)]
    line = profile(of).lists["catalog.dropped"][0]
    more = {**found, "model_messages": {"instructions_template": f"One.\n{line}\nTwo."}}
    assert str(catalog.instructions(of, more, profile(of))) == "One.\nTwo."


def test_usual_effort_and_window_are_the_catalogs() -> None:
    of = _world(_given())
    found = {**catalog.entry(of, configuration(of), profile(of)), "context_window": 9}
    measured = catalog.measured(found, profile(of))
    assert (measured.literals["effort"], measured.limits["context_window"]) == ("high", 9)


def test_a_snapshot_keeps_of_it_what_is_read() -> None:
    kept = json.loads(CLIENT.sanitise(_FILE, _given().replace('"slug"', '"x": 1, "slug"').encode()))
    assert set(kept) == {"fetched_at", "client_version", "models"}
    assert "x" not in kept["models"][0]
    assert CLIENT.sanitise(_FILE, b"[") == CLIENT.sanitise(_FILE, b"{}")
