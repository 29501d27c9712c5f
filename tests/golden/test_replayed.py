"""Goldens replayed to the client versions that made them, strict, twice: a twentieth of them here.

`python -m tests.golden.replayed` replays all of them.
"""

from pathlib import Path

import pytest

from tests.golden.replayed import replayed
from tests.golden.scenario import Case, cases

PART = 20
CASES = [case for case in cases() if "@" not in case.folder][7::PART]


@pytest.mark.client
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_every_request_of_a_golden_is_matched_twice(case: Case, tmp_path: Path) -> None:
    assert case.scenario.runs
    for _ in range(2):
        outcome = replayed(case, tmp_path / "work")
        assert outcome.trouble == ()
        assert outcome.reused > 0
