"""Goldens replayed to the client versions that made them, strict, twice: a twentieth of them here.

`python -m tests.golden.replayed` replays all of them.
"""

from pathlib import Path

import pytest

from tests.golden.replayed import replayed
from tests.golden.scenario import cases

NAMES = (
    "claude-code/classic_traffic",
    "claude-code/count_texts",
    "claude-code/heavy_agents_tools",
    "claude-code/hooks",
    "claude-code/mention_long",
    "claude-code/mix_mcp_skill_deny",
    "claude-code/mix_thinking_skill",
    "claude-code/skill_bundled_arguments",
    "claude-code/subfolder_state",
    "codex/base",
    "codex/websocket",
)
"""Named, so that new scenarios change nothing here."""


@pytest.mark.client
@pytest.mark.parametrize("name", NAMES)
def test_every_request_of_a_golden_is_matched_twice(name: str, tmp_path: Path) -> None:
    (case,) = cases((name,))
    for _ in range(2):
        outcome = replayed(case, tmp_path / "work")
        assert outcome.trouble == ()
        assert outcome.reused > 0
