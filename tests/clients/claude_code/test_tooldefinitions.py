"""The words of tools that depend on how long the process may live (`ordinary_linked`)."""

from dataclasses import replace
from pathlib import Path

import pytest

from inspector.clients.claude_code import tooldefinitions, tools
from inspector.clients.claude_code.settings import Settings
from tests.clients.claude_code.place import Place


@pytest.mark.parametrize(
    ("argv", "name"),
    [
        (("-p", "hello"), "tool.Monitor"),
        (("-p", "--input-format", "stream-json"), "tool.Monitor.stays"),
    ],
)
def test_a_monitor_may_run_for_longer_where_prompts_come_as_a_stream(
    tmp_path: Path, argv: tuple[str, ...], name: str
) -> None:
    place = Place(tmp_path, argv=argv).write({})
    profile, settings = place.profile(), Settings({}, frozenset(), {})
    pool = replace(
        tools.pool(profile, place.world(), settings), builtin=("Monitor",), placeholder=False
    )
    made = tooldefinitions.definitions(profile, pool, settings, frozenset({"Monitor"}))[-1]
    described = profile.known(f"{name}.description")
    shape = profile.known_json(f"{name}.schema")
    assert isinstance(made, dict)
    assert (made["description"], made["input_schema"]) == (described, shape)
