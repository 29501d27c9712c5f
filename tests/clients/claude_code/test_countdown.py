"""How many tokens are left, as switches and settings have it told (2.1.332)."""

import json
from pathlib import Path

import pytest

from inspector.turns import Prompted
from tests.clients.claude_code.place import Place, texts

NAME = "CLAUDE_CODE_TOTAL_TOKENS_REMINDER"


@pytest.mark.parametrize(
    ("model", "env", "setting", "left"),
    [
        ("sonnet", {}, {}, None),
        ("haiku", {}, {}, "15000000"),
        ("haiku", {NAME: "off"}, {}, None),
        ("haiku", {NAME: "1"}, {"totalTokensReminder": "infinite"}, "Infinite"),
        ("sonnet", {NAME: "fixed"}, {"totalTokensReminder": "infinite"}, "5000000"),
        ("sonnet", {NAME: "countdown"}, {}, "1000000"),
        ("sonnet", {NAME: "padded-countdown", f"{NAME}_BUDGET": "70"}, {}, "70"),
        ("haiku", {f"{NAME}_AFTER_USER_TURN": "0"}, {}, None),
    ],
)
def test_the_environment_says_before_the_settings_what_is_told(
    tmp_path: Path, model: str, env: dict[str, str], setting: dict[str, str], left: str | None
) -> None:
    place = Place(tmp_path, argv=("-p", "x", "--model", model), env=env)
    place.write({"home/.claude/settings.json": json.dumps(setting)})
    body = place.body(place.begin(), Prompted(text="one"))
    told = "\n".join(texts(body["messages"][-1]))
    found = [line for line in told.split("\n") if line.startswith("<total_tokens>")]
    assert found == ([f"<total_tokens>{left} tokens left</total_tokens>"] if left else [])
