"""Where the effort of a session comes from (Claude Code 2.1.332, `effort_sources`)."""

import json
from pathlib import Path

import pytest

from inspector.turns import Prompted
from tests.clients.claude_code.place import Place

_SETTINGS = "--settings"
_FOR_ONE = json.dumps({"modelSettings": {"claude-opus-5-5": {"effortLevel": "xhigh"}}})


@pytest.mark.parametrize(
    ("argv", "level", "sent"),
    [
        (("--effort", "bogus"), "", "medium"),
        (("--effort", "high"), "", "high"),
        (("--effort", "high"), "low", "low"),
        (("--effort", "high"), "bogus", "high"),
        (("--effort", "high"), "auto", None),
        ((_SETTINGS, json.dumps({"effortLevel": "max"})), "", "medium"),
        ((_SETTINGS, json.dumps({"effortLevel": "high", "maxEffortLevel": "low"})), "", "low"),
        ((_SETTINGS, _FOR_ONE), "", "xhigh"),
    ],
)
def test_the_first_source_that_names_a_level_counts(
    tmp_path: Path, argv: tuple[str, ...], level: str, sent: str | None
) -> None:
    place = Place(tmp_path)
    place.argv = ("-p", "x", *argv)
    place.env = {"CLAUDE_CODE_EFFORT_LEVEL": level} if level else {}
    body = place.body(place.begin(), Prompted(text="x"))
    assert body.get("output_config") == (None if sent is None else {"effort": sent})
